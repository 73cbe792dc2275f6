/** `AbortSignal.timeout`, which came to Safari with 16 and to Chrome with 103. */
export function timeout(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

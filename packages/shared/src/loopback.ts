/** Whether a host name of a URL always means the machine itself, so that no other one can open it. */
export function isLoopback(hostname: string): boolean {
  return /(^|\.)localhost$|^127\.|^0\.0\.|^\[::1?]$/.test(hostname);
}

import { vi } from 'vitest';

/** Lets the server answer every request with this: as JSON, unless it is a text. */
export function answer(status: number, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return stub(async () => new Response(text, { status }));
}

export function breakDown(error: Error = new TypeError('Failed to fetch')) {
  return stub(() => Promise.reject(error));
}

function stub(respond: () => Promise<Response>) {
  const fetchStub = vi.fn<typeof fetch>(respond);
  vi.stubGlobal('fetch', fetchStub);
  return fetchStub;
}

import type { ServerResponse } from 'node:http';

export function pagePolicy(embedOrigins: readonly string[]): string {
  return [
    "default-src 'self'",
    "img-src 'self' data: http: https:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${embedOrigins.join(' ') || "'none'"}`,
  ].join('; ');
}

/** The security headers of the app's responses. firebase.json repeats them for Hosting (SPEC F7). */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': pagePolicy([]),
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Covers are the operator's files: an SVG that is opened by itself runs no scripts. firebase.json repeats the policy. */
export const COVER_POLICY = [
  "default-src 'none'",
  'img-src data:',
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
  'sandbox',
].join('; ');

/** Browsers heed this header only over TLS, so only answers over TLS have it. firebase.json repeats it for Hosting. */
export const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' } as const;

const PLAIN_HEADERS = new Map(Object.entries(SECURITY_HEADERS));
const SECURE_HEADERS = new Map(Object.entries({ ...SECURITY_HEADERS, ...HSTS }));

export function setSecurityHeaders(response: ServerResponse, isSecure: boolean) {
  response.setHeaders(isSecure ? SECURE_HEADERS : PLAIN_HEADERS);
}

/** Returns all headers for `writeHead`, by `isSecure`. Setting each alone takes time, and memory while the response is open. */
export function headWith(
  headers: Readonly<Record<string, string>>,
): (isSecure: boolean) => string[] {
  const own = Object.entries(headers);
  const plain = [...PLAIN_HEADERS, ...own].flat();
  const secure = [...SECURE_HEADERS, ...own].flat();
  return (isSecure) => (isSecure ? secure : plain);
}

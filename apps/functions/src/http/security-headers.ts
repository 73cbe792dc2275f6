import type { ServerResponse } from 'node:http';

/** The security headers of the app's responses. firebase.json has them for Hosting (SPEC F7). */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'self'",
    "img-src 'self' data: http: https:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;
const HEADERS = Object.entries(SECURITY_HEADERS);

/** Sets the security headers of a response. */
export function setSecurityHeaders(response: ServerResponse) {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
}

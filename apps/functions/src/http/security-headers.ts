import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';

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

/**
 * The policy of covers, which are the operator's files: an SVG that is opened by itself runs no scripts
 * and loads nothing. firebase.json has it for Hosting.
 */
export const COVER_POLICY = [
  "default-src 'none'",
  'img-src data:',
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
  'sandbox',
].join('; ');

/** Browsers heed this header only over TLS. Hosting sends it by firebase.json. */
export const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' } as const;

const PLAIN = Object.entries(SECURITY_HEADERS);
const SECURE = Object.entries(HSTS);

/**
 * Sets the security headers of a response.
 *
 * @param isSecure whether the client is connected over TLS
 */
export function setSecurityHeaders(response: ServerResponse, isSecure: boolean) {
  for (const [name, value] of PLAIN) response.setHeader(name, value);
  if (isSecure) for (const [name, value] of SECURE) response.setHeader(name, value);
}

/** Middleware that sets the security headers. */
export const securityHeaders: RequestHandler = (request, response, next) => {
  setSecurityHeaders(response, request.secure);
  next();
};

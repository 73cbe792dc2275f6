import { isId } from '@goty/shared/ids';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';

/** The only cookie that Firebase Hosting passes on. */
const COOKIE = '__session';
const MAX_AGE_MS = 365 * 24 * 60 * 60 * 1000;

/** The visitor's id, or `undefined` for one who has none yet. */
export function readVisitor(request: Request<object>): string | undefined {
  const value = parseCookie(request.get('Cookie') ?? '')[COOKIE];
  return value !== undefined && isId(value) ? value : undefined;
}

export function rememberVisitor(request: Request<object>, response: Response, visitorId: string) {
  response.cookie(COOKIE, visitorId, {
    httpOnly: true,
    maxAge: MAX_AGE_MS,
    sameSite: 'lax',
    // A proxy that ends TLS says so. Whoever only pretends gets a cookie that does not come back.
    secure: request.secure || request.get('X-Forwarded-Proto') === 'https',
  });
}

import { API_PREFIX } from '@goty/shared/protocol';

/** The base URL of the API: `VITE_API_BASE` at build time, else a path on the page's own origin. */
export const API_BASE: string = import.meta.env.VITE_API_BASE ?? API_PREFIX;

/**
 * How the page asks for what its HTML preloads: as the link does, or it would be asked for twice. On the
 * page's own origin that is without CORS, because WebKit sends `Origin` for a link with `crossorigin`, but
 * not for a script.
 */
export const AS_PRELOADED: RequestInit = API_BASE.startsWith('/')
  ? { mode: 'no-cors', credentials: 'include' }
  : {};

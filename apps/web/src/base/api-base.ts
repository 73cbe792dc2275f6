import { API_PREFIX } from '@goty/shared/protocol';

/** The base URL of the API: `VITE_API_BASE` at build time, else a path on the page's own origin. */
export const API_BASE: string = import.meta.env.VITE_API_BASE ?? API_PREFIX;

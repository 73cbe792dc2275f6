import { API_PREFIX } from '@goty/shared/protocol';

/** Where the API is: on the page's own origin unless the build was told otherwise. */
export const API_BASE: string = import.meta.env.VITE_API_BASE ?? API_PREFIX;

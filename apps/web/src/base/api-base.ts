/** On the page's own origin unless configured at build time. */
export const API_BASE: string = import.meta.env.VITE_API_BASE ?? '/api';

import { useLocation } from 'react-router';

/** Returns the current path in lower case without trailing slashes: react-router ignores both. */
export function useScreenPath(): string {
  return useLocation().pathname.toLowerCase().replace(/\/+$/, '');
}

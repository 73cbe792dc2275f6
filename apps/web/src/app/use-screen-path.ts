import { useLocation } from 'react-router';

/** The path of the current screen, as its link has it: routes match without case and slash too. */
export function useScreenPath(): string {
  return useLocation().pathname.toLowerCase().replace(/\/+$/, '');
}

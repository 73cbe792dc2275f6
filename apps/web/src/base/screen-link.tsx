import type { ReactNode } from 'react';
import { useHref, useLinkClickHandler, useLocation } from 'react-router';

interface Props {
  readonly to: string;
  readonly label?: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/**
 * A link to a screen, marked while it is the current one. Not react-router's Link: its prefetching
 * would add 4 kB to the first JavaScript.
 */
export function ScreenLink({ to, label, children, className }: Props) {
  const isCurrent = useScreenPath() === to;
  return (
    <a
      href={useHref(to)}
      onClick={useLinkClickHandler(to)}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={label}
      className={className}
    >
      {children}
    </a>
  );
}

/** Returns the current path in lower case without trailing slashes: react-router ignores both. */
export function useScreenPath(): string {
  return useLocation().pathname.toLowerCase().replace(/\/+$/, '');
}

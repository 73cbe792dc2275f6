import type { ReactNode } from 'react';
import { useHref, useLinkClickHandler } from 'react-router';
import { useScreenPath } from './use-screen-path.ts';

interface Props {
  readonly to: string;
  readonly label?: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/**
 * A link to a screen, marked while that is the current one. react-router's own Link brings its
 * prefetching along: 4 kB of the first JavaScript.
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

import { texts } from '@goty/shared/texts';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { focusHeading } from '../base/focus-heading.ts';
import { useScreenPath } from '../base/screen-link.tsx';
import { InicioScreen } from '../results/inicio-screen.tsx';
import type { ResultsProps } from '../results/results.tsx';
import { GotyScreen, type GotyScreenProps } from '../vote/goty-screen.tsx';
import './app.css';
import { NavBar } from './nav-bar.tsx';
import { ScreenErrorBoundary } from './screen-error-boundary.tsx';

/** inicio changes its own as the vote begins and ends. */
const TITLES: Readonly<Record<string, string>> = {
  '/inicio': texts.inicio.titles.open,
  '/goty': texts.goty.title,
};

/** The dependencies of the screens: main.tsx passes the real ones, tests pass fakes. */
export type AppProps = ResultsProps & GotyScreenProps;

/**
 * The skip link, the navigation bar and the screen of the current path (SPEC W1, W2, W22). Without
 * react-router's Routes: its patterns would add 0.6 kB to the first JavaScript.
 */
export function App(props: AppProps) {
  const path = useScreenPath();
  useRedirect(path);
  useTitleAndFocus(path);
  return (
    <>
      <a href="#contenido" className="skip-link">
        {texts.nav.skip}
      </a>
      <NavBar />
      <main id="contenido" tabIndex={-1}>
        <ScreenErrorBoundary key={path}>
          {path === '/goty' ? <GotyScreen {...props} /> : <InicioScreen {...props} />}
        </ScreenErrorBoundary>
      </main>
    </>
  );
}

/** Redirects other paths to inicio and replaces their history entry: Back leaves the page. */
function useRedirect(path: string) {
  const navigate = useNavigate();
  useEffect(() => {
    if (!(path in TITLES)) navigate('/inicio', { replace: true });
  }, [path, navigate]);
}

/**
 * Sets the title and moves the focus to a new screen, so that screen readers announce it (W22).
 * Runs before the screen is painted, because it also starts the fade (SPEC W22).
 */
function useTitleAndFocus(path: string) {
  const shown = useRef<string>(undefined);
  useLayoutEffect(() => {
    const title = TITLES[path];
    if (title === undefined || shown.current === path) return;
    document.title = title;
    // The browser itself announces the first screen.
    if (shown.current !== undefined) {
      document.documentElement.dataset.navigated = '';
      window.scrollTo(0, 0);
      focusHeading();
    }
    shown.current = path;
  }, [path]);
}

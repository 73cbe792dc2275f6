import { texts } from '@goty/shared/texts';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { focusHeading } from '../base/focus-heading.ts';
import { InicioScreen } from '../results/inicio-screen.tsx';
import type { ResultsProps } from '../results/results.tsx';
import { GotyScreen, type GotyScreenProps } from '../vote/goty-screen.tsx';
import './app.css';
import { NavBar } from './nav-bar.tsx';
import { ScreenErrorBoundary } from './screen-error-boundary.tsx';

/** The dependencies of the screens: main.tsx passes the real ones, tests pass fakes. */
export type AppProps = ResultsProps & GotyScreenProps;

/** The skip link, the navigation bar and the screen of the current path (SPEC W1, W2, W22). */
export function App(props: AppProps) {
  const { pathname } = useLocation();
  useFocus(pathname);
  const { connect } = props;
  useEffect(connect, [connect]);
  return (
    <>
      <a href="#contenido" className="skip-link">
        {texts.nav.skip}
      </a>
      <NavBar />
      <main id="contenido" tabIndex={-1}>
        <ScreenErrorBoundary key={pathname}>
          <Routes>
            <Route path="/inicio" element={<InicioScreen {...props} />} />
            <Route path="/goty" element={<GotyScreen {...props} />} />
            <Route path="*" element={<Navigate to="/inicio" replace />} />
          </Routes>
        </ScreenErrorBoundary>
      </main>
    </>
  );
}

/**
 * Moves the focus to a new screen, so that screen readers announce it (W22). The browser itself announces
 * the first one. Runs before the screen is painted, because it also starts the fade.
 */
function useFocus(pathname: string) {
  const shown = useRef(pathname);
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.documentElement.dataset.navigated = '';
    window.scrollTo(0, 0);
    focusHeading();
  }, [pathname]);
}

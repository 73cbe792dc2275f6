import { texts } from '@goty/shared/texts';
import { useEffect, useRef } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { focusHeading } from '../base/focus-heading.ts';
import { InicioScreen, type InicioScreenProps } from '../results/inicio-screen.tsx';
import { GotyScreen, type GotyScreenProps } from '../vote/goty-screen.tsx';
import { NavBar } from './nav-bar.tsx';
import { ScreenErrorBoundary } from './screen-error-boundary.tsx';
import { useScreenPath } from './use-screen-path.ts';

const TITLES: Readonly<Record<string, string>> = {
  '/inicio': texts.inicio.title,
  '/goty': texts.goty.title,
};

/** The dependencies of the screens: main.tsx passes the real ones, tests pass fakes. */
export type AppProps = InicioScreenProps & GotyScreenProps;

/** The skip link, the navigation bar and the screen of the current route (SPEC W1, W2, W22). */
export function App({ live, nominees, ballots }: AppProps) {
  const path = useScreenPath();
  useTitleAndFocus(path);
  return (
    <>
      <a href="#contenido" className="skip-link">
        {texts.nav.skip}
      </a>
      <NavBar />
      <main id="contenido" tabIndex={-1}>
        <ScreenErrorBoundary key={path}>
          <Routes>
            <Route path="/inicio" element={<InicioScreen live={live} />} />
            <Route path="/goty" element={<GotyScreen nominees={nominees} ballots={ballots} />} />
            <Route path="*" element={<Navigate to="/inicio" replace />} />
          </Routes>
        </ScreenErrorBoundary>
      </main>
    </>
  );
}

/** Sets the title and moves the focus to a new screen, so that screen readers announce it (W22). */
function useTitleAndFocus(path: string) {
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const title = TITLES[path];
    if (title === undefined || shown.current === path) return;
    document.title = title;
    // The browser itself announces the first screen.
    if (shown.current !== undefined) {
      window.scrollTo(0, 0);
      focusHeading();
    }
    shown.current = path;
  }, [path]);
}

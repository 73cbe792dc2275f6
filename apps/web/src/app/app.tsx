import { texts } from '@goty/shared/texts';
import { useEffect, useRef } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { focusHeading } from '../base/focus-heading.ts';
import { InicioScreen, type InicioScreenProps } from '../results/inicio-screen.tsx';
import { GotyScreen, type GotyScreenProps } from '../vote/goty-screen.tsx';
import { NavBar } from './nav-bar.tsx';
import { ScreenErrors } from './screen-errors.tsx';
import { useScreenPath } from './use-screen-path.ts';

const TITLES: Readonly<Record<string, string>> = {
  '/inicio': texts.inicio.title,
  '/goty': texts.goty.title,
};

/** What the screens need from outside: main.tsx makes the real ones, tests their own. */
export type AppProps = InicioScreenProps & GotyScreenProps;

/** The navigation bar above the screen of the current route (SPEC W1). */
export function App({ loadLive, nominees, ballots }: AppProps) {
  const path = useScreenPath();
  useScreenChange(path);
  return (
    <>
      <a href="#contenido" className="skip-link">
        {texts.nav.skip}
      </a>
      <NavBar />
      <main id="contenido" tabIndex={-1}>
        <ScreenErrors key={path}>
          <Routes>
            <Route path="/inicio" element={<InicioScreen loadLive={loadLive} />} />
            <Route path="/goty" element={<GotyScreen nominees={nominees} ballots={ballots} />} />
            <Route path="*" element={<Navigate to="/inicio" replace />} />
          </Routes>
        </ScreenErrors>
      </main>
    </>
  );
}

/** A new screen has its title, and the focus: those who cannot see it are told that it is there. */
function useScreenChange(path: string) {
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const title = TITLES[path];
    if (title === undefined || shown.current === path) return;
    document.title = title;
    // The first one is the browser's own to announce.
    if (shown.current !== undefined) {
      window.scrollTo(0, 0);
      focusHeading();
    }
    shown.current = path;
  }, [path]);
}

import { appTexts } from '@goty/shared/app-texts';
import { voteTexts } from '@goty/shared/vote-texts';
import {
  Component,
  lazy,
  type PropsWithChildren,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { Navigate, NavLink, useLocation } from 'react-router';
import { isStageHash } from '../base/request.ts';
import { focusHeading, ScreenMessage } from '../base/screen.tsx';
import { InicioScreen, type InicioScreenProps } from '../inicio/inicio-screen.tsx';
import type { VoteFeed } from '../live/vote-feed.ts';
import { GotyScreen, type GotyScreenProps } from '../vote/goty-screen.tsx';
import styles from './app.module.css';

const Stage = lazy(() => import('../stage/stage.tsx'));

/** The dependencies of the screens: main.tsx passes the real ones, tests pass fakes. */
export type AppProps = VoteFeed & InicioScreenProps & GotyScreenProps;

/** The skip link, the navigation bar and the screen of the current path (SPEC W1, W2, W22). */
export function App(props: AppProps) {
  const { pathname, hash } = useLocation();
  useFocus(pathname);
  const { connect } = props;
  useEffect(connect, [connect]);
  if (pathname === '/inicio' && isStageHash(hash)) {
    return (
      <ScreenErrorBoundary>
        <Suspense>
          <Stage {...props} hash={hash} />
        </Suspense>
      </ScreenErrorBoundary>
    );
  }
  return (
    <>
      <a href="#contenido" className="skip-link">
        {appTexts.nav.skip}
      </a>
      <NavBar />
      <main id="contenido" tabIndex={-1}>
        <ScreenErrorBoundary key={pathname}>
          <Screen {...props} path={pathname} />
        </ScreenErrorBoundary>
      </main>
    </>
  );
}

/** The screen of a path. Whoever writes an address by hand may write it with capitals, or with a slash at its end. */
function Screen({ path, ...props }: AppProps & { readonly path: string }) {
  switch (path.toLowerCase().replace(/\/$/, '')) {
    case '/inicio':
      return <InicioScreen {...props} />;
    case '/goty':
      return <GotyScreen {...props} />;
    default:
      return <Navigate to="/inicio" replace />;
  }
}

/** Moves the focus for screen readers (SPEC W22), and sets the mark for the fade-in before the new screen is painted. */
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

function NavBar() {
  return (
    <header className={styles.bar}>
      <nav className={styles.inner} aria-label={appTexts.nav.label}>
        <NavLink to="/inicio" aria-label={appTexts.nav.brand}>
          <img src="/trophy.svg" alt="" width="32" height="32" />
          <span>{appTexts.title}</span>
        </NavLink>
        <ul className={styles.links}>
          <li>
            <NavLink to="/inicio">{appTexts.nav.inicio}</NavLink>
          </li>
          <li>
            <NavLink to="/goty">{appTexts.nav.votar}</NavLink>
          </li>
        </ul>
      </nav>
    </header>
  );
}

class ScreenErrorBoundary extends Component<PropsWithChildren> {
  override state: { readonly failure?: 'crashed' | 'lostChunk' } = {};

  static getDerivedStateFromError(error: Error): ScreenErrorBoundary['state'] {
    // Each browser has its own message for a lost chunk, and Vite has one for styles. Each message has one of these words.
    return { failure: /module|preload/i.test(error.message) ? 'lostChunk' : 'crashed' };
  }

  override render() {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return (
      <ScreenMessage
        title={appTexts[failure]}
        hint={voteTexts.failures[failure === 'lostChunk' ? 'unreachable' : 'broken']}
        action={{ label: appTexts.reload, run: () => window.location.reload() }}
      />
    );
  }
}

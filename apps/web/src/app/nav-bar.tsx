import { texts } from '@goty/shared/texts';
import { ScreenLink } from '../base/screen-link.tsx';
import styles from './nav-bar.module.css';

export function NavBar() {
  return (
    <header className={styles.bar}>
      <nav className={styles.inner} aria-label={texts.nav.label}>
        <ScreenLink to="/inicio" className={styles.brand} label={texts.nav.brand}>
          <img src="/trophy.svg" alt="" width="32" height="32" />
          <span>{texts.title}</span>
        </ScreenLink>
        <ul className={styles.links}>
          <li>
            <ScreenLink to="/inicio">{texts.nav.inicio}</ScreenLink>
          </li>
          <li>
            <ScreenLink to="/goty">{texts.nav.votar}</ScreenLink>
          </li>
        </ul>
      </nav>
    </header>
  );
}

import { texts } from '@goty/shared/texts';
import { NavLink } from 'react-router';
import styles from './nav-bar.module.css';

export function NavBar() {
  return (
    <header className={styles.bar}>
      <nav className={styles.inner} aria-label={texts.nav.label}>
        <NavLink to="/inicio" aria-label={texts.nav.brand}>
          <img src="/trophy.svg" alt="" width="32" height="32" />
          <span>{texts.title}</span>
        </NavLink>
        <ul className={styles.links}>
          <li>
            <NavLink to="/inicio">{texts.nav.inicio}</NavLink>
          </li>
          <li>
            <NavLink to="/goty">{texts.nav.votar}</NavLink>
          </li>
        </ul>
      </nav>
    </header>
  );
}

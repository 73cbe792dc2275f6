import { texts } from '@goty/shared/texts';
import { Link, NavLink } from 'react-router';
import styles from './nav-bar.module.css';

/** On every screen: the brand, and the two links with the current one marked. */
export function NavBar() {
  return (
    <header className={styles.bar}>
      <nav className={styles.inner} aria-label={texts.nav.label}>
        <Link to="/inicio" className={styles.brand} aria-label={texts.nav.brand}>
          <img src="/trophy.svg" alt="" width="32" height="32" />
          <span>{texts.title}</span>
        </Link>
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

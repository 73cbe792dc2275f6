import { CoverImage } from '../../base/lazy/cover-image.tsx';
import styles from './cover.module.css';

interface Props {
  /** The game's colour. */
  readonly color: string;
  /** What is shown in that colour where there is no cover. */
  readonly initials: string;
  readonly src?: string | undefined;
}

/** A game's cover in a ring of its colour, as large as its container. Decorative. */
export function Cover({ color, initials, src }: Props) {
  return (
    <span className={styles.cover} style={{ color }} data-initials={initials}>
      <CoverImage src={src} />
    </span>
  );
}

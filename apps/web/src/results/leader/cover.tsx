import { CoverImage } from '../../base/lazy/cover-image.tsx';
import styles from './cover.module.css';

interface Props {
  /** The game's colour, which is shown where there is no cover. */
  readonly color: string;
  readonly src: string | undefined;
}

/** A game's cover in a ring of its colour, as large as its container. Decorative. */
export function Cover({ color, src }: Props) {
  return (
    <span className={styles.cover} style={{ color }}>
      <CoverImage src={src} />
    </span>
  );
}

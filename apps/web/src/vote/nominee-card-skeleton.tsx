import { COVER_SLOTS, slot } from '@goty/shared/page-html';
import coverStyles from './cover-image.module.css';
import styles from './nominee-card.module.css';

/**
 * The slots where a server that knows the nominees puts their covers. React leaves alone what it
 * finds there as long as it is given the same object.
 */
const COVERS = COVER_SLOTS.map((name) => ({ __html: import.meta.env.SSR ? slot(name) : '' }));
const NO_COVER = { __html: '' };

/** A card in its final size, before its nominee is known. */
export function NomineeCardSkeleton({ index }: { readonly index: number }) {
  return (
    <div className={styles.card} aria-hidden="true">
      <div
        className={coverStyles.slot}
        data-cover={true}
        suppressHydrationWarning={true}
        dangerouslySetInnerHTML={COVERS[index] ?? NO_COVER}
      />
      <div className={styles.body}>
        <p className={styles.name}>
          <span className={`skeleton ${styles.words}`}>&nbsp;</span>
        </p>
        <p className={styles.hint}>
          <span className={`skeleton ${styles.words}`}>&nbsp;</span>
        </p>
        <div className={`button skeleton ${styles.vote}`}>&nbsp;</div>
      </div>
    </div>
  );
}

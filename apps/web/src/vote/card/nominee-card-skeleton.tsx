import { COVER_SLOTS, slot } from '@goty/shared/page-html';
import coverStyles from './cover-image.module.css';
import styles from './nominee-card.module.css';

/**
 * The slots that the standalone server fills with covers. The objects are constants: React leaves
 * the filled HTML alone as long as the prop is identical.
 */
const COVERS = COVER_SLOTS.map((name) => ({ __html: import.meta.env.SSR ? slot(name) : '' }));
const NO_COVER = { __html: '' };

/**
 * The placeholder of a card, in its final size.
 *
 * @param index the position of the card: the first ones have a cover slot
 */
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

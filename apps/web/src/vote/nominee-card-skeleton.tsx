import coverStyles from './cover-image.module.css';
import styles from './nominee-card.module.css';

/** Has React leave what it finds there, as long as it is the same object. */
const NOT_REACTS = { __html: '' };

/**
 * A card of the final size, before its nominee is known. The standalone server knows it already, and
 * puts its cover into the slot (its page.ts).
 */
export function NomineeCardSkeleton() {
  return (
    <div className={styles.card} aria-hidden="true">
      <div
        className={coverStyles.slot}
        data-cover={true}
        suppressHydrationWarning={true}
        dangerouslySetInnerHTML={NOT_REACTS}
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

import coverStyles from './cover-image.module.css';
import styles from './nominee-card.module.css';

/** The placeholder of a card, in its final size. */
export function NomineeCardSkeleton() {
  return (
    <div className={styles.card} aria-hidden="true">
      <div className={coverStyles.slot} data-cover={true} />
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

import styles from './chart-skeleton.module.css';

const BARS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** The placeholder of headline and chart, in their final size. */
export function ChartSkeleton() {
  return (
    <div aria-hidden="true">
      <div className={styles.headline}>
        <div className="skeleton" />
        <div className="skeleton" />
      </div>
      <div className={styles.chart}>
        {BARS.map((key) => (
          <div key={key} className={`${styles.bar} skeleton`} />
        ))}
      </div>
    </div>
  );
}

import styles from './chart-skeleton.module.css';

const BARS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const ENTRIES = ['a', 'b', 'c', 'd'];

/** The placeholder of the chart alone, in its final size. */
export function BarsSkeleton() {
  return (
    <div aria-hidden="true" className={styles.chart}>
      {BARS.map((key) => (
        <div key={key} className={`${styles.bar} skeleton`} />
      ))}
    </div>
  );
}

/** The placeholder of headline, chart and the first row of the legend, in their final size. */
export function ChartSkeleton() {
  return (
    <div aria-hidden="true">
      <div className={styles.headline}>
        <div className="skeleton" />
        <div className="skeleton" />
      </div>
      <BarsSkeleton />
      <div className={styles.legend}>
        {ENTRIES.map((key) => (
          <div key={key} className="skeleton" />
        ))}
      </div>
    </div>
  );
}

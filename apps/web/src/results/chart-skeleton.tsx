import styles from './chart-skeleton.module.css';

const BARS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** The placeholder of the chart, in its final size. */
export function ChartSkeleton() {
  return (
    <div className={styles.chart} aria-hidden="true">
      {BARS.map((key) => (
        <div key={key} className={`${styles.bar} skeleton`} />
      ))}
    </div>
  );
}

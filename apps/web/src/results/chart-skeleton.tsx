import styles from './chart-skeleton.module.css';
import './headline/standings-headline.css';

const BARS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const ENTRIES = ['a', 'b', 'c', 'd'];
const LINE = '<div class="skeleton"></div>';
const HEADLINE = { __html: `<div aria-hidden="true" class="${styles.lines}">${LINE}${LINE}</div>` };

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
    <>
      {/* React lets its content be, which first-headline.ts may have replaced. */}
      <div
        className="standings-headline"
        data-headline
        suppressHydrationWarning
        dangerouslySetInnerHTML={HEADLINE}
      />
      <BarsSkeleton />
      <div aria-hidden="true" className={styles.legend}>
        {ENTRIES.map((key) => (
          <div key={key} className="skeleton" />
        ))}
      </div>
    </>
  );
}

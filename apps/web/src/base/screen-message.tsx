import { focusHeading } from './focus-heading.ts';
import styles from './screen-message.module.css';

interface Props {
  readonly title: string;
  readonly hint: string;
  /** What the visitor can do about it. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** What stands in the place of a screen's content when there is none. */
export function ScreenMessage({ title, hint, action }: Props) {
  return (
    <div className={styles.message} role={action ? 'alert' : 'status'}>
      <p className={styles.title}>{title}</p>
      <p className={styles.hint}>{hint}</p>
      {action && (
        <button type="button" className="button" onClick={() => retry(action.run)}>
          {action.label}
        </button>
      )}
    </div>
  );
}

/** What is retried takes the button away, and the focus with it. */
function retry(run: () => void) {
  focusHeading();
  run();
}

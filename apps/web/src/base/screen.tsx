import styles from './screen.module.css';

interface Props {
  readonly title: string;
  readonly hint: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Stands in for a screen's content when there is none: with an action as an alert, without one as a status. */
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

/** Moves the focus first, because a retry removes the button that has the focus. */
function retry(run: () => void) {
  focusHeading();
  run();
}

/** Moves the focus to the screen's heading, which a screen reader then announces. */
export function focusHeading() {
  document.querySelector('h1')?.focus();
}

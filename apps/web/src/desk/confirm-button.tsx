import { deskTexts } from '@goty/shared/desk-texts';
import { useId, useRef, useState } from 'react';

/** A second click this soon is a double click, and does not confirm. */
const DOUBLE_MS = 500;

interface Props {
  readonly label: string;
  /** What it is about, where several have the same label. */
  readonly about?: string;
  /** What will happen. */
  readonly sure: string;
  /** Finds out what `sure` has to say. Resolves with whether it may happen. */
  readonly prepare?: () => Promise<boolean>;
  readonly run: () => unknown;
}

/**
 * A button whose first press says what the second one will do. That is what was seen at the first: if something has
 * changed since, the server refuses it.
 */
export function ConfirmButton({ label, about, sure, prepare, run }: Props) {
  const [armed, setArmed] = useState<Pick<Props, 'run' | 'sure'> & { readonly at: number }>();
  const [isBusy, setIsBusy] = useState(false);
  const wasArmed = useRef(false);
  const said = useId();
  const arm = async () => {
    setIsBusy(true);
    const mayRun = (await prepare?.()) ?? true;
    setIsBusy(false);
    wasArmed.current ||= mayRun;
    if (mayRun) setArmed({ run, sure, at: performance.now() });
  };
  const act = async () => {
    if (!armed || performance.now() - armed.at < DOUBLE_MS) return;
    setArmed(undefined);
    setIsBusy(true);
    await armed.run();
    setIsBusy(false);
  };
  if (!armed) {
    return (
      <button
        type="button"
        className="button quiet"
        aria-label={about && `${label}: ${about}`}
        aria-busy={isBusy}
        aria-disabled={isBusy}
        onClick={isBusy ? undefined : arm}
        ref={wasArmed.current ? focus : undefined}
      >
        {label}
      </button>
    );
  }
  return (
    <fieldset aria-label={label} aria-describedby={said} tabIndex={-1} ref={focus}>
      <p role="status" id={said}>
        {prepare ? sure : armed.sure}
      </p>
      <button type="button" className="button" onClick={act}>
        {label}
      </button>{' '}
      <button type="button" className="button quiet" onClick={() => setArmed(undefined)}>
        {deskTexts.no}
      </button>
    </fieldset>
  );
}

/** The focused element was replaced. */
function focus(element: HTMLElement | null) {
  element?.focus({ preventScroll: true });
}

import { deskTexts } from '@goty/shared/desk-texts';
import { useRef, useState } from 'react';
import styles from './desk.module.css';

/** The second press of a double click is none. */
const DOUBLE_MS = 500;

interface Props {
  readonly label: string;
  /** What will happen. */
  readonly sure: string;
  /** Finds out what `sure` has to say. Resolves with whether it may happen. */
  readonly prepare?: () => Promise<boolean>;
  readonly run: () => Promise<unknown>;
}

/** A button whose first press says what the second one will do. */
export function Press({ label, sure, prepare, run }: Props) {
  const [step, setStep] = useState<'' | 'preparing' | 'armed' | 'busy'>('');
  const armedAt = useRef(0);
  const arm = async () => {
    setStep('preparing');
    const mayRun = (await prepare?.()) ?? true;
    armedAt.current = performance.now();
    setStep(mayRun ? 'armed' : '');
  };
  const act = async () => {
    if (performance.now() - armedAt.current < DOUBLE_MS) return;
    setStep('busy');
    await run();
    setStep('');
  };
  if (step === '' || step === 'preparing') {
    return (
      <button type="button" className="button quiet" disabled={step !== ''} onClick={arm}>
        {label}
      </button>
    );
  }
  return (
    <fieldset className={styles.sure} aria-label={label} tabIndex={-1} ref={focus}>
      <p role="status">{sure}</p>
      <button type="button" className="button" disabled={step === 'busy'} onClick={act}>
        {label}
      </button>
      <button type="button" className="button quiet" onClick={() => setStep('')}>
        {deskTexts.no}
      </button>
    </fieldset>
  );
}

/** The button that had the focus is gone. */
function focus(group: HTMLElement | null) {
  group?.focus({ preventScroll: true });
}

import { deskTexts } from '@goty/shared/desk-texts';
import { useRef, useState } from 'react';

/** The second press of a double click is none. */
const DOUBLE_MS = 500;

interface Props {
  readonly label: string;
  /** What will happen. */
  readonly sure: string;
  /** Finds out what `sure` has to say. Resolves with whether it may happen. */
  readonly prepare?: () => Promise<boolean>;
  readonly run: () => unknown;
}

/** A button whose first press says what the second one will do. */
export function Press({ label, sure, prepare, run }: Props) {
  const [isArmed, setIsArmed] = useState(false);
  const armedAt = useRef(0);
  const arm = async () => {
    const mayRun = (await prepare?.()) ?? true;
    armedAt.current = performance.now();
    setIsArmed(mayRun);
  };
  const act = () => {
    if (performance.now() - armedAt.current < DOUBLE_MS) return;
    setIsArmed(false);
    run();
  };
  const button = (text: string, onClick: () => void, look = 'button quiet') => (
    <button type="button" className={look} onClick={onClick}>
      {text}
    </button>
  );
  if (!isArmed) return button(label, arm);
  return (
    <fieldset aria-label={label} tabIndex={-1} ref={focus}>
      <p role="status">{sure}</p>
      {button(label, act, 'button')} {button(deskTexts.no, () => setIsArmed(false))}
    </fieldset>
  );
}

/** The button that had the focus is gone. */
function focus(group: HTMLElement | null) {
  group?.focus({ preventScroll: true });
}

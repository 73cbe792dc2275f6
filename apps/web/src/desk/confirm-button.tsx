import { deskTexts } from '@goty/shared/desk-texts';
import { createContext, use, useId, useRef, useState } from 'react';

/** A click so few milliseconds after the first press is the second one of a double click, and does not confirm. */
const DOUBLE_MS = 500;

interface Props {
  readonly label: string;
  /** What the act is about, where several buttons have the same label. */
  readonly about?: string;
  /** Says what the second press will do. Without this text, the first press does the act. */
  readonly sure?: string;
  /** Called at the first press, to find out what `sure` has to say. Resolves with why the act must not be done; '' if it may. */
  readonly prepare?: () => Promise<string>;
  /** Does the act. Resolves with why it was not done; '' if it was. */
  readonly run: () => Promise<string>;
  readonly isMain?: boolean;
}

type ButtonState =
  | { readonly status: 'idle' | 'busy' }
  | ({ readonly status: 'armed'; readonly at: number } & Pick<Props, 'run' | 'sure'>);

export interface FailedPress {
  readonly button: string;
  readonly why: string;
}

/** The next press of any of the buttons within takes the failure away. */
export const FailedPressContext = createContext<
  readonly [FailedPress | undefined, (failure?: FailedPress) => void]
>([undefined, () => {}]);

/** The first press says what the second one will do. If something has changed in between, the server refuses. */
export function ConfirmButton({ label, about, sure, prepare, run, isMain = false }: Props) {
  const [state, setState] = useState<ButtonState>({ status: 'idle' });
  const [failure, setFailure] = use(FailedPressContext);
  const wasArmed = useRef(false);
  const id = useId();
  /** Resolves with whether the work was done. */
  const act = async (work: () => Promise<string>): Promise<boolean> => {
    setFailure();
    setState({ status: 'busy' });
    const why = await work();
    if (why !== '') setFailure({ button: id, why });
    setState({ status: 'idle' });
    return why === '';
  };
  const press = async () => {
    const isReady = await act(sure === undefined ? run : (prepare ?? (async () => '')));
    if (sure === undefined || !isReady) return;
    wasArmed.current = true;
    setState({ status: 'armed', run, sure, at: performance.now() });
  };
  if (state.status === 'armed') {
    const { at, run, sure: seen } = state;
    return (
      <fieldset aria-label={label} aria-describedby={id} tabIndex={-1} ref={focus}>
        <p role="status" id={id}>
          {prepare ? sure : seen}
        </p>
        <button
          type="button"
          className="button"
          onClick={() => performance.now() - at >= DOUBLE_MS && act(run)}
        >
          {label}
        </button>{' '}
        <button type="button" className="button quiet" onClick={() => setState({ status: 'idle' })}>
          {deskTexts.no}
        </button>
      </fieldset>
    );
  }
  const isBusy = state.status === 'busy';
  return (
    <>
      <button
        type="button"
        className={isMain ? 'button' : 'button quiet'}
        aria-label={about && `${label}: ${about}`}
        aria-busy={isBusy}
        aria-disabled={isBusy}
        onClick={isBusy ? undefined : press}
        ref={wasArmed.current ? focus : undefined}
      >
        {label}
      </button>
      {failure?.button === id && <p role="alert">{failure.why}</p>}
    </>
  );
}

/** Focuses the element that has replaced the focused one. */
function focus(element: HTMLElement | null) {
  element?.focus({ preventScroll: true });
}

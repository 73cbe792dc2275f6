import type { VoteRequest, VoteResponse } from '@goty/shared/game';
import { gotyTexts } from '@goty/shared/goty-texts';
import { API_PATHS } from '@goty/shared/protocol';
import { voteTexts } from '@goty/shared/vote-texts';
import { formatVotingCode, readVotingCode } from '@goty/shared/voting-code';
import { type FormEvent, type PropsWithChildren, useEffect, useRef, useState } from 'react';
import { parseVoteResponse } from '../base/parse.ts';
import { useObservable, useSelected } from '../base/react.ts';
import { failureReasonOf, request } from '../base/request.ts';
import type { LastVote } from '../live/last-vote.ts';
import { uncoverFocus } from './after-vote.ts';
import type { VoteCaster } from './cast-vote.ts';
import styles from './goty-late.module.css';
import { markSectionWithBar } from './goty-late.tsx';

interface Props extends PropsWithChildren {
  readonly caster: Pick<VoteCaster, 'voting'>;
  readonly lastVote: LastVote;
  /** Called with the hint that the cards show in place of 'Click aqui para votar'; with `undefined` when no code is missing. */
  readonly onNeed: (need: string | undefined) => void;
}

/** The second bar asks for a code as long as the browser has no valid one, and says what the server has answered (SPEC W153). */
export function CodeBar({ caster, lastVote, onNeed, children }: Props) {
  const { code, told, tell, check } = useCode(caster, lastVote);
  const hasVoted = useObservable(lastVote) !== undefined;
  const [text, setText] = useState('');
  const [isOther, setOther] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const status = useRef<HTMLParagraphElement>(null);
  const isMissing = code === undefined || (told.isInvalid && told.code === code);
  const isAsking = isMissing || isOther;
  useEffect(() => {
    onNeed(isMissing ? gotyTexts.code.hint : undefined);
    return () => onNeed(undefined);
  }, [isMissing, onNeed]);
  useEffect(uncoverFocus, [isAsking]);
  // Puts a wrong code into the field, even one that came with a link, so that the visitor can correct it.
  const wrong = told.isInvalid ? told.code : undefined;
  useEffect(() => {
    if (wrong !== undefined) setText(formatVotingCode(wrong));
  }, [wrong]);
  useEffect(() => {
    if (isOther) field.current?.focus();
  }, [isOther]);
  // After a vote, the bar above says more than that the code is valid, so this bar says nothing.
  const answer = hasVoted ? '' : told.mensaje;
  const message = isAsking ? told.mensaje || gotyTexts.code.needed : answer;
  const isShown = message !== '';
  return (
    <>
      {!isAsking && (
        <p>
          <button type="button" className="button quiet" onClick={askForOther}>
            {gotyTexts.code.other}
          </button>
        </p>
      )}
      <div className={styles.bars}>
        {children}
        <form
          // React calls a new function at each rendering, which puts back the mark that the bar above takes away when it goes.
          ref={(form) => markSectionWithBar(isShown ? form : null)}
          className={isShown ? `row ${styles.bar}` : styles.hidden}
          onSubmit={submit}
        >
          <p ref={status} id="code-told" role="status" tabIndex={-1}>
            {message}
          </p>
          {isAsking && (
            <>
              <input
                ref={field}
                className={styles.field}
                aria-label={gotyTexts.code.label}
                aria-describedby="code-told"
                aria-invalid={told.isInvalid}
                placeholder="XXXX-XXXX-XXXX-XXXX"
                autoCapitalize="characters"
                autoComplete="off"
                spellCheck={false}
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
              <button type="submit" className="button">
                {gotyTexts.code.send}
              </button>
            </>
          )}
          {isAsking && !isMissing && (
            <button type="button" className="button quiet" onClick={() => setOther(false)}>
              {gotyTexts.code.back}
            </button>
          )}
        </form>
      </div>
    </>
  );

  function askForOther() {
    tell({ mensaje: '', isInvalid: false });
    setText('');
    setOther(true);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const typed = readVotingCode(text);
    if (typed === undefined) tell({ mensaje: gotyTexts.code.incomplete, isInvalid: false });
    else if (await check(typed)) {
      setOther(false);
      status.current?.focus();
    }
  }
}

/** A code counts as valid unless the server has said that it is not. */
interface Told {
  readonly mensaje: string;
  readonly isInvalid: boolean;
  readonly code?: string;
}

function useCode({ voting }: Props['caster'], lastVote: LastVote) {
  const code = useSelected(lastVote, () => lastVote.code());
  const isIdle = useObservable(voting) === undefined;
  const [told, tell] = useState<Told>({ mensaje: '', isInvalid: false });
  const newest = useRef('');
  const justChecked = useRef<string>(undefined);
  // Checks the code anew after each press, too: the operator may have ended it meanwhile.
  useEffect(() => {
    if (!isIdle || code === undefined) return;
    if (justChecked.current !== code) void check(code);
    justChecked.current = undefined;
  }, [isIdle, code]);
  return { code, told, tell, check };

  /** A typed code is kept unless the server says that it is not valid. Resolves with whether the browser may vote with it. */
  async function check(asked: string): Promise<boolean> {
    newest.current = asked;
    const { mensaje, isInvalid, isAnswered } = await requestCheck(asked);
    // If another code has been checked meanwhile, nobody waits for this answer any more.
    if (newest.current !== asked) return false;
    const isTyped = asked !== lastVote.code();
    if (!isTyped && !isAnswered) return true;
    if (isTyped && !isInvalid) {
      justChecked.current = asked;
      lastVote.setCode(asked);
    }
    tell({ mensaje, isInvalid, code: asked });
    return !isInvalid;
  }
}

/** `POST /code`. Never rejects. */
async function requestCheck(code: string) {
  const answer = await request(API_PATHS.code, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code } satisfies VoteRequest),
  });
  const failed = (reason: keyof typeof voteTexts.failures) => ({
    mensaje: voteTexts.failures[reason],
    isInvalid: false,
    isAnswered: false,
  });
  if (typeof answer === 'string') return failed(answer);
  const response: VoteResponse | undefined = parseVoteResponse(answer.body);
  const { status } = answer.response;
  if (!response || (status !== 200 && status !== 403))
    return failed(failureReasonOf(answer.response));
  return { mensaje: response.mensaje, isInvalid: status === 403, isAnswered: true };
}

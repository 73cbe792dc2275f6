import type { VoteRequest, VoteResponse } from '@goty/shared/game';
import { gotyTexts } from '@goty/shared/goty-texts';
import { API_PATHS } from '@goty/shared/protocol';
import { voteTexts } from '@goty/shared/vote-texts';
import { formatVotingCode, readVotingCode } from '@goty/shared/voting-code';
import { type FormEvent, type PropsWithChildren, useEffect, useState } from 'react';
import { parseVoteResponse } from '../base/parse.ts';
import { useObservable } from '../base/react.ts';
import { failureReasonOf, request } from '../base/request.ts';
import type { LastVote } from '../live/last-vote.ts';
import { uncoverFocus } from './after-vote.ts';
import type { VoteCaster } from './cast-vote.ts';
import styles from './goty-late.module.css';
import { markSectionWithBar } from './goty-late.tsx';

interface Props extends PropsWithChildren {
  readonly caster: Pick<VoteCaster, 'voting'>;
  readonly lastVote: LastVote;
  /** Called with what the cards say instead of inviting; `undefined` once the browser has a valid code. */
  readonly onNeed: (need: string | undefined) => void;
}

/** With one vote for each code: asks for the code, in the place of the bar, as long as the browser has no valid one (SPEC W153). */
export function CodeBar({ caster, lastVote, onNeed, children }: Props) {
  const [text, setText] = useState(lastVote.code() ?? '');
  const [message, setMessage] = useState<string>();
  const [isAsked, setAsked] = useState(false);
  const hasVoted = useObservable(lastVote) !== undefined;
  const isIdle = useObservable(caster.voting) === undefined;
  // Also after a vote that was refused: the operator may have ended the code meanwhile.
  useEffect(() => {
    if (isIdle && !hasVoted) void check();
  }, [isIdle, hasVoted]);
  useEffect(uncoverFocus, [isAsked]);
  const otherButton = (
    <button type="button" className="button quiet" onClick={askForOther}>
      {gotyTexts.code.other}
    </button>
  );
  if (!isAsked && hasVoted) {
    return (
      <>
        <p>{otherButton}</p>
        {children}
      </>
    );
  }
  if (!isAsked) {
    if (message === undefined) return children;
    return (
      <div ref={markSectionWithBar} className={`row ${styles.bar}`}>
        <p role="status">{message}</p>
        {otherButton}
      </div>
    );
  }
  return (
    <form ref={markSectionWithBar} className={`row ${styles.bar}`} onSubmit={submit}>
      <p role="status">{message}</p>
      <input
        className={styles.field}
        aria-label={gotyTexts.code.label}
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
    </form>
  );

  function askForOther() {
    setText('');
    setMessage(gotyTexts.code.label);
    setAsked(true);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const code = readVotingCode(text);
    if (code === undefined) return setMessage(gotyTexts.code.incomplete);
    lastVote.setCode(formatVotingCode(code));
    void check();
  }

  /** Asks whether the code that the browser has is valid, if it has one. */
  async function check() {
    const code = lastVote.code();
    const missing = { ok: false, mensaje: gotyTexts.code.needed };
    const { ok, mensaje } = code === undefined ? missing : await requestCheck(code);
    setMessage(mensaje);
    setAsked(!ok);
    onNeed(ok ? undefined : gotyTexts.code.hint);
  }
}

/** `POST /code`. Never rejects. */
async function requestCheck(code: string): Promise<VoteResponse> {
  const answer = await request(API_PATHS.code, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code } satisfies VoteRequest),
  });
  const reason = typeof answer === 'string' ? answer : failureReasonOf(answer.response);
  const failure = { ok: false, mensaje: voteTexts.failures[reason] };
  return typeof answer === 'string' ? failure : (parseVoteResponse(answer.body) ?? failure);
}

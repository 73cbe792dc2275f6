import type { Act } from '@goty/shared/act';
import {
  type Anomaly,
  CODE_MS,
  type DeskState,
  newLeaderWithout,
  type VoteRange,
} from '@goty/shared/desk-protocol';
import { deskTexts } from '@goty/shared/desk-texts';
import { phaseAt } from '@goty/shared/protocol';
import { useRef, useState } from 'react';
import {
  formatCount,
  formatMoment,
  formatRange,
  formatTime,
  formatVotes,
  shareFormat,
} from '../base/format.ts';
import { QrCode } from '../share/qr-code.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import styles from './desk.module.css';
import { deskLink, newCode, requestAnomalies } from './desk-api.ts';

interface AnomaliesProps extends DeskState {
  /** Voids votes. Resolves with why that was not done; '' if it was. */
  readonly voidVotes: (votes: VoteRange) => Promise<string>;
}

interface RecordListProps extends DeskState {
  /** Counts the votes again that the act of that id has voided. Resolves like `voidVotes`. */
  readonly undo: (act: string) => Promise<string>;
}

interface BrowserListProps extends DeskState {
  /** Ends the browser of that id. Resolves like `voidVotes`. */
  readonly revoke: (browser: string) => Promise<string>;
}

interface InvitationProps extends DeskState {
  readonly clockOffset: number;
  /** Makes a link with that code valid. Resolves like `voidVotes`. */
  readonly invite: (code: string) => Promise<string>;
}

interface RankingProps extends Pick<DeskState, 'games'> {
  /** The votes of the last minute, by game, if they are known. */
  readonly gained: ReadonlyMap<string, number> | undefined;
}

/** All games by their true votes, with those of the last minute beside them. */
export function Ranking({ games, gained }: RankingProps) {
  const share = shareFormat(games);
  const total = gained && [...gained.values()].reduce((sum, votes) => sum + votes, 0);
  return (
    <>
      {total !== undefined && <p>{deskTexts.lastMinute(formatVotes(total))}</p>}
      <ol>
        {[...games]
          .sort((a, b) => b.votos - a.votos)
          .map(({ id, name, votos }) => (
            <li key={id}>
              <span>{name}</span> <b>{formatCount(votos)}</b>{' '}
              {gained && <small>{signed(gained.get(id) ?? 0)}</small>} <span>{share(votos)}</span>
            </li>
          ))}
      </ol>
    </>
  );
}

function signed(votes: number): string {
  return `${votes < 0 ? '−' : '+'}${formatCount(Math.abs(votes))}`;
}

/** Votes that may be stuffed. They are looked for on a press, because that reads every ballot. */
export function Anomalies(props: AnomaliesProps) {
  const { acts, games, now, voidVotes } = props;
  const [found, setFound] = useState<{ readonly at: number; readonly all: readonly Anomaly[] }>();
  const find = async () => {
    const result = await requestAnomalies();
    setFound('value' in result ? { at: now, all: result.value } : undefined);
    return 'value' in result ? '' : result.refusal.why;
  };
  const searchedAt = found ? formatTime(found.at) : '';
  // Another desk, or a command, may have voided some of them since.
  const voids = acts.filter(({ at, left }) => left !== undefined && at >= (found?.at ?? 0));
  const anomalies = found?.all.filter((one) => !voids.some((act) => isAbout(act, one))) ?? [];
  return (
    <>
      <ConfirmButton label={deskTexts.traffic} run={find} />
      <p role="status">
        {anomalies.length > 0
          ? deskTexts.marked(searchedAt)
          : found?.all.length === 0 && deskTexts.calm(searchedAt)}
      </p>
      {(anomalies.length > 0 || found?.all.length === 0) && <p>{deskTexts.guess}</p>}
      {anomalies.map((anomaly) => {
        const { game, from, to, votos, expected } = anomaly;
        const genuine = deskTexts.genuine(formatVotes(votos), formatCount(expected));
        const about = deskTexts.anomaly(nameOf(games, game), formatRange(from, to));
        return (
          <div key={`${game} ${from}`}>
            <b>{about}</b>
            <p>{genuine}</p>
            <ConfirmButton
              label={deskTexts.void}
              about={about}
              sure={`${deskTexts.voidSure(genuine)} ${inSight(props, anomaly)}`.trim()}
              run={() => voidVotes({ game, from, to })}
            />
          </div>
        );
      })}
    </>
  );
}

function isAbout({ games = [], ranges = [] }: Act, { game, from, to }: Anomaly): boolean {
  const isOfGame = games.length === 0 || games.includes(game);
  return isOfGame && ranges.some((range) => range.from < to && range.to > from);
}

/** What the hall will see at once if these votes are voided; '' if they are hidden. */
function inSight({ games, now, times }: DeskState, { game, from, votos }: Anomaly): string {
  const { frozenAt = Infinity } = times;
  if (from >= frozenAt) return '';
  // While votes are hidden, the hall sees other figures than the desk.
  const leader =
    frozenAt > now ? newLeaderWithout(games, new Map([[game, votos]]))?.name : undefined;
  return deskTexts.inSight(leader, phaseAt(now, times) === 'closed');
}

/** What was done to the vote, newest first. */
export function RecordList({ acts, games, undo }: RecordListProps) {
  return (
    <details>
      <summary>{deskTexts.acts}</summary>
      {acts.map((act) => {
        const { id, left, what } = act;
        const words = wordsOf(act, games);
        return (
          <div key={id}>
            <b>{formatTime(act.at)}</b>
            <p>{words}</p>
            {what === 'void' && left !== undefined && (
              <ConfirmButton
                label={deskTexts.undo}
                about={words}
                sure={deskTexts.undoSure(formatVotes(left))}
                run={() => undo(id)}
              />
            )}
          </div>
        );
      })}
    </details>
  );
}

/** Who may use the desk. */
export function BrowserList({ browsers, revoke }: BrowserListProps) {
  return (
    <details>
      <summary>{deskTexts.browsers(formatCount(browsers.length))}</summary>
      {browsers.map(({ id, since, isThis }) => {
        const about = deskTexts.browser(formatTime(since), isThis);
        return (
          <div key={id}>
            <p>{about}</p>
            {!isThis && (
              <ConfirmButton
                label={deskTexts.revoke}
                about={about}
                sure={deskTexts.revokeSure}
                run={() => revoke(id)}
              />
            )}
          </div>
        );
      })}
    </details>
  );
}

/** Makes a link for one more browser, and shows it until another one has come or its time is over. */
export function DeskInvitation({ browsers, now, clockOffset, invite }: InvitationProps) {
  const [shown, setShown] = useState<{ readonly link: string; readonly at: number }>();
  // Sent again after a lost answer, it is the same invitation.
  const code = useRef('');
  const run = async () => {
    code.current ||= newCode();
    const why = await invite(code.current);
    if (why !== '') return why;
    setShown({ link: deskLink(code.current), at: performance.now() + clockOffset });
    code.current = '';
    return '';
  };
  const { link = '', at = 0 } = shown ?? {};
  const isValid = now < at + CODE_MS && !browsers.some(({ since }) => since > at);
  return (
    <>
      <ConfirmButton label={deskTexts.invite} sure={deskTexts.inviteSure} run={run} />
      {isValid && (
        <div role="status" className={styles.invitation}>
          {link.startsWith('https:') && <QrCode url={link} label={deskTexts.qrCode} />}
          <p translate="no">{link}</p>
          <p>{deskTexts.invitation(formatMoment(at + CODE_MS))}</p>
          {link.startsWith('http:') && <p>{deskTexts.onThisMachine}</p>}
        </div>
      )}
    </>
  );
}

function wordsOf({ what, by, votes, games = [], before, after }: Act, all: DeskState['games']) {
  const moved = (['opensAt', 'closesAt', 'frozenAt'] as const)
    .filter((name) => what !== 'reveal' && before?.[name] !== after?.[name])
    .map(
      (name) =>
        `${deskTexts.moved[name]} ${after?.[name] ? formatTime(after[name]) : deskTexts.never}`,
    );
  const counted = votes === undefined ? [] : [formatVotes(votes)];
  const named = games.map((game) => nameOf(all, game));
  return `${deskTexts.did[what]}: ${[...moved, ...counted, ...named, deskTexts.by[by]].join(', ')}`;
}

function nameOf(games: DeskState['games'], id: string): string {
  return games.find((game) => game.id === id)?.name ?? id;
}

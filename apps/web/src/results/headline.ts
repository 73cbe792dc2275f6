import type { Standing } from '@goty/shared/game';
import { LANGUAGE } from '@goty/shared/protocol';
import { rankStandings } from '@goty/shared/ranking';
import { resultTexts } from '@goty/shared/result-texts';
import { sentence } from '@goty/shared/sentence';
import {
  formatCount,
  formatMoment,
  formatRange,
  formatTime,
  formatVotes,
  shareFormat,
} from '../base/format.ts';
import type { VoteStatus } from '../live/live-state.ts';

/** Finds a letter of a script that is written from right to left. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** More names or ranges of time would be too long to read, so only their number, and the time that they span, is told. */
const MAX_NAMED = 3;

export interface Headline {
  readonly title: string;
  /** The name with which the title begins. Without room, the name is cut, and never what the title says of the game. */
  readonly name?: string;
  readonly detail: string;
  /** Whether the headline says when voting begins, that there is nothing to tell, how the vote stands, or who has won. */
  readonly kind: 'before' | 'empty' | 'told' | 'won';
}

/** Says who leads and by how much; after the close, who has won (SPEC W60, W61). */
function headlineOf(standings: readonly Standing[], isClosed: boolean): Headline {
  const { leaders, runnersUp, mostVotes } = rankStandings(standings);
  const [leader] = leaders;
  const { none, noneClosed, first, leads, wins, ties, tiesClosed } = resultTexts;
  if (!leader) {
    const title = isClosed ? noneClosed : none;
    return { title, detail: isClosed ? '' : first, kind: 'empty' };
  }
  const kind = isClosed ? 'won' : 'told';
  if (leaders.length > 1) {
    const title = isClosed ? tiesClosed : ties;
    return { title, detail: resultTexts.each(formatVotes(mostVotes), namesOf(leaders)), kind };
  }
  const share = shareFormat(standings)(mostVotes);
  const lead = mostVotes - (runnersUp[0]?.votos ?? 0);
  const ahead =
    runnersUp.length > 0 ? resultTexts.ahead(formatCount(lead), namesOf(runnersUp)) : '';
  return {
    title: isClosed ? wins(isolate(leader.name)) : leads(isolate(leader.name)),
    name: leader.name,
    detail: sentence(resultTexts.with(formatVotes(mostVotes), share) + ahead),
    kind,
  };
}

/** Before the opening, the headline does not say how far off the opening is, because the countdown beside it does. */
export function headlineAt(standings: readonly Standing[], status: HeadlineStatus): Headline {
  const { phase, opensAt = 0, closesAt, frozenAt = 0 } = status;
  switch (phase) {
    case 'before':
      return { title: resultTexts.opensAt(formatTime(opensAt)), detail: '', kind: 'before' };
    case 'held':
      return { title: resultTexts.held, detail: '', kind: 'empty' };
    case 'frozen': {
      const detail = resultTexts.hidden(formatMoment(frozenAt));
      return { title: resultTexts.frozen, detail, kind: 'told' };
    }
    case 'open': {
      const headline = headlineOf(standings, false);
      const title = headline.kind === 'empty' && opensAt ? resultTexts.nowOpen : headline.title;
      return { ...headline, title };
    }
    case 'counting': {
      // The line of the status says that votes are counted, or that there is no connection, so the headline does not.
      const detail = closesAt === undefined ? '' : resultTexts.endedAt(formatTime(closesAt));
      return { title: resultTexts.ended, detail, kind: 'empty' };
    }
    case 'closed': {
      const headline = headlineOf(standings, true);
      const ended = closesAt === undefined ? '' : resultTexts.closedAt(formatTime(closesAt));
      return {
        ...headline,
        detail: [headline.detail, ended, ...disclosureTexts(status)].filter(Boolean).join(' '),
      };
    }
  }
}

/**
 * The public has a right to know which votes were voided, and whether the close was moved, or the vote opened again (SPEC V13).
 */
function disclosureTexts({
  closesAt = 0,
  voided,
  voids = [],
  movedFrom = closesAt,
  reopenedAt,
}: HeadlineStatus): string[] {
  const { postponed, advanced, reopened, moments, seconds } = resultTexts;
  const first = voids[0]?.from ?? 0;
  const last = voids.at(-1)?.to ?? 0;
  const times =
    voids.length > MAX_NAMED
      ? moments(formatCount(voids.length), formatRange(first, last))
      : listOf(voids.map(({ from, to }) => formatRange(from, to)));
  const moved = movedFrom < closesAt ? postponed : advanced;
  const isMoved = movedFrom !== closesAt;
  const isBrief = isMoved && formatTime(movedFrom) === formatTime(closesAt);
  return [
    voided ? resultTexts.voided(formatVotes(voided), voided === 1, times) : '',
    isMoved ? moved(isBrief ? seconds : formatRange(movedFrom, closesAt)) : '',
    reopenedAt === undefined ? '' : reopened(formatTime(reopenedAt)),
  ];
}

type HeadlineStatus = Omit<
  VoteStatus,
  'voteId' | 'listRevision' | 'onePerVisitor' | 'clockOffset' | 'today'
>;

export function titleWithoutName({ title, name = '' }: Headline): string {
  return title.slice(isolate(name).length).trim();
}

export function spokenHeadline({ title, detail }: Headline): string {
  return `${sentence(title)} ${detail}`.trim();
}

export function namesOf(games: readonly Standing[]): string {
  return games.length > MAX_NAMED
    ? resultTexts.games(games.length)
    : listOf(games.map((game) => isolate(game.name)));
}

/** A single word, as most headlines have, is written without Intl, whose first use is slow (see format.ts). */
function listOf(words: readonly string[]): string {
  return words.length > 1 ? new Intl.ListFormat(LANGUAGE).format(words) : (words[0] ?? '');
}

/**
 * Isolates a name that is written from right to left, so that it reads the same in a sentence as in an element of its own:
 * https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
export function isolate(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

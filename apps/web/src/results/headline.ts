import type { Standing } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import {
  formatCount,
  formatHour,
  formatMoment,
  formatTime,
  formatVotes,
  shareFormat,
} from '../base/format.ts';
import { type Answer, phasesAt } from '../live/ask.ts';
import type { VoteStatus } from '../live/known.ts';
import { rank } from '../live/ranking.ts';

/** The blocks of the scripts that are written from right to left. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** More names would be too long to read. */
const MAX_NAMED = 3;

export interface Headline {
  readonly title: string;
  /** The game that the title begins with, if it does: where there is no room, it is cut, and what is said of it never is. */
  readonly name?: string;
  readonly detail: string;
  /** Whether it says when voting begins, that there is nothing to tell, how it stands, or who has won. */
  readonly kind: 'before' | 'empty' | 'told' | 'won';
}

/** Says who leads and by how much; after the close, who has won (SPEC W60, W61). */
function headline(standings: readonly Standing[], isClosed: boolean): Headline {
  const { leaders, seconds, most } = rank(standings);
  const [leader] = leaders;
  const { none, noneClosed, first, leads, wins, ties, tiesClosed } = resultTexts;
  if (!leader) {
    const title = isClosed ? noneClosed : none;
    return { title, detail: isClosed ? '' : first, kind: 'empty' };
  }
  const kind = isClosed ? 'won' : 'told';
  if (leaders.length > 1) {
    const title = isClosed ? tiesClosed : ties;
    return { title, detail: resultTexts.each(formatVotes(most), namesOf(leaders)), kind };
  }
  const share = shareFormat(standings)(most);
  const lead = most - (seconds[0]?.votos ?? 0);
  const ahead = seconds.length > 0 ? resultTexts.ahead(formatCount(lead), namesOf(seconds)) : '';
  return {
    title: isClosed ? wins(isolate(leader.name)) : leads(isolate(leader.name)),
    name: leader.name,
    detail: `${resultTexts.with(formatVotes(most), share)}${ahead}.`,
    kind,
  };
}

/** The same with the times of the vote. Before the opening, its title lacks the time that is left. */
export function headlineAt(standings: readonly Standing[], status: Shown): Headline {
  const { phase, resultPhase, opensAt = 0, closesAt, frozenAt = 0 } = status;
  switch (resultPhase) {
    case 'before':
      return { title: resultTexts.opensAt(formatTime(opensAt)), detail: '', kind: 'before' };
    case 'frozen': {
      if (phase === 'closed') return { title: resultTexts.held, detail: '', kind: 'empty' };
      const detail = resultTexts.hidden(formatMoment(frozenAt));
      return { title: resultTexts.frozen, detail, kind: 'told' };
    }
    case 'open': {
      const shown = headline(standings, false);
      const title = shown.kind === 'empty' && opensAt ? resultTexts.nowOpen : shown.title;
      return { ...shown, title };
    }
    case 'closed': {
      const shown = headline(standings, true);
      const ended = closesAt === undefined ? '' : resultTexts.closedAt(formatTime(closesAt));
      return {
        ...shown,
        detail: [shown.detail, ended, ...toldOf(status)].filter(Boolean).join(' '),
      };
    }
  }
}

/** What the public has a right to know: which votes were voided, and whether the close was moved. */
function toldOf({ closesAt = 0, voided, voids = [], movedFrom }: Shown): string[] {
  const rangeOf = (from: number, to: number) => resultTexts.range(formatHour(from), formatHour(to));
  const times = voids.length > MAX_NAMED ? [] : voids.map(({ from, to }) => rangeOf(from, to));
  const told = voided ? [resultTexts.voided(formatVotes(voided), listOf(times))] : [];
  if (movedFrom === undefined) return told;
  const { postponed, advanced } = resultTexts;
  return [...told, (movedFrom < closesAt ? postponed : advanced)(rangeOf(movedFrom, closesAt))];
}

type Shown = Omit<VoteStatus, 'nominees' | 'onePerVisitor' | 'clockOffset'>;

/** What a title says of the game that it begins with. */
export function saidOf({ title, name = '' }: Headline): string {
  return title.slice(isolate(name).length).trim();
}

function namesOf(games: readonly Standing[]): string {
  return games.length > MAX_NAMED
    ? resultTexts.games(games.length)
    : listOf(games.map((game) => isolate(game.name)));
}

/** Without Intl for a single one, as most headlines have (see format.ts). */
function listOf(words: readonly string[]): string {
  return words.length > 1 ? new Intl.ListFormat('es').format(words) : (words[0] ?? '');
}

/**
 * Isolates a name that is written from right to left, so that it reads the same in a sentence as in an
 * element of its own: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
function isolate(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * Shows the headline in place of its skeleton, exactly as `StandingsHeadline` (results.tsx) will. React and the chart take seconds
 * to load on a slow line, and the server's answer is there long before.
 */
export function showFirstHeadline({ status, standings, at }: Answer) {
  const box = document.querySelector('[data-headline]');
  if (!box || standings.length === 0) return;
  const now = status.now + Date.now() - at;
  const phases = phasesAt(now, status);
  const shown = headlineAt(standings, { ...status, ...phases });
  const { name, detail, kind } = shown;
  const title = create('h2');
  if (name) title.append(create('bdi', { translate: false, textContent: name }), ' ');
  title.append(create('span', { textContent: saidOf(shown) }));
  const words = create('div');
  words.append(title, create('p', { textContent: detail }));
  const image = { alt: '', width: 72, height: 72, src: '/trophy.svg' };
  const trophy = kind === 'won' || kind === 'empty' ? [create('img', image)] : [];
  box.replaceChildren(...trophy, words);
  box.setAttribute('data-kind', kind);
}

function create(name: string, properties: object = {}): HTMLElement {
  return Object.assign(document.createElement(name), properties);
}

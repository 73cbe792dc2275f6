import { type Game, totalVotes } from '@goty/shared/game';
import { type Nominee, revisionOf } from '@goty/shared/nominee';
import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { Log } from '../runtime/log.ts';
import { mayReveal, type StoreState, type VoteStore } from './vote-store.ts';

/** How long to wait for the store, in milliseconds. A request may wait for both (SPEC G5). */
const STATE_DEADLINE_MS = 3_000;
const GAMES_DEADLINE_MS = 4_000;

/** What a process knows of the vote at one moment. */
export interface Snapshot {
  readonly state: StoreState;
  /** All games with their votes, ordered by id. */
  readonly games: readonly Game[];
  /** The same without their votes. */
  readonly nominees: readonly Nominee[];
  /** For votes, each of which looks one up. */
  readonly byId: ReadonlyMap<string, Nominee>;
  /** The revision of that list, which is the same in every process. */
  readonly revision: string;
}

export interface ReaderOptions {
  readonly store: Pick<VoteStore, 'games' | 'reveal' | 'state' | 'total'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Reads what is newer than what is known, at the lowest price. */
export function createReader({ store, clock, log }: ReaderOptions) {
  const readState = () => withDeadline(store.state(), STATE_DEADLINE_MS, clock);
  const games = () => withDeadline(store.games(), GAMES_DEADLINE_MS, clock);

  return {
    /** Asks for the state, and reads the games only if it is another. Returns `undefined` if it is the same. */
    async changes(known: StoreState | undefined): Promise<Snapshot | undefined> {
      let state = await readState();
      // The vote has closed, but its result is not shown yet.
      if (mayReveal(state, clock.now())) {
        await reveal();
        state = await readState();
      }
      // A store need not tell a process of its own changes, such as the end of a freeze.
      const isSame = state.revision === known?.revision && state.frozenAt === known.frozenAt;
      return isSame ? undefined : snapshotOf(state, await games());
    },
    games,
    /** Asks for the sum of all votes, and reads the games only if it is another. Returns these if it is the same. */
    async gamesIfVoted(known: readonly Game[]): Promise<readonly Game[]> {
      const total = await withDeadline(store.total(), GAMES_DEADLINE_MS, clock);
      return total === totalVotes(known) ? known : games();
    },
  };

  async function reveal() {
    try {
      await withDeadline(store.reveal(clock.now()), STATE_DEADLINE_MS, clock);
    } catch (error) {
      log.error('Failed to reveal the result:', error);
    }
  }
}

function snapshotOf(state: StoreState, games: readonly Game[]): Snapshot {
  const nominees = games.map(({ id, name, url }) => ({ id, name, url }));
  const byId = new Map(nominees.map((nominee) => [nominee.id, nominee]));
  return { state, games, nominees, byId, revision: revisionOf(nominees) };
}

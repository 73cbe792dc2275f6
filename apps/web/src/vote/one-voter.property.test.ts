import type { EarlierVote, VoteResponse } from '@goty/shared/game';
import { SEED } from '@goty/shared/testing/seed';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createLastVote } from '../live/last-vote.ts';
import { createVoteCaster, type VoteResult } from './cast-vote.ts';

/** What a browser keeps, and the page that it shows. */
interface Browser {
  readonly hasCookies: boolean;
  readonly storage: Map<string, string>;
  cookie: string | undefined;
  page: ReturnType<typeof openPage>;
}

interface Ballot {
  readonly by: Browser;
  game: string;
  at: number;
}

/** A server as SPEC V6, V14, V15 and V16 have it, with one vote for each visitor. */
function createServer() {
  let voteId = 'v0';
  let time = 1;
  let ballots = new Map<string, Ballot>();
  return {
    ballots: () => [...ballots.values()],
    voteId: () => voteId,
    /** A reset, or another database. */
    begin() {
      voteId = `v${time}`;
      ballots = new Map();
    },
    welcome(browser: Browser) {
      time += 1;
      if (browser.hasCookies) browser.cookie ??= `cookie-${time}`;
    },
    vote(browser: Browser, game: string, key: string, earlier: EarlierVote = {}): VoteResult {
      time += 2;
      const voter = browser.cookie ?? key;
      if (browser.hasCookies) browser.cookie = voter;
      const isOther = earlier.votedIn !== undefined && earlier.votedIn !== voteId;
      const { replaces, votedIn, votedAs } = isOther ? {} : earlier;
      const isUnknown = votedIn !== undefined && votedAs !== voter;
      const stored = ballots.get(voter);
      const answer = (body: Partial<VoteResponse>): VoteResult => {
        const response = { ok: true, mensaje: 'x', ...body };
        return { response, state: 'decided', voteId, voterTag: voter };
      };
      if (!stored && (replaces !== undefined || isUnknown) && votedAs !== voter)
        return answer({ ok: false });
      if (!stored) ballots.set(voter, { by: browser, game, at: time });
      if (!stored || stored.game === game) return answer({ votedAt: stored?.at ?? time });
      if (stored.at !== replaces)
        return answer({ ok: false, votedFor: stored.game, votedAt: stored.at });
      Object.assign(stored, { game, at: time });
      return answer({ votedAt: time });
    },
  };
}

const LOST: VoteResult = { response: { ok: false, mensaje: 'No' }, state: 'undecided' };

function openPage(post: (game: string, key: string, earlier?: EarlierVote) => VoteResult) {
  const lastVote = createLastVote();
  const show = async ({ ok }: VoteResponse) => !ok;
  const caster = createVoteCaster(
    lastVote,
    async () => show,
    async (game, key, earlier) => post(game, key, earlier),
  );
  return { lastVote, caster };
}

/** Fewer visitors would not show who is taken for another one, and more would rarely press twice. */
const visitor = fc.nat(14);
const PRESSES = Array<'press'>(12).fill('press');
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...PRESSES, 'reload', 'clean', 'begin'),
    visitor,
    game: fc.constantFrom('a', 'b', 'c'),
    isLost: fc.boolean(),
    hasHeard: fc.boolean(),
  }),
  { maxLength: 150, size: 'max' },
);

test('V14 V15 V16 ballots never exceed visitors, and no page says that one has voted who has not, whatever becomes of cookies, answers and votes', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const server = createServer();
      const use = (browser: Browser) =>
        vi.stubGlobal('localStorage', {
          getItem: (name: string) => browser.storage.get(name) ?? null,
          clear() {},
          setItem: (name: string, value: string) => void browser.storage.set(name, value),
        });
      let isLost = false;
      const open = (browser: Browser) => {
        use(browser);
        server.welcome(browser);
        return openPage((game, key, earlier) => {
          const result = server.vote(browser, game, key, earlier);
          return isLost ? LOST : result;
        });
      };
      const browsers = Array.from({ length: 15 }, (_, number) => {
        const browser = { hasCookies: number < 5, storage: new Map(), cookie: undefined };
        return Object.assign(browser, { page: open(browser as Browser) });
      });
      for (const step of sequence) {
        const browser = browsers[step.visitor];
        if (!browser) continue;
        use(browser);
        const { lastVote, caster } = browser.page;
        if (step.kind === 'begin') server.begin();
        if (step.kind === 'reload') browser.page = open(browser);
        // Of a vote whose answer was lost, neither the page nor a new cookie knows.
        const isKnown = server.ballots().every(({ by }) => by !== browser) || lastVote.get();
        if (step.kind === 'clean' && isKnown) {
          browser.cookie = undefined;
          server.welcome(browser);
        }
        if (step.kind === 'press') {
          isLost = step.isLost;
          if (step.hasHeard) lastVote.learn({ voteId: server.voteId(), onePerVisitor: true });
          const known = lastVote.get();
          await caster.cast(step.game, known !== undefined && known !== step.game);
        }
        const ballots = server.ballots();
        const owners = new Set(ballots.map(({ by }) => by));
        expect(owners.size).toBe(ballots.length);
        browser.page.lastVote.learn({ voteId: server.voteId() });
        if (browser.page.lastVote.get() !== undefined) expect(owners.has(browser)).toBe(true);
      }
    }),
    { seed: SEED, numRuns: 100 },
  );
});

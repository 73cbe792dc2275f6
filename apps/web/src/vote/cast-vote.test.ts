import type { VoteResponse } from '@goty/shared/game';
import { buildNominee } from '@goty/shared/testing/nominee';
import { voteTexts } from '@goty/shared/vote-texts';
import { screen, waitFor } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { COUNTED } from '../../testing/builders.ts';
import { createFakes } from '../../testing/render-page.tsx';
import { answer, breakDown } from '../../testing/stub-fetch.ts';
import type { FailureReason } from '../base/request.ts';
import { createLastVote, isQuestion } from '../live/last-vote.ts';
import { createNominees } from '../live/nominees.ts';
import type { VoteFeed } from '../live/vote-feed.ts';
import {
  createVoteCaster,
  loadDialog,
  postVote,
  type ShowOutcome,
  type VoteResult,
} from './cast-vote.ts';

const DECIDED: VoteResult = { response: COUNTED, state: 'decided', voteId: 'v' };
const UNDECIDED: VoteResult = { response: { ok: false, mensaje: 'No sé' }, state: 'undecided' };
const RETRYABLE: VoteResult = { response: { ok: false, mensaje: 'No' }, state: 'retryable' };

/** What this browser remembers, in a page that knows which vote it is. */
function rememberedVote() {
  const lastVote = createLastVote();
  lastVote.learn({ voteId: 'v' });
  return lastVote;
}

/** Casts votes whose posts have the given results, and records keys, pauses and what is told. */
function setUp(...results: VoteResult[]) {
  vi.useFakeTimers();
  const keys: string[] = [];
  const times: number[] = [];
  const told: VoteResponse[] = [];
  const caster = createVoteCaster(
    createLastVote(),
    async () => async (response) => told.push(response) < 0,
    async (_gameId, key) => {
      keys.push(key);
      times.push(Date.now());
      return results[keys.length - 1] ?? DECIDED;
    },
  );
  return {
    keys,
    pauses: () => times.slice(1).map((time, at) => time - (times[at] ?? 0)),
    async vote(gameId: string) {
      const cast = caster.cast(gameId);
      await vi.runAllTimersAsync();
      await cast;
      return told.at(-1);
    },
  };
}

test('W9 a counted vote is saved before its dialog has loaded', async () => {
  const lastVote = createLastVote();
  const dialog = Promise.withResolvers<ShowOutcome>();
  const post = async () => DECIDED;
  const caster = createVoteCaster(lastVote, () => dialog.promise, post);
  const first = caster.cast('hades-2');
  await waitFor(() => expect(lastVote.get()).toBe('hades-2'));
  expect(caster.voting.get()).toBe('hades-2');
  await caster.cast('blue-prince');
  expect(lastVote.get()).toBe('hades-2');
  dialog.resolve(async () => true);
  expect(await first).toBe(true);
  expect(caster.voting.get()).toBeUndefined();
  expect(rememberedVote().get()).toBe('hades-2');
});

test('W81 a vote is sent before the files of its dialog are asked for', async () => {
  const asked: string[] = [];
  const note = async <T>(what: string, result: T) => {
    asked.push(what);
    return result;
  };
  const show = async () => false;
  const caster = createVoteCaster(
    createLastVote(),
    () => note('dialog', show),
    () => note('vote', DECIDED),
  );
  await caster.cast('a');
  expect(asked).toEqual(['vote', 'dialog']);
});

test('W95 a vote that this visitor knows of is told apart, and one that the server knows of is saved', async () => {
  const lastVote = createLastVote();
  const told: boolean[] = [];
  const castWith = async (gameId: string, response: VoteResponse) => {
    const caster = createVoteCaster(
      lastVote,
      async () => async (_response, _gameId, isAgain) => told.push(isAgain) < 0,
      async () => ({ response, state: 'decided', voteId: 'v' }),
    );
    await caster.cast(gameId);
    return lastVote.get();
  };
  // Its first answer was lost, so nobody has thanked for it.
  expect(await castWith('a', { ...COUNTED, votedFor: 'a' })).toBe('a');
  expect(await castWith('a', { ...COUNTED, votedFor: 'a' })).toBe('a');
  // The operator has reset the vote.
  expect(await castWith('a', COUNTED)).toBe('a');
  expect(await castWith('b', { ok: false, mensaje: 'No', votedFor: 'c' })).toBe('c');
  expect(await castWith('b', { ok: false, mensaje: 'No' })).toBe('c');
  expect(told).toEqual([false, true, false, false, false]);
});

const heldBy = (votedFor: string, votedAt: number): VoteResult => ({
  response: { ok: false, mensaje: 'Ya has votado', votedFor, votedAt },
  state: 'decided',
  voteId: 'v',
});

/** Casts votes of one browser for one visitor, who agrees to a question as often as `wishes` say so. */
function setUpChanges() {
  const lastVote = rememberedVote();
  const sent: unknown[] = [];
  const told: unknown[] = [];
  return async (gameId: string, isChange: boolean, wishes: boolean[], ...results: VoteResult[]) => {
    const caster = createVoteCaster(
      lastVote,
      async () => async (response, _gameId, isAgain) => {
        told.push(isQuestion(response) ? `${response.votedFor}?` : [response.mensaje, isAgain]);
        return isQuestion(response) && wishes.shift() === true;
      },
      async (id, _key, earlier) => {
        sent.push([id, earlier?.replaces]);
        return results.shift() ?? DECIDED;
      },
    );
    await caster.cast(gameId, isChange);
    expect(caster.voting.get()).toBeUndefined();
    return [lastVote.get(), lastVote.votedAt(), told.splice(0), sent.splice(0)];
  };
}

const counted = (votedAt: number): VoteResult => ({
  response: { ok: true, mensaje: 'Contado', votedAt },
  state: 'decided',
  voteId: 'v',
});

test('W148 a vote that the page knows of is changed only if the visitor agrees, and nothing is sent before', async () => {
  const cast = setUpChanges();
  expect(await cast('a', false, [], counted(5))).toEqual([
    ...['a', 5, [['Contado', false]], [['a', undefined]]],
  ]);
  expect(await cast('b', true, [false])).toEqual(['a', 5, ['a?'], []]);
  const changed = ['b', 7, ['a?', ['Contado', false]], [['b', 5]]];
  expect(await cast('b', true, [true], counted(7))).toEqual(changed);
  // After a reload, and in another tab.
  expect([rememberedVote().get(), rememberedVote().votedAt()]).toEqual(['b', 7]);
});

test('W148 a page that does not know when the vote was cast is told by the server, and asks at once', async () => {
  const cast = setUpChanges();
  localStorage.setItem('goty-last-vote', 'z  v');
  const asked = ['a', 5, ['a?'], [['b', undefined]]];
  expect(await cast('b', true, [false], heldBy('a', 5))).toEqual(asked);
  // Before React, it knows, but not whether there is one vote for each visitor.
  expect(await cast('b', false, [true], heldBy('a', 5), counted(7))).toEqual([
    ...['b', 7, ['a?', ['Contado', false]]],
    [
      ['b', undefined],
      ['b', 5],
    ],
  ]);
});

test('W148 a change sent again replaces the same vote, and one that came too late asks for the newest', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const cast = setUpChanges();
  await cast('a', false, [], counted(5));
  const lost = cast('b', true, [true], RETRYABLE, RETRYABLE, UNDECIDED);
  await vi.runAllTimersAsync();
  const tries = Array(3).fill(['b', 5]);
  expect(await lost).toEqual(['a', 5, ['a?', ['No sé', false]], tries]);
  // It has counted, and the visitor has changed it in another browser's window since.
  expect(await cast('c', true, [true, true], heldBy('d', 9), counted(11))).toEqual([
    ...['c', 11, ['a?', 'd?', ['Contado', false]]],
    [
      ['c', 5],
      ['c', 9],
    ],
  ]);
  // Without one vote for each visitor, nothing of it is kept.
  expect(await cast('a', false, [])).toEqual([
    'a',
    undefined,
    [['Contado', false]],
    [['a', undefined]],
  ]);
});

/** Asks whether the vote becomes one for 'b'. Nominated are 'Juego a' and 'Juego b'. */
async function askToChange(
  votedFor: string,
  isPlain: boolean,
  client = new Promise<VoteFeed>(() => {}),
) {
  const nominees = createNominees(async () => ['a', 'b'].map((id) => buildNominee({ id })));
  await nominees.ensureLoaded();
  vi.useFakeTimers();
  const loading = loadDialog(nominees, client);
  if (isPlain) vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
  const show = await loading;
  return { agreed: show(heldBy(votedFor, 5).response, 'b', false) };
}

test('W148 the question ends with the vote', async () => {
  const { props } = createFakes();
  const { agreed } = await askToChange('a', false, Promise.resolve(props));
  await screen.findByText('Ahora votas por Juego a. Pasarías a votar por Juego b.');
  const live = props.known.get();
  props.known.set({ ...live, status: { ...live.status, phase: 'held' } });
  expect(await agreed).toBe(false);
});

test.each([
  ['Dejarlo como está', 1, false],
  ['Cambiar mi voto', 1, true],
  // The second click of a double click on the card.
  ['Cambiar mi voto', 2, undefined],
])('W148 the dialog names both games: %s, click %i: %j', async (label, detail, answer) => {
  const { agreed } = await askToChange('a', false);
  await screen.findByText('Ahora votas por Juego a. Pasarías a votar por Juego b.');
  const click = new MouseEvent('click', { bubbles: true, detail });
  screen.getByText(label).dispatchEvent(click);
  if (answer === undefined) window.dispatchEvent(new Event('popstate'));
  expect(await agreed).toBe(answer ?? false);
});

test('W148 the plain dialog asks, too, and the server names a game that is not in the list', async () => {
  // jsdom knows no dialogs.
  Object.assign(HTMLDialogElement.prototype, { showModal() {}, returnValue: '' });
  for (const [label, votedFor, text] of [
    ['Dejarlo como está', 'a', 'Ahora votas por Juego a. Pasarías a votar por Juego b.'],
    ['Cambiar mi voto', 'removed', 'Ya has votado'],
  ] as const) {
    const { agreed } = await askToChange(votedFor, true);
    const dialog = screen.getByText(text).closest('dialog');
    expect(dialog?.ariaLabel).toBe('¿Cambiar tu voto?');
    const button = screen.getByText(label);
    // The second click of a double click on the card does nothing, the first one of another does.
    for (const detail of [2, 1]) {
      const click = new MouseEvent('click', { bubbles: true, cancelable: true, detail });
      expect(button.dispatchEvent(click)).toBe(detail === 1);
    }
    const returnValue = button.getAttribute('value') ?? '';
    Object.assign(dialog ?? {}, { returnValue });
    dialog?.dispatchEvent(new Event('close'));
    expect(await agreed).toBe(label === 'Cambiar mi voto');
  }
});

test('W9 W19 an undecided vote is not retried, but the next press for the game reuses its key', async () => {
  const { keys, vote } = setUp(UNDECIDED, UNDECIDED, DECIDED, DECIDED, UNDECIDED);
  for (let press = 1; press <= 4; press += 1) {
    await vote('a');
    expect(keys).toHaveLength(press);
  }
  await vote('a');
  await vote('b');
  const [first, second, third] = keys;
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect([second, third]).toEqual([first, first]);
  expect(new Set(keys).size).toBe(4);
});

test('W19 a retryable vote is retried twice with the same key and growing pauses, as is the next press', async () => {
  const { keys, pauses, vote } = setUp(RETRYABLE, RETRYABLE, RETRYABLE, RETRYABLE, DECIDED);
  expect(await vote('a')).toEqual(RETRYABLE.response);
  expect(keys).toHaveLength(3);
  const [first = 0, second = 0] = pauses();
  expect(first).toBeGreaterThanOrEqual(250);
  expect(first).toBeLessThan(750);
  expect(second).toBeGreaterThanOrEqual(750);
  expect(second).toBeLessThan(2_250);
  expect(await vote('a')).toEqual(COUNTED);
  expect(keys).toEqual(Array(5).fill(keys[0]));
});

const HTML = '<!doctype html>';

/** What the page itself says of a vote. */
const failure = (reason: FailureReason) => ({
  ok: false,
  mensaje: `${voteTexts.failures[reason]} Puedes reintentarlo: solo contará una vez.`,
});

test('V3 W81 a vote is a POST of an empty object with its key, which survives the page', async () => {
  const fetchStub = answer(200, COUNTED);
  expect(await postVote('hades-2', 'key-1')).toEqual({ response: COUNTED, state: 'decided' });
  await postVote('hades-2', 'key-2', { replaces: 7, votedIn: 'v' });
  expect(fetchStub.mock.calls[1]?.[1]).toMatchObject({ body: '{"replaces":7,"votedIn":"v"}' });
  const [url, init] = fetchStub.mock.calls[0] ?? [];
  expect(url).toBe('/api/goty/hades-2');
  expect(init).toMatchObject({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'key-1' },
    body: '{}',
    keepalive: true,
  });
});

test.each([
  ...[400, 403, 404, 409, 422].map((status) => [status, 'decided'] as const),
  // Refusals that say nothing of an earlier attempt whose answer was lost.
  ...[401, 408, 413, 429, 500].map((status) => [status, 'undecided'] as const),
  [503, 'retryable'],
] as const)('W7 W9 the error body of a %i is shown, and the vote is %s', async (status, state) => {
  const response = { ok: false, mensaje: 'Del servidor' };
  answer(status, response);
  expect(await postVote('a', 'key')).toEqual({ response, state });
});

test.each([
  [200, '', 'broken', 'undecided'],
  [200, { ok: true }, 'broken', 'undecided'],
  // Cloud Run's own, if no instance is free.
  [429, HTML, 'busy', 'retryable'],
  [500, HTML, 'broken', 'undecided'],
  [502, HTML, 'broken', 'undecided'],
  [503, HTML, 'busy', 'retryable'],
] as const)('W7 W33 a %i with %j is %s, and %s', async (status, body, reason, state) => {
  answer(status, body);
  expect(await postVote('a', 'key')).toEqual({ response: failure(reason), state });
});

test('W7 a failed connection and a timeout have different messages', async () => {
  breakDown();
  const lost = { response: failure('unreachable'), state: 'retryable' };
  expect(await postVote('a', 'key')).toEqual(lost);
  // Browsers name the error of a timeout differently, so the signal decides.
  vi.spyOn(AbortController.prototype, 'signal', 'get').mockReturnValue(AbortSignal.abort());
  breakDown(new DOMException('late', 'AbortError'));
  const late = { response: failure('late'), state: 'undecided' };
  expect(await postVote('a', 'key')).toEqual(late);
});

test.each([
  ['with its token', async () => 'token', 'token'],
  ['without one if there is none', async () => undefined, undefined],
  ['without one if it fails', () => Promise.reject(new Error('blocked')), undefined],
  ['without one if it takes too long', () => new Promise<never>(() => {}), undefined],
])('F11 a vote is sent %s', async (_how, getToken, token) => {
  vi.useFakeTimers();
  const fetchStub = answer(200, COUNTED);
  void postVote('a', 'key', undefined, getToken);
  await vi.advanceTimersByTimeAsync(5_000);
  const { headers } = fetchStub.mock.calls[0]?.[1] ?? {};
  expect(new Headers(headers).get('X-Firebase-AppCheck')).toBe(token ?? null);
});

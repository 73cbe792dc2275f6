import type { DeskReport, DeskResponse } from '@goty/shared/desk-protocol';
import { deskTexts } from '@goty/shared/desk-texts';
import { totalVotes } from '@goty/shared/game';
import { apiTexts } from '@goty/shared/texts';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { useSelected } from '../base/react.ts';
import { takeCode } from '../base/take-code.ts';
import { createVoteFeed, type DeskFeed } from '../live/vote-feed.ts';
import { Desk } from './desk.tsx';

/** Vitest's. */
declare const jsdom: { reconfigure(settings: { readonly url: string }): void };

const CODE = 'abcdefghijklmnopqrstuv';
const KEY = 'mesa';

interface Sent {
  readonly path: string;
  readonly body: unknown;
  readonly key: string;
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  return () => vi.useRealTimers();
});

/** The desk as inicio shows it. */
function Inicio({ feed }: { readonly feed: DeskFeed }) {
  const standings = useSelected(feed.known, (now) => now.standings);
  return standings && <Desk {...feed} />;
}

/** What a server may be told to say. */
interface Told extends DeskReport {
  readonly changes: number;
  /** What everybody is shown; by default, what the desk is. */
  readonly shown?: DeskReport['games'];
}

/** What it answers now. */
function respond({ changes, shown, ...report }: Told): DeskResponse {
  const now = Date.now();
  const { opensAt, closesAt, frozenAt } = report.times;
  const standings = shown ?? report.games;
  const status = {
    now,
    changes,
    opensAt,
    closesAt,
    frozenAt,
    nominees: '',
    voteId: 'v',
    onePerVisitor: false,
  };
  return { ...report, now, publicAnswer: { ...status, standings, tally: totalVotes(standings) } };
}

type Answer = (path: string) => Response | undefined;

/** A page that came with a link, and whose server answers with this state, or as the test says. */
async function openPage(given: Partial<Told> = {}, answer: Answer = () => undefined) {
  const sent: Sent[] = [];
  /** When the page has asked as everybody does. */
  const polls: number[] = [];
  const server = {
    answer,
    state: {
      now: Date.now(),
      changes: 5,
      times: { opensAt: undefined, closesAt: Date.now() + 3_600_000 },
      timesRevision: 'seen',
      games: [
        { id: 'a', name: 'Uno', votos: 3 },
        { id: 'b', name: 'Dos', votos: 5 },
      ],
      browsers: [{ id: 'mine', since: Date.now(), isThis: true }],
      voided: 0,
      faults: 0,
      isHealthy: true,
      noticeMs: 15_000,
      acts: [],
      ...given,
    } satisfies Told,
  };
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string, init: RequestInit) => {
      const path = url.replace(/^.*\/api/, '');
      const headers = new Headers(init.headers);
      const key = headers.get('Authorization')?.replace('Bearer ', '') ?? '';
      if (path === '/standings') {
        polls.push(performance.now());
        return Response.json(respond(server.state).publicAnswer);
      }
      sent.push({ path, body: init.body ? JSON.parse(String(init.body)) : undefined, key });
      return server.answer(path) ?? Response.json(respond(server.state));
    }),
  );
  sessionStorage.setItem(KEY, CODE);
  const { connect, deskFeed: feed } = createVoteFeed();
  onTestFinished(connect());
  await pass(0);
  return { ...render(<Inicio feed={feed} />), feed, polls, sent, server };
}

async function openDesk(...given: Parameters<typeof openPage>) {
  const page = await openPage(...given);
  await press(deskTexts.open);
  await pass(0);
  return page;
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const refusal = (status: number, mensaje: string) =>
  Response.json({ ok: false, mensaje }, { status });
const button = (name: string) =>
  screen.getByRole('button', { name: (all) => all.split(':')[0] === name });

async function press(name: string) {
  await act(async () => button(name).click());
}

test('D1 the code is taken off the address at once, and other fragments are left', () => {
  window.history.replaceState(null, '', '/inicio#tu-voto');
  takeCode(() => false);
  expect(sessionStorage.getItem(KEY)).toBeNull();
  expect(window.location.hash).toBe('#tu-voto');
  // As it is, or with what others have made of it.
  for (const link of [`=${CODE}`, `=${CODE}&utm_source=qr`, `=${CODE}?a=b`, `=${CODE}.`]) {
    sessionStorage.clear();
    window.history.replaceState(null, '', `/inicio?a#mesa${link}`);
    takeCode(() => false);
    expect([link, sessionStorage.getItem(KEY)]).toEqual([link, CODE]);
    expect(window.location.href).not.toContain(CODE);
  }
});

test('D1 the browser makes a key of 256 bits, and sends it again until it is answered', async () => {
  const { sent } = await openDesk();
  const [first] = sent;
  expect(first).toMatchObject({ path: '/desk/pair', body: { code: CODE } });
  expect(first?.key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(localStorage.getItem(KEY)).toBe(first?.key);
  await pass(3_000);
  expect(sent[1]).toMatchObject({ path: '/desk', key: first?.key });
});

test('D1 a lost answer is asked for again with the same key and code', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  let isLost = true;
  const { sent } = await openDesk({}, () => {
    if (isLost) throw new TypeError('the connection is lost');
    return undefined;
  });
  screen.getByText(deskTexts.lost);
  await pass(3_000);
  isLost = false;
  await pass(9_000);
  const [first] = sent;
  expect(sent).toEqual([first, first, first, { ...first, path: '/desk', body: undefined }]);
  expect(first?.path).toBe('/desk/pair');
});

test('D1 a browser that has a key keeps it when it opens another link, and forgets one that has ended', async () => {
  localStorage.setItem(KEY, 'mine');
  const { sent, server } = await openDesk();
  expect(sent[0]?.key).toBe('mine');
  server.answer = () => refusal(401, deskTexts.ended);
  await pass(3_000);
  screen.getByText(deskTexts.ended);
  expect(localStorage.getItem(KEY)).toBeNull();
  const asked = sent.length;
  await pass(30_000);
  expect(sent).toHaveLength(asked);
});

test('D1 looking at a link uses nothing up, and a browser that keeps nothing leaves it to another', async () => {
  const { unmount, sent, feed } = await openPage();
  await pass(30_000);
  screen.getByText(deskTexts.invited);
  unmount();
  const blocked = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'SecurityError');
  });
  onTestFinished(() => blocked.mockRestore());
  render(<Inicio feed={feed} />);
  await pass(30_000);
  screen.getByText(deskTexts.unkept);
  expect(screen.queryByRole('button')).toBeNull();
  expect(sent).toEqual([]);
  window.history.replaceState(null, '', `/inicio#mesa=${CODE}`);
  takeCode(() => false);
  expect(window.location.hash).toBe(`#mesa=${CODE}`);
});

test('D1 of two tabs with the same link at once, whichever was not let in goes on with the key of the other', async () => {
  let isFirst = true;
  const { sent } = await openDesk({}, () => {
    if (!isFirst) return undefined;
    isFirst = false;
    // The other tab was let in meanwhile.
    localStorage.setItem(KEY, 'of the other tab');
    return refusal(401, deskTexts.oldLink);
  });
  await pass(3_000);
  expect(sent.at(-1)).toMatchObject({ path: '/desk', key: 'of the other tab' });
  screen.getByText(deskTexts.healthy);
  cleanup();
  localStorage.clear();
  const other = await openDesk({}, () => {
    localStorage.setItem(KEY, 'of the other tab');
    return undefined;
  });
  expect(localStorage.getItem(KEY)).toBe(other.sent[0]?.key);
});

const html = (status: number) => new Response('<html>Wi-Fi</html>', { status });

test.each([200, 401, 403, 502, 511])(
  'D2 an answer %i of a gateway says nothing of the key',
  async (status) => {
    const { sent, server } = await openDesk();
    server.answer = () => html(status);
    await pass(6_000);
    screen.getByText(deskTexts.lost);
    server.answer = () => Response.json({ error: 'log in' }, { status });
    await pass(6_000);
    screen.getByText(deskTexts.lost);
    server.answer = () => undefined;
    await pass(3_000);
    screen.getByText(deskTexts.healthy);
    expect(localStorage.getItem(KEY)).toBe(sent[0]?.key);
  },
);

test('D3 where it is not safe, the desk says so, and sends neither code nor key', async () => {
  jsdom.reconfigure({ url: 'http://192.0.2.7/inicio' });
  onTestFinished(() => jsdom.reconfigure({ url: 'http://localhost:3000/inicio' }));
  const { sent } = await openDesk();
  await pass(30_000);
  screen.getByText(deskTexts.elsewhere);
  expect(sent).toEqual([]);
});

test('D8 nothing is done by one press, nor by a double click, and the second press says what was seen', async () => {
  const { sent } = await openDesk();
  sent.length = 0;
  await press(deskTexts.close);
  const group = screen.getByRole('group', { name: deskTexts.close });
  within(group).getByText(deskTexts.closeSure(15_000));
  expect(document.activeElement).toBe(group);
  await press(deskTexts.close);
  expect(sent).toEqual([]);
  await press(deskTexts.no);
  expect(screen.queryByRole('group', { name: deskTexts.close })).toBeNull();
  await press(deskTexts.close);
  await pass(750);
  await press(deskTexts.close);
  expect(sent).toMatchObject([{ path: '/desk', body: { timesRevision: 'seen', closesAt: 'now' } }]);
});

test('D6 what the second press does is what was seen at the first', async () => {
  const { sent, server } = await openDesk();
  const { closesAt = 0 } = server.state.times;
  await press(deskTexts.later);
  const group = screen.getByRole('group', { name: deskTexts.later });
  const said = group.querySelector('p')?.textContent;
  Object.assign(server.state, { timesRevision: 'next', times: { closesAt: closesAt + 300_000 } });
  await pass(3_000);
  expect(group.querySelector('p')?.textContent).toBe(said);
  sent.length = 0;
  await press(deskTexts.later);
  expect(sent[0]?.body).toEqual({ timesRevision: 'seen', closesAt: closesAt + 300_000 });
});

test.each([
  ['is not known', () => html(502), deskTexts.perhapsDone],
  ['is not known', () => refusal(503, apiTexts.unavailable), deskTexts.perhapsDone],
  ['is known', () => refusal(400, apiTexts.badBody), deskTexts.notDone(apiTexts.badBody)],
])(
  'D8 whether a press that failed was done %s, which is said at its button',
  async (_what, answer, said) => {
    const { server } = await openDesk();
    server.answer = answer;
    await press(deskTexts.later);
    await pass(600);
    await press(deskTexts.later);
    const alerts = screen.getAllByRole('alert').map(({ textContent }) => textContent);
    expect(alerts).toEqual([said]);
    expect(screen.getByText(said).previousElementSibling).toBe(button(deskTexts.later));
    await press(deskTexts.hide);
    expect(screen.queryByRole('alert')).toBeNull();
  },
);

test('D6 an act has as much patience as the server', async () => {
  const { server } = await openDesk();
  vi.stubGlobal('fetch', (_path: string, { signal }: RequestInit) => {
    const { promise, reject, resolve } = Promise.withResolvers<Response>();
    signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    setTimeout(() => resolve(Response.json(respond(server.state))), 49_000);
    return promise;
  });
  await press(deskTexts.hide);
  await pass(600);
  await press(deskTexts.hide);
  await pass(49_000);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(
    screen.getByRole('region').ariaBusy ?? screen.getByRole('region').getAttribute('aria-busy'),
  ).toBe('false');
});

test('D6 what was asked before an act was answered is not heard after it', async () => {
  const { sent, server } = await openDesk();
  const answers: ((response: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => answers.push(resolve)));
  sent.length = 0;
  await pass(3_000);
  await press(deskTexts.hide);
  await pass(600);
  await press(deskTexts.hide);
  expect(answers).toHaveLength(2);
  const tell = (index: number, change: Partial<DeskReport>) =>
    act(async () => answers[index]?.(Response.json(respond({ ...server.state, ...change }))));
  await tell(1, { voided: 7 });
  await tell(0, { voided: 5 });
  screen.getByText(deskTexts.voided('7'));
  // The page asks on.
  await pass(3_000);
  await tell(2, { voided: 9 });
  screen.getByText(deskTexts.voided('9'));
});

test('D7 O21 the desk says how many codes have voted, those of voided votes included', async () => {
  const games = [{ id: 'a', name: 'Uno', votos: 310 }];
  await openDesk({ codesMade: 500, games, voided: 2 });
  screen.getByText(deskTexts.codes('312', '500'));
});

test('D7 of several instances, one that knows less is not believed', async () => {
  const now = Date.now();
  const times = { opensAt: undefined, closesAt: now + 600_000, frozenAt: now - 60_000 };
  const { server } = await openDesk({ times });
  Object.assign(server.state, { changes: 4, voided: 9 });
  await pass(3_000);
  expect(screen.queryByText(deskTexts.voided('9'))).toBeNull();
  const games = [{ id: 'a', name: 'Uno', votos: 1 }];
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  Object.assign(server.state, { changes: 5, games });
  await pass(3_000);
  screen.getByText(deskTexts.voided('9'));
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  // As after a back-up was restored.
  Object.assign(server.state, { changes: 1, voided: 3 });
  await pass(12_000);
  screen.getByText(deskTexts.voided('3'));
});

test('D2 a browser that has forgotten the desk shows it no more, whatever is still on its way', async () => {
  const { sent, server } = await openDesk();
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => promise);
  await pass(3_000);
  await press(deskTexts.forget);
  await pass(600);
  await press(deskTexts.forget);
  await act(async () => resolve(Response.json(respond(server.state))));
  expect(screen.queryByRole('region')).toBeNull();
  expect(localStorage.getItem(KEY)).toBeNull();
  expect(sent).toHaveLength(1);
});

test('D8 what is not possible is not offered, and a close of the desk can be cancelled', async () => {
  const { server } = await openDesk();
  const names = () => screen.getAllByRole('button').map(({ textContent }) => textContent);
  const always = [deskTexts.traffic, deskTexts.invite, deskTexts.forget];
  expect(names()).toEqual([deskTexts.close, deskTexts.later, deskTexts.hide, ...always]);
  const set = async (change: Partial<Told>) => {
    Object.assign(server.state, change);
    await pass(3_000);
    return names();
  };
  const now = Date.now();
  const never = { opensAt: undefined, closesAt: undefined };
  expect(await set({ times: never })).toEqual([deskTexts.close, deskTexts.hide, ...always]);
  // Too late for all pages to count down.
  const last = { ...never, closesAt: now + 13_000 };
  expect(await set({ times: last })).toEqual([deskTexts.later, deskTexts.hide, ...always]);
  screen.getByText(deskTexts.closingInSight);
  await set({ times: { ...last, frozenAt: now } });
  screen.getByText(deskTexts.closing);
  const frozen = { ...never, frozenAt: now };
  expect(await set({ times: frozen })).toEqual([deskTexts.close, ...always]);
  screen.getByText(deskTexts.onlyYou);
  const closing = { ...frozen, closesAt: now + 20_000 };
  expect(await set({ times: closing, cancel: { closesAt: 'never' } })).toEqual([
    ...[deskTexts.cancel, ...always],
  ]);
  screen.getByText(/^Termina en 0:\d\d$/);
  expect(await set({ times: { ...frozen, closesAt: now }, cancel: undefined })).toEqual([
    ...[deskTexts.reveal, deskTexts.reopen, ...always],
  ]);
  expect(await set({ times: { ...never, closesAt: now } })).toEqual(always);
  const before = { opensAt: now + 3_600_000, closesAt: undefined };
  expect(await set({ times: before })).toEqual([deskTexts.startLater, ...always]);
  screen.getByText(/^La votación empezará hoy|^La votación empezará mañana/);
  for (const short of [{ closesAt: now + 3_900_000 }, { frozenAt: now + 3_900_000 }])
    expect(await set({ times: { ...before, ...short } })).toEqual(always);
  const hiddenFromStart = { ...before, frozenAt: now + 3_600_000 };
  expect(await set({ times: hiddenFromStart })).toEqual([deskTexts.startLater, ...always]);
});

test('D12 an opening to come moves by five minutes, and a held vote opens again', async () => {
  const now = Date.now();
  const opensAt = now + 60_000;
  const { sent, server } = await openDesk({ times: { opensAt, closesAt: undefined } });
  const pressTwice = async (name: string, sure: string | RegExp) => {
    await press(name);
    screen.getByText(sure, { selector: 'fieldset p' });
    await pass(600);
    sent.length = 0;
    await press(name);
    return sent[0]?.body;
  };
  expect(await pressTwice(deskTexts.startLater, /^La votación empezará/)).toEqual({
    timesRevision: 'seen',
    opensAt: opensAt + 300_000,
  });
  Object.assign(server.state, { times: { closesAt: now, frozenAt: now - 5 } });
  await pass(3_000);
  expect(await pressTwice(deskTexts.reopen, deskTexts.reopenSure)).toEqual({
    timesRevision: 'seen',
    opensAt: 'now',
  });
});

const other = (since: number) => ({ id: `other-${since}`, since, isThis: false });

test('D11 the desk lists the browsers that may use it, and ends another one', async () => {
  const { sent, server } = await openDesk();
  server.state.browsers = [other(Date.now() - 60_000), ...server.state.browsers];
  await pass(3_000);
  screen.getByText(deskTexts.browsers('2')).click();
  expect(screen.getAllByText(/^Entró hoy|^Entró ayer/)).toHaveLength(2);
  screen.getByText(/ · este navegador$/);
  await press(deskTexts.revoke);
  screen.getByText(deskTexts.revokeSure);
  await pass(600);
  const { id } = server.state.browsers[0] ?? {};
  sent.length = 0;
  await press(deskTexts.revoke);
  expect(sent).toMatchObject([{ path: '/desk/browsers', body: { browser: id } }]);
  // Whoever forgets the desk is no longer on the list of the others.
  await press(deskTexts.forget);
  await pass(600);
  sent.length = 0;
  const key = localStorage.getItem(KEY);
  await press(deskTexts.forget);
  expect(sent).toEqual([{ path: '/desk/browsers', body: { browser: 'mine' }, key }]);
  expect(localStorage.getItem(KEY)).toBeNull();
});

test('D11 the page makes the code of an invitation, and shows it until it is used or its time is over', async () => {
  const { sent, server } = await openDesk();
  const invite = async () => {
    await press(deskTexts.invite);
    await pass(600);
    sent.length = 0;
    await press(deskTexts.invite);
    return sent[0];
  };
  server.answer = (path) => (path === '/desk/browsers' ? html(502) : undefined);
  await invite();
  expect(screen.getByRole('alert').textContent).toBe(deskTexts.perhapsDone);
  expect(screen.queryByText(/#mesa=/)).toBeNull();
  server.answer = () => undefined;
  const first = await invite();
  expect(first).toMatchObject({
    path: '/desk/browsers',
    body: { code: expect.stringMatching(/^[\w-]{22}$/) },
  });
  const { code } = Object(first?.body);
  screen.getByText(`https://goty.example/inicio#mesa=${code}`);
  screen.getByRole('img', { name: deskTexts.qrCode });
  await pass(15 * 60_000 + 3_000);
  expect(screen.queryByText(/#mesa=/)).toBeNull();
  expect((await invite())?.body).not.toEqual(first?.body);
  screen.getByRole('img');
  // It was used.
  server.state.browsers = [other(Date.now() + 1), ...server.state.browsers];
  await pass(3_000);
  expect(screen.queryByText(/#mesa=/)).toBeNull();
  // Where only this machine can open it, there is nothing to scan.
  const canonical = document.querySelector('link[rel="canonical"]');
  const shared = canonical?.getAttribute('href') ?? '';
  onTestFinished(() => canonical?.setAttribute('href', shared));
  canonical?.setAttribute('href', 'http://192.0.2.7/inicio');
  await invite();
  screen.getByText(/^http:\/\/localhost:3000\/inicio#mesa=/);
  screen.getByText(/ de este mismo equipo, una vez/);
  expect(screen.queryByRole('img')).toBeNull();
});

test('D13 the votes of the last minute are told once the page has seen all votes of a minute ago', async () => {
  const { server } = await openDesk();
  const shown = () =>
    screen
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent?.replaceAll('\u00a0', ' '));
  const give = (votes: number, moved = 0) => {
    server.state.games = [
      { id: 'a', name: 'Uno', votos: 3 + votes - moved },
      { id: 'b', name: 'Dos', votos: 5 + moved },
    ];
  };
  await pass(54_000);
  give(12, 2);
  expect(screen.queryByText(/último minuto/)).toBeNull();
  await pass(6_000);
  screen.getByText(deskTexts.lastMinute('12'));
  expect(shown()).toEqual(['Uno 13 +10 65 %', 'Dos 7 +2 35 %']);
  give(12, 9);
  await pass(3_000);
  expect(shown()).toEqual(['Dos 14 +9 70 %', 'Uno 6 +3 30 %']);
  // Nobody has voted for a minute.
  await pass(66_000);
  screen.getByText(deskTexts.lastMinute('0'));
  // What an act has changed are no votes of this minute.
  const act = { id: '1', at: 5, by: 'desk', what: 'void', votes: 6 } as const;
  Object.assign(server.state, { acts: [act] });
  give(6);
  await pass(3_000);
  expect(screen.queryByText(/último minuto/)).toBeNull();
  await pass(60_000);
  screen.getByText(deskTexts.lastMinute('0'));
});

test('D8 under a countdown that can be cancelled it is said what follows, not that there is no close', async () => {
  const times = { opensAt: undefined, closesAt: Date.now() + 10_000 };
  await openDesk({ times, cancel: { closesAt: 'never' } });
  await press(deskTexts.cancel);
  screen.getByText('La votación se quedará sin hora de cierre.');
});

test('D13 hidden votes of the last minute are told as others, and none while voting is not open', async () => {
  const start = Date.now();
  const times = { opensAt: undefined, closesAt: undefined, frozenAt: start - 60_000 };
  const { server } = await openDesk({ times });
  await pass(54_000);
  server.state.games = server.state.games.map((game) => ({ ...game, votos: game.votos + 5 }));
  await pass(6_000);
  screen.getByText(deskTexts.lastMinute('10'));
  for (const wait of [{ opensAt: Date.now() + 600_000 }, { closesAt: Date.now() }]) {
    Object.assign(server.state, { times: { ...times, ...wait } });
    await pass(3_000);
    expect(screen.queryByText(/último minuto/)).toBeNull();
  }
});

test('D8 the result is recounted before it is shown, and what is wrong is said', async () => {
  const now = Date.now();
  const times = { opensAt: undefined, closesAt: now, frozenAt: now };
  const { sent, server } = await openDesk({ times });
  sent.length = 0;
  server.state.faults = 1;
  await press(deskTexts.reveal);
  expect(sent[0]?.path).toBe('/desk?recount');
  // The next answer does not say so, as it was not asked for.
  server.state.faults = undefined;
  await pass(3_000);
  screen.getByText(deskTexts.revealSure('8 votos', 1));
  await press(deskTexts.reveal);
  expect(sent.findLast(({ body }) => body)?.body).toMatchObject({ recount: true });
  server.answer = () => refusal(503, apiTexts.unavailable);
  await press(deskTexts.reveal);
  expect(screen.getByRole('alert').textContent).toBe(apiTexts.unavailable);
  expect(screen.queryByRole('group', { name: deskTexts.reveal })).toBeNull();
});

test('D6 after 409 the desk says so until the next act, and shows what is true within 3 s', async () => {
  const { sent, server } = await openDesk();
  server.answer = () => refusal(409, deskTexts.changed);
  await press(deskTexts.hide);
  await pass(600);
  await press(deskTexts.hide);
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toBe(deskTexts.notDone(deskTexts.changed));
  expect(alert.previousElementSibling).toBe(button(deskTexts.hide));
  server.answer = () => undefined;
  server.state.timesRevision = 'next';
  await pass(3_000);
  screen.getByRole('alert');
  sent.length = 0;
  await press(deskTexts.hide);
  await pass(600);
  await press(deskTexts.hide);
  expect(sent[0]?.body).toMatchObject({ timesRevision: 'next' });
  expect(screen.queryByRole('alert')).toBeNull();
});

test('D9 what was done is told, and what was voided can be counted again once', async () => {
  const now = Date.now();
  const range = { from: now - 120_000, to: now - 60_000 };
  const voided = { by: 'desk', votes: 7, games: ['a'], ranges: [range] } as const;
  const { sent } = await openDesk({
    browsers: [],
    voided: 7,
    acts: [
      { id: '5', at: now - 5, what: 'void', ...voided, left: 5 },
      { id: '4', at: now - 6, what: 'undo', undoes: '3', ...voided },
      { id: '3', at: now - 7, what: 'void', ...voided },
      { id: '2', at: now - 8, what: 'void', ...voided, games: ['a', 'b'] },
      { id: '1', at: now - 9, what: 'times', by: 'command', before: { closesAt: 5 }, after: {} },
    ],
  });
  const items = [...document.querySelectorAll('details > div')];
  expect(items.map(({ textContent }) => textContent?.replace(/^.*\d\d:\d\d/, ''))).toEqual([
    `${deskTexts.did.void}: 7 votos, Uno, en la mesa${deskTexts.undo}`,
    `${deskTexts.did.undo}: 7 votos, Uno, en la mesa`,
    `${deskTexts.did.void}: 7 votos, Uno, en la mesa`,
    `${deskTexts.did.void}: 7 votos, Uno, Dos, en la mesa`,
    `${deskTexts.did.times}: cierre sin hora, ${deskTexts.by.command}`,
  ]);
  screen.getByText(deskTexts.acts).click();
  await press(deskTexts.undo);
  // The rest has been counted again meanwhile, or is gone.
  const seen = deskTexts.inSight('Uno', false);
  screen.getByText(`${deskTexts.undoSure('5 votos')} ${seen}`);
  await pass(600);
  sent.length = 0;
  await press(deskTexts.undo);
  expect(sent[0]).toMatchObject({ path: '/desk/void', body: { undoes: '5' } });
});

const anomaly = { game: 'b', from: 5, to: 6, votos: 4, expected: 1 };
const genuine = deskTexts.genuine('4 votos', '1');

test.each<[what: string, times: DeskReport['times'], said: string]>([
  ['while the vote is open', {}, deskTexts.inSight('Uno', false)],
  ['once the result is shown', { closesAt: 9 }, deskTexts.inSight('Uno', true)],
  ['if they are older than what is hidden', { frozenAt: 9 }, deskTexts.inSight(undefined, false)],
  ['unless they are hidden', { frozenAt: 5 }, ''],
])('D9 what everybody will see of voided votes is said before: %s', async (_what, times, said) => {
  const { server } = await openDesk({ times });
  server.answer = (path) => (path.includes('traffic') ? Response.json([anomaly]) : undefined);
  await press(deskTexts.traffic);
  await press(deskTexts.void);
  screen.getByText(`${deskTexts.voidSure(genuine)} ${said}`.trim());
});

test('D9 what has been voided here, or at another desk, attracts no attention until it counts again', async () => {
  const { server } = await openDesk();
  const voided = { id: '1', by: 'desk', what: 'void', games: ['b'] } as const;
  const now = Date.now();
  const ranges = [{ from: 5, to: 6 }];
  server.answer = (path) => (path.includes('traffic') ? Response.json([anomaly]) : undefined);
  await press(deskTexts.traffic);
  screen.getByText(/^Visto hoy a las? \d\d:\d\d: esto llama la atención\.$/);
  const other = { ...voided, id: '0', at: now, left: 4, ranges: [{ from: 6, to: 7 }] };
  server.state.acts = [{ ...voided, at: now - 1, left: 4, ranges }, other];
  await pass(3_000);
  screen.getByText(genuine);
  server.state.acts = [{ ...voided, at: now + 1, left: 4, ranges }, other];
  await pass(3_000);
  expect(screen.queryByText(genuine)).toBeNull();
  server.state.acts = [{ ...voided, at: now + 1, ranges }, other];
  await pass(3_000);
  await press(deskTexts.void);
  await pass(600);
  server.state.acts = [{ ...voided, id: '2', at: now + 9, left: 4, ranges }, other];
  await press(deskTexts.void);
  expect(screen.queryByText(genuine)).toBeNull();
  for (const text of [/llama la atención\.$/, deskTexts.guess]) {
    expect(screen.queryByText(text)).toBeNull();
  }
  server.answer = (path) => (path.includes('traffic') ? html(502) : undefined);
  await press(deskTexts.traffic);
  expect(screen.getByRole('alert').textContent).toBe(deskTexts.lost);
});

test('D10 the desk is asked for in place of the standings, every 3 s, and not while the page is hidden', async () => {
  const { sent, polls, unmount } = await openDesk();
  sent.length = 0;
  polls.length = 0;
  await pass(30_000);
  expect(sent).toHaveLength(10);
  expect(polls).toEqual([]);
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await pass(30_000);
  expect(sent).toHaveLength(10);
  visibility.mockReturnValue('visible');
  await act(async () => document.dispatchEvent(new Event('visibilitychange')));
  expect(sent).toHaveLength(11);
  unmount();
  await pass(30_000);
  expect(sent).toHaveLength(11);
  expect(polls).toHaveLength(11);
});

test.each([
  ['ended', 401, deskTexts.ended],
  ['refused', 403, deskTexts.elsewhere],
  ['refused for a minute', 429, deskTexts.tooMany],
  ['without an answer of the store', 503, apiTexts.unavailable],
])(
  'D2 D3 D4 a desk that is %s (%i) says why, and the page asks as everybody at once',
  async (_what, status, why) => {
    const { feed, server } = await openDesk();
    server.answer = () => refusal(status, why);
    server.state.games = [{ id: 'a', name: 'Uno', votos: 9 }];
    await pass(3_000);
    screen.getByText(why);
    expect(feed.known.get().standings).toEqual(server.state.games);
    expect(feed.known.get().connection).toBe('live');
    expect(localStorage.getItem(KEY) === null).toBe(status === 401);
  },
);

test('D1 D10 a desk that can store nothing any more says so, and goes on asking', async () => {
  const { feed, sent } = await openPage();
  const blocked = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  onTestFinished(() => blocked.mockRestore());
  await press(deskTexts.open);
  await pass(0);
  expect(feed.known.get().desk?.refusal?.why).toBe(deskTexts.unkept);
  blocked.mockRestore();
  await pass(3_000);
  expect(sent.length).toBeGreaterThan(0);
});

test('D2 a press that finds the desk ended says so at once', async () => {
  const { server } = await openDesk();
  server.answer = () => refusal(401, deskTexts.ended);
  await press(deskTexts.hide);
  await pass(600);
  await press(deskTexts.hide);
  screen.getByText(deskTexts.ended);
  expect(screen.queryByRole('region')).toBeNull();
});

test('D2 a browser that has forgotten the desk has none when it comes back to inicio, nor one whose other tab has', async () => {
  const { feed, sent, unmount } = await openDesk();
  localStorage.removeItem(KEY);
  sent.length = 0;
  await pass(3_000);
  screen.getByText(deskTexts.ended);
  unmount();
  render(<Inicio feed={feed} />);
  await pass(30_000);
  expect(document.body.textContent).toBe('');
  expect(sent).toEqual([]);
});

test('D7 V10 W127 while votes are hidden, the desk tells them and the page does not, and else both tell the same', async () => {
  const frozenAt = Date.now() + 4_500;
  const { feed, server } = await openDesk({ times: { frozenAt } });
  const shown = server.state.games;
  const rows = () =>
    screen.getAllByRole('listitem').map(({ textContent }) => textContent?.match(/^\S+ \d+/)?.[0]);
  // As from an instance that knows of fewer votes.
  server.state.games = [{ id: 'a', name: 'Uno', votos: 1 }];
  for (let time = 0; time < 2; time += 1) {
    await pass(3_000 - 1_000 * time);
    expect(feed.known.get().standings).toEqual(shown);
    expect(rows()).toEqual(['Dos 5', 'Uno 3']);
  }
  const games = [{ id: 'a', name: 'Uno', votos: 7 }];
  Object.assign(server.state, { games, shown });
  await pass(1_000);
  expect(rows()).toEqual(['Uno 7']);
  expect(feed.known.get().standings).toEqual(shown);
  Object.assign(server.state, { changes: 6, shown: undefined, times: {} });
  await pass(3_000);
  expect(feed.known.get().standings).toEqual(games);
  expect(rows()).toEqual(['Uno 7']);
});

test('D7 the desk has the clock and the phase of the page, also where only the page has heard of newer times', async () => {
  const now = Date.now();
  const { feed, server } = await openDesk({ times: { closesAt: now + 60_000 } });
  Object.assign(server.state, { changes: 6, times: { closesAt: now + 30_000 } });
  server.answer = () => refusal(503, apiTexts.unavailable);
  await pass(29_999);
  screen.getByRole('heading', { name: deskTexts.phases.open });
  expect(feed.known.get().status.phase).toBe('open');
  await pass(1);
  screen.getByRole('heading', { name: deskTexts.phases.closed });
  expect(feed.known.get().status.phase).toBe('counting');
});

test('D7 an answer that was long on its way does not put the clock back', async () => {
  const { server } = await openDesk();
  const clock = () => screen.getByText(/^Termina en/).textContent;
  await pass(600_000);
  expect(clock()).toBe(deskTexts.closesIn('50:00'));
  const written = JSON.stringify({ ...server.state, now: Date.now() - 5_000 });
  server.answer = () => new Response(written, { headers: { 'Content-Type': 'application/json' } });
  await pass(3_000);
  expect(clock()).toBe(deskTexts.closesIn('49:57'));
});

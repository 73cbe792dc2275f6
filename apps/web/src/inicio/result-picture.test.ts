import { shareButtonTexts } from '@goty/shared/result-texts';
import { buildNominee } from '@goty/shared/testing/nominee';
import { REHEARSAL } from '@goty/shared/texts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { viewGames } from '../results/game-view.ts';
import { headlineAt } from '../results/headline.ts';
import { drawResult, savePicture } from './result-picture.ts';

const CLOSES_AT = new Date(2026, 11, 31, 12).getTime();
const LONG =
  'Nancy Drew y el misterio de la mansión embrujada de los espejos rotos en la noche más larga del invierno de 2026';

/** Draws the result of these votes by name, and tells what was written and which covers were drawn. */
async function draw(votes: Readonly<Record<string, number>>, covers = true, pixel = [14, 10, 31]) {
  const written: { readonly text: string; readonly size: number; readonly direction: string }[] =
    [];
  const drawn: (string | null)[] = [];
  const sizeOf = (font: string) => Number(/([\d.]+)px/.exec(font)?.[1]);
  const pen = {
    font: '',
    direction: '',
    fillRect() {},
    getImageData: () => ({
      data: Array(8)
        .fill([...pixel, 255])
        .flat(),
    }),
    measureText: (text: string) => ({ width: (text.length * sizeOf(pen.font)) / 2 }),
    drawImage: (image: HTMLImageElement) => drawn.push(image.getAttribute('src')),
    fillText: (text: string) =>
      written.push({
        text: text.replaceAll('\u00a0', ' '),
        size: sizeOf(pen.font),
        direction: pen.direction,
      }),
  };
  vi.spyOn(HTMLImageElement.prototype, 'width', 'get').mockReturnValue(covers ? 160 : 0);
  vi.spyOn(HTMLImageElement.prototype, 'height', 'get').mockReturnValue(90);
  if (!covers) vi.spyOn(HTMLImageElement.prototype, 'decode').mockRejectedValue(new Error('CORS'));
  Object.assign(HTMLCanvasElement.prototype, {
    getContext: () => pen,
    toBlob(this: HTMLCanvasElement, done: BlobCallback) {
      expect([this.width, this.height]).toEqual([1_200, 630]);
      done(new Blob());
    },
  });
  const standings = Object.entries(votes).map(([name, votos], at) => ({
    id: `g${at}`,
    name,
    votos,
  }));
  const games = viewGames(
    standings,
    standings.map(({ id }) => buildNominee({ id })),
  );
  const status = { phase: 'closed', opensAt: 1, closesAt: CLOSES_AT } as const;
  const picture = await drawResult(headlineAt(standings, status), games, CLOSES_AT);
  return { texts: written.map(({ text }) => text), written, drawn, picture };
}

test('W151 the picture has the winner with its cover, the first three with votes and share, all votes, date and address', async () => {
  const { texts, drawn } = await draw({ Gris: 100, 'Hades II': 1_187, Otro: 50, Último: 1 });
  expect(texts).toEqual([
    'GOTY',
    'EL JUEGO DEL AÑO',
    'Hades II',
    '1.º',
    'Hades II',
    '1.187 votos · 89 %',
    '2.º',
    'Gris',
    '100 votos · 7 %',
    '3.º',
    'Otro',
    '50 votos · 4 %',
    'Total: 1.338 votos · 31 de diciembre de 2026',
    'goty.example/inicio',
  ]);
  expect(drawn).toEqual(['/covers/g1.svg']);
});

test('W151 without a cover that the browser may read, the winner has its initials', async () => {
  const { texts, drawn } = await draw({ 'Hades II': 3 }, false);
  expect([texts[0], drawn]).toEqual(['HI', []]);
});

test('W151 a cover that was cached without an origin is asked for once more, past the cache', async () => {
  const decode = vi.spyOn(HTMLImageElement.prototype, 'decode');
  decode.mockRejectedValueOnce(new Error('CORS'));
  const { drawn } = await draw({ 'Hades II': 3 });
  const { origin } = window.location;
  expect(drawn).toEqual([`${origin}/covers/g0.svg?origin=${encodeURIComponent(origin)}`]);
});

test('W151 there is no picture where the browser hands out something else than what is drawn', async () => {
  expect((await draw({ a: 1 })).picture).toBeInstanceOf(Blob);
  // A browser that changes colours a little hides nothing by that.
  expect((await draw({ a: 1 }, true, [16, 9, 30])).picture).toBeInstanceOf(Blob);
  for (const pixel of [
    [255, 255, 255],
    [3, 180, 20],
  ]) {
    const { picture, texts } = await draw({ a: 1 }, true, pixel);
    expect([picture, texts]).toEqual([undefined, []]);
  }
});

test('W151 P21 the picture of a rehearsal says so', async () => {
  expect((await draw({ a: 1 })).texts).not.toContain(REHEARSAL);
  document.body.dataset.rehearsal = REHEARSAL;
  onTestFinished(() => Reflect.deleteProperty(document.body.dataset, 'rehearsal') as never);
  expect((await draw({ a: 1 })).texts).toContain(REHEARSAL);
});

test('W151 a name without spaces is large, none of its letters comes apart, and one from right to left ends on the left', async () => {
  const chinese = '黑神话悟空'.repeat(8);
  const astronauts = '👩‍🚀'.repeat(23);
  for (const name of [chinese, astronauts]) {
    const { written, texts } = await draw({ [name]: 1 });
    const parts = written.slice(texts.indexOf('EL JUEGO DEL AÑO') + 1, texts.indexOf('1.º'));
    expect(parts.map(({ text }) => text).join('')).toBe(name);
    expect(parts[0]?.size).toBeGreaterThan(30);
    for (const { text } of parts) expect(text).toMatch(/^(👩‍🚀)+$|^\p{Script=Han}+$/u);
  }
  const arabic = 'لعبة السنة:';
  const { written } = await draw({ [arabic]: 2, 'Hades: لعبة': 1 });
  const directionOf = (wanted: string) =>
    new Set(written.filter(({ text }) => text === wanted).map(({ direction }) => direction));
  expect(directionOf(arabic)).toEqual(new Set(['rtl']));
  expect(directionOf('Hades: لعبة')).toEqual(new Set(['ltr']));
  expect(directionOf('1.º')).toEqual(new Set(['ltr']));
});

test('W151 a press does not wait for a cover that never comes', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockReturnValue(new Promise(() => {}));
  const drawing = draw({ 'Hades II': 3 });
  await vi.advanceTimersByTimeAsync(3_000);
  const { texts, drawn } = await drawing;
  expect([texts[0], drawn]).toEqual(['HI', []]);
});

test.each([5, 40, 114])('W151 the name of a winner with %i letters is whole', async (length) => {
  for (const name of [LONG.padEnd(114, 'a').slice(0, length), 'a'.repeat(length)]) {
    const { texts, written } = await draw({ [name]: 3, b: 2 });
    const lines = written.slice(
      2,
      texts.findIndex((text) => text.startsWith('1.º')),
    );
    const whole = lines.map(({ text }) => text).join('');
    expect(whole.replaceAll(' ', '')).toBe(name.replaceAll(' ', ''));
    expect(Math.min(...lines.map(({ size }) => size))).toBeGreaterThan(30);
    expect(lines.every(({ text, size }) => (text.length * size) / 2 <= 552)).toBe(true);
    expect(texts).toContain('3 votos · 60 %');
  }
});

test.each([
  [2, ['g0', 'g1']],
  [3, ['g0', 'g1', 'g2']],
  [7, []],
])('W151 a tie of %i is told as that, with all of them or none', async (count, covers) => {
  const tied = Array.from({ length: count }, (_, at) => [`Juego ${at}`, 9]);
  const { texts, drawn } = await draw({ ...Object.fromEntries(tied), Último: 1 });
  expect(texts.join(' ')).toContain('La votación ha terminado en empate');
  expect(drawn).toEqual(covers.map((id) => `/covers/${id}.svg`));
  const places = texts.filter((text) => text.startsWith('1.º'));
  expect(places).toEqual(covers.map(() => '1.º'));
  const listed = covers.map((_, at) => texts.indexOf(`Juego ${at}`));
  expect(listed).toEqual(places.map((_, at) => texts.indexOf('1.º') + 1 + 3 * at));
  expect(texts.includes(`Con 9 votos cada uno: ${count} juegos.`)).toBe(count > 3);
});

test('W151 of games that tie behind the winner all are listed or none, and none without votes', async () => {
  const listed = async (...votes: number[]) => {
    const { texts } = await draw(Object.fromEntries(votes.map((votos, at) => [`J${at}`, votos])));
    return texts.filter((text) => text.includes('.º')).length;
  };
  expect([await listed(5, 2, 2), await listed(5, 2, 2, 2), await listed(5, 0)]).toEqual([3, 1, 1]);
});

const failWith = (name: string) => () => Promise.reject(new DOMException('', name));
const READY = {
  message: shareButtonTexts.pictureReady,
  picture: `data:image/png;base64,${btoa('png')}`,
};
const SHARED = { message: '' };

test.each([
  ['that takes files', {}, SHARED, 1],
  ['that is closed', { share: failWith('AbortError') }, SHARED, 1],
  ['that fails', { share: failWith('NotAllowedError') }, READY, 1],
  ['that takes none', { canShare: () => false }, READY, 0],
  ['of a browser without one', { share: undefined, canShare: undefined }, READY, 0],
  ['of a machine with a mouse', { isCoarse: false }, READY, 0],
])(
  'W151 a picture goes alone to a share sheet %s, or is downloaded and shown to be held',
  async (...row) => {
    const [, fakes, told, shared] = row;
    const all = { canShare: vi.fn(() => true), share: async () => {}, isCoarse: true, ...fakes };
    const sheet = all.share && vi.fn(all.share);
    for (const [name, value] of Object.entries({ canShare: all.canShare, share: sheet })) {
      Object.defineProperty(navigator, name, { configurable: true, value });
      onTestFinished(() => void Reflect.deleteProperty(navigator, name));
    }
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      Object.assign(new EventTarget() as MediaQueryList, {
        matches: query === '(pointer: coarse)' && all.isCoarse,
      }),
    );
    const downloads: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      downloads.push(`${this.download} ${this.href}`);
    });
    Object.assign(URL, { createObjectURL: () => 'blob:a' });
    expect(await savePicture(new Blob(['png']))).toEqual(told);
    expect(downloads).toEqual(told === READY ? ['goty.png blob:a'] : []);
    const calls = sheet ? sheet.mock.calls : [];
    expect(calls).toEqual(Array(shared).fill([{ files: [expect.any(File)] }]));
  },
);

test('W151 where the browser guards what pages draw, the visitor is told that, and nothing is saved', async () => {
  expect(await savePicture(undefined)).toEqual({ message: shareButtonTexts.pictureGuarded });
});

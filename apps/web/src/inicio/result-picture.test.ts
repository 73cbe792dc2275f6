import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, onTestFinished, test, vi } from 'vitest';
import { viewGames } from '../results/game-view.ts';
import { headlineAt } from '../results/headline.ts';
import { drawResult } from './result-picture.ts';

const CLOSES_AT = new Date(2026, 11, 31, 12).getTime();
const LONG =
  'Nancy Drew y el misterio de la mansión embrujada de los espejos rotos en la noche más larga del invierno de 2026';

/** Draws the result of these votes by name, and tells what was written and which covers were drawn. */
async function draw(votes: Readonly<Record<string, number>>, covers = true) {
  const written: { readonly text: string; readonly size: number }[] = [];
  const drawn: (string | null)[] = [];
  const sizeOf = (font: string) => Number(/([\d.]+)px/.exec(font)?.[1]);
  const pen = {
    font: '',
    fillRect() {},
    measureText: (text: string) => ({ width: (text.length * sizeOf(pen.font)) / 2 }),
    drawImage: (image: HTMLImageElement) => drawn.push(image.getAttribute('src')),
    fillText: (text: string) =>
      written.push({ text: text.replaceAll('\u00a0', ' '), size: sizeOf(pen.font) }),
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
  await drawResult(headlineAt(standings, status), games, CLOSES_AT);
  return { texts: written.map(({ text }) => text), written, drawn };
}

test('W151 the picture has the winner with its cover, the first three with votes and share, all votes, date and address', async () => {
  const { texts, drawn } = await draw({ Gris: 100, 'Hades II': 1_187, Otro: 50, Último: 1 });
  expect(texts).toEqual([
    'GOTY',
    'EL JUEGO DEL AÑO',
    'Hades II',
    '1.º  Hades II',
    '1.187 votos · 89 %',
    '2.º  Gris',
    '100 votos · 7 %',
    '3.º  Otro',
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
    expect(lines.map(({ text }) => text).join(' ')).toBe(name);
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
  expect(places).toEqual(covers.map((_, at) => `1.º  Juego ${at}`));
  expect(texts.includes(`Con 9 votos cada uno: ${count} juegos.`)).toBe(count > 3);
});

test('W151 of games that tie behind the winner all are listed or none, and none without votes', async () => {
  const listed = async (...votes: number[]) => {
    const { texts } = await draw(Object.fromEntries(votes.map((votos, at) => [`J${at}`, votos])));
    return texts.filter((text) => text.includes('.º')).length;
  };
  expect([await listed(5, 2, 2), await listed(5, 2, 2, 2), await listed(5, 0)]).toEqual([3, 1, 1]);
});

import { expect, test } from 'vitest';
import { appTexts } from './app-texts.ts';
import { deskTexts } from './desk-texts.ts';
import { gotyTexts } from './goty-texts.ts';
import { resultTexts, shareButtonTexts } from './result-texts.ts';
import { sentence } from './sentence.ts';
import { apiTexts, metadata, texts } from './texts.ts';
import { voteTexts } from './vote-texts.ts';

const ALL = {
  apiTexts,
  appTexts,
  deskTexts,
  gotyTexts,
  metadata,
  resultTexts,
  shareButtonTexts,
  texts,
};
/** Said only of more names, or ranges of time, than are named. */
const ALWAYS_MANY = /^resultTexts\.(games|moments)$/;

/** Every text by its path. Those with parameters are said of `count`, which is told as `counts`. */
function textsOf(value: unknown, count: number, path = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    return [[path, `${Reflect.apply(value, undefined, argumentsFor(value, count))}`]];
  }
  return Object.entries(value ?? {}).flatMap(([name, part]) =>
    textsOf(part, count, path ? `${path}.${name}` : name),
  );
}

function argumentsFor(text: unknown, count: number): readonly unknown[] {
  const told = new Intl.NumberFormat('es', { useGrouping: 'always' }).format(count);
  const votes = resultTexts.votes(told, count === 1);
  const values: Record<string, unknown> = {
    votes,
    total: votes,
    genuine: deskTexts.genuine(votes, told),
    isOne: count === 1,
    isShared: true,
    isOver: true,
    isOpen: true,
    place: count,
    faults: count,
    count: /count ===/.test(String(text)) ? count : told,
    games: told,
    viewers: told,
    expected: told,
  };
  const names = /\(([^)]*)\)/.exec(String(text))?.[1]?.split(',') ?? [];
  return names.map((name) => values[name.trim()] ?? 'X');
}

test('D9 W7 V13 no sentence speaks of one as of many, nor of some none', () => {
  const ofOne = textsOf(ALL, 1).filter(([path]) => !ALWAYS_MANY.test(path));
  const ofNone = textsOf(ALL, 0);
  // 'unos 1', 'Se quitan 1 voto', '1 votos', '1 voto volverán', '1 quizá auténticos'
  const plural =
    /\b(un[oa]s|l[oa]s|\p{L}+[ae]n) 1 |(?<!\S)1 (?!más\b)(\p{L}+ ){0,2}?\p{L}+(s|[aáeé]n)\b/u;
  expect(ofOne.filter(([, text]) => plural.test(text))).toEqual([]);
  expect(ofNone.filter(([, text]) => /\bun[oa]s 0\b/.test(text))).toEqual([]);
  expect(['1', '0', '10'].map((expected) => deskTexts.genuine('11 votos', expected))).toEqual([
    '11 votos, uno quizá auténtico',
    '11 votos, quizá ninguno auténtico',
    '11 votos, unos 10 quizá auténticos',
  ]);
  expect(deskTexts.undoSure('1 voto')).toBe('De vuelta al recuento: 1 voto.');
  expect(deskTexts.voidSure('1.000 votos')).toBe(
    'Fuera del recuento: 1.000 votos. Se puede deshacer.',
  );
});

test('D8 W119 a vote begins and ends by one pair of words', () => {
  const all = textsOf(ALL, 5).filter(([, text]) =>
    /\bordenador|votación (se )?(abr|cierr|cerr)|\bCierra\b/.test(text),
  );
  expect(all).toEqual([]);
});

test.each([
  ['Super Mario Bros.', 'Super Mario Bros.'],
  ['Ooblets!', 'Ooblets!'],
  ['The Forgotten…', 'The Forgotten…'],
  ['Hades II', 'Hades II.'],
])('W147 W148 a sentence that ends in %s ends once', (name, end) => {
  expect(sentence(name)).toBe(end);
  expect(apiTexts.moved(name)).toBe(`Tu voto es ahora por ${end}`);
  expect(voteTexts.dialog.change.text(name, name)).toBe(
    `Ahora votas por ${end} Pasarías a votar por ${end}`,
  );
  expect(texts.goty.afterVote.notice(name)).toBe(`Has votado por ${end} Puedes cambiar tu voto.`);
});

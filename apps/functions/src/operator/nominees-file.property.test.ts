import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '@goty/shared/ids';
import { NOMINEE_FIELDS } from '@goty/shared/nominee';
import { NOMINEE_RULES } from '@goty/shared/nominee-rules';
import { SEED } from '@goty/shared/testing/seed';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { OperatorError } from '../runtime/operator-error.ts';
import { readNomineesFile } from './nominees-file.ts';

const text = fc.oneof(
  fc.constantFrom('a', 'b', 'Hades II', 'https://example.org/a.png', 'http://[', '__proto__', ''),
  fc.constantFrom('=1+1', '"', "'", '\u001b[31m', '\u202e', '\u200b', '\ud800', '<b>', 'a,b\r\n'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const field = fc.oneof(fc.constantFrom('id', 'name', 'url'), text);
const entry = fc.oneof(
  fc.record({ id: text, name: text, url: text }, { requiredKeys: [] }),
  fc.dictionary(field, fc.oneof(text, fc.jsonValue({ maxDepth: 1 }))),
  fc.jsonValue({ maxDepth: 2 }),
);
const json = fc.oneof(
  { weight: 4, arbitrary: fc.array(entry, { maxLength: 4 }).map((list) => JSON.stringify(list)) },
  fc.json(),
  text,
);
const csv = fc
  .array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 4 })
  .map((lines) => ['id,name,url', ...lines.map((cells) => cells.join(','))].join('\n'));

test.each([
  ['JSON', 'nominees.json', json],
  ['CSV', 'nominees.csv', csv],
])(
  'P3 O1 any %s is nominees that follow the rules, or one line that says what is wrong',
  (...given) => {
    const [, name, content] = given;
    const folder = testFolder();
    const path = join(folder, name);
    const covers = join(folder, 'covers');
    mkdirSync(covers);
    fc.assert(
      fc.property(content, (file) => {
        writeFileSync(path, file);
        try {
          for (const nominee of readNomineesFile(path, covers)) {
            expect(isId(nominee.id)).toBe(true);
            for (const field of NOMINEE_FIELDS) {
              expect(NOMINEE_RULES[field].accepts(nominee[field])).toBe(true);
            }
          }
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
          expect(error.message).not.toMatch(/\p{Cc}|undefined/u);
        }
      }),
      { seed: SEED, numRuns: 1_000 },
    );
  },
);

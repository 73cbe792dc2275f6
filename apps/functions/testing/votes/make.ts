// `node testing/votes/make.ts` in apps/functions: writes a vote into this folder, as this version stores and exports it.
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildNominee } from '@goty/shared/testing/nominee';
import { runGoty } from '../../cli/program.ts';
import { changeInSteps, setNominees, setTimes, voidSteps } from '../../src/acts/acts.ts';
import { makeCodes } from '../../src/acts/voting-codes.ts';
import { openSqliteStore } from '../../src/sqlite/database.ts';
import { readHeader } from '../../src/sqlite/files.ts';

const YEAR_MS = 31_557_600_000;

const folder = mkdtempSync(join(tmpdir(), 'goty-'));
const path = join(folder, 'goty.sqlite');
const file = join(folder, 'vote.ndjson');
const store = openSqliteStore({ path, firstNominees: () => [] });
await store.change(
  setNominees(
    ['a', 'b', 'c'].map((id) => buildNominee({ id })),
    'init',
  ),
);
await store.change(
  setTimes((times, now) => ({ ...times, opensAt: now, closesAt: now + 100 * YEAR_MS }), 'command'),
);
const at = Date.now();
await store.commit(
  [...'aaabbc'].map((game, index) => ({ id: `before-${index}`, game, at: at + index })),
);
const voided = { id: 'before-2', game: 'a', at: at + 2 };
await changeInSteps(store, voidSteps([voided], [{ from: voided.at, to: voided.at + 1 }], 'desk'));
// One vote moves before the freeze, and one during it, which stays in the sum of its game until then.
await store.commit([{ id: 'before-4', game: 'c', at: at + 10, replaces: at + 4 }]);
await store.change(setTimes((times) => ({ ...times, frozenAt: at + 20 }), 'command'));
await store.commit([
  { id: 'before-1', game: 'b', at: at + 30, replaces: at + 1 },
  { id: 'hidden-0', game: 'a', at: at + 31 },
  { id: 'hidden-1', game: 'a', at: at + 32 },
]);
await makeCodes(store, 2);
await store.close();
process.env.DATABASE = path;
await runGoty(['export', file]);
const [header = ''] = readFileSync(file, 'utf8').split('\n');
copyFileSync(path, join(import.meta.dirname, `schema-${readHeader(path)?.userVersion}.sqlite`));
copyFileSync(file, join(import.meta.dirname, `export-${JSON.parse(header).version}.ndjson`));
rmSync(folder, { recursive: true });

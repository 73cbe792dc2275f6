import { parseArgs } from 'node:util';
import { startFirestore } from '../base/firestore.ts';
import { editPart, markdownTable, type Row } from '../base/report.ts';
import { CLOUD, STANDALONE } from './all-faults.ts';
import { FULL, type Scenario } from './scenario.ts';

// `pnpm faults`: injects one fault after the other under load and counts the votes.

const { only, seed, write } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    write: { type: 'boolean', default: false },
  },
}).values;
const isChosen = ({ title }: Scenario) => title.includes(only);
const rows: Row[] = [];

await runAll(STANDALONE);
if (CLOUD.some(isChosen)) {
  await using firestore = await startFirestore();
  await runAll(CLOUD, firestore.host);
}
if (write) editPart('reliability.md', 'faults', withRows);

async function runAll(scenarios: readonly Scenario[], firestoreHost?: string) {
  for (const { title, run } of scenarios.filter(isChosen)) {
    try {
      const row = await run({ ...FULL, seed: Number(seed) }, firestoreHost);
      console.log(Object.values(row).join(' | '));
      rows.push(row);
    } catch (error) {
      console.error(title, error);
      process.exitCode = 1;
    }
  }
}

/** In place of those of the same faults, in the order of the scenarios. */
function withRows(page: string): string {
  const [head = '', ruler = '', ...measured] = markdownTable(rows).split('\n');
  const known = [...measured, ...page.split('\n')];
  const lines = [...STANDALONE, ...CLOUD].flatMap(({ title }) => {
    const begin = `| ${title.replace(': ', ' | ')} |`;
    return known.find((line) => line.startsWith(begin)) ?? [];
  });
  return [head, ruler, ...lines].join('\n');
}

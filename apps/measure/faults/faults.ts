import { parseArgs } from 'node:util';
import { startFirestore } from '../base/firestore.ts';
import { markdownTable, type Row, readPart, writePart } from '../base/report.ts';
import { cloudFaults, STANDALONE_FAULTS } from './all-faults.ts';
import { FULL, type Scenario } from './scenario.ts';

// `pnpm faults`: injects one fault after the other under load and counts the votes.

const PAGE = 'reliability.md';

const { only, write } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
}).values;
const isChosen = ({ title }: Scenario) => title.includes(only);
const rows: Row[] = [];

await runAll(STANDALONE_FAULTS.filter(isChosen));
if (cloudFaults('').some(isChosen)) {
  await using firestore = await startFirestore();
  await runAll(cloudFaults(firestore.host).filter(isChosen));
}
if (write) writeRows();

async function runAll(scenarios: readonly Scenario[]) {
  for (const { title, run } of scenarios) {
    try {
      const row = await run(FULL);
      console.log(Object.values(row).join(' | '));
      rows.push(row);
    } catch (error) {
      console.error(title, error);
      process.exitCode = 1;
    }
  }
}

/** In place of those of the same faults, in the order of the scenarios. */
function writeRows() {
  const [head = '', ruler = '', ...measured] = markdownTable(rows).split('\n');
  const known = [...measured, ...readPart(PAGE, 'faults').split('\n')];
  const lines = [...STANDALONE_FAULTS, ...cloudFaults('')].flatMap(({ title }) => {
    const begin = `| ${title.replace(': ', ' | ')} |`;
    return known.find((line) => line.startsWith(begin)) ?? [];
  });
  writePart(PAGE, 'faults', [head, ruler, ...lines].join('\n'));
}

import { parseArgs } from 'node:util';
import { findFirestore } from '@goty/functions/firestore-emulator';
import { startFirestore } from '../base/firestore.ts';
import { markdownTable, type Row, readPart, writePart } from '../base/report.ts';
import { cloudFaults, STANDALONE_FAULTS } from './all-faults.ts';
import { FULL, type Scenario, SHORT } from './scenario.ts';

// `pnpm faults`: injects one fault after the other under load and counts the votes.

const PAGE = 'reliability.md';

const { only, short, json, write } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
}).values;
const print = json ? console.error : console.log;
const isChosen = ({ title }: Scenario) => title.includes(only);
const rows: Row[] = [];
let broken = 0;

await runAll(STANDALONE_FAULTS.filter(isChosen));
if (cloudFaults('').some(isChosen)) {
  const source = findFirestore();
  if (source.state === 'missing') {
    print(`The faults of Firestore are skipped: ${source.advice}.`);
  } else {
    await using firestore = await startFirestore();
    await runAll(cloudFaults(firestore.host).filter(isChosen));
  }
}
print(`${rows.length - broken} kept, ${broken} broken`);
if (json) console.log(JSON.stringify(rows, null, 2));
if (write) writeRows();
process.exitCode = broken === 0 && rows.length > 0 ? 0 : 1;

async function runAll(scenarios: readonly Scenario[]) {
  for (const scenario of scenarios) {
    const startedAt = performance.now();
    const { row, failures } = await scenario.run(short ? SHORT : FULL);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    print([...Object.values(row), `${seconds} s`, ...failures].join(' | '));
    rows.push(row);
    if (failures.length > 0) broken += 1;
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

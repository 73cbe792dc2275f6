import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { LEASE_MS, POLL_MS } from '@goty/shared/protocol';
import { markdownTable, ROOT, type Row, writePart } from '../base/report.ts';
import { measureRush } from './rush.ts';

// `pnpm crowd`, after a build: what an hour with many viewers needs of Google in the cloud home, and what it
// costs. Each viewer opens both screens, votes once at any moment, and shows the chart all the hour. In
// brackets are the promises of SPEC.md that the numbers come from: tests prove those.
// `pnpm crowd --instances 12`: how many votes a second so many instances count, on a simulated Firestore.

const HOUR_S = 3_600;
const GAMES = 10;
/** Servers of the CDN. Each keeps its own copies. */
const EDGES = 20;
/** The defaults of the Function: each instance lets its share of the pages listen (L12). */
const LISTENERS = 1_000;
const MAX_INSTANCES = 3;

/** An instance reads the games once in 2 s (L11), and the state once in 3 s (F12). */
const READS_OF_INSTANCE = (HOUR_S / 2) * GAMES + HOUR_S / 3;
/** The sum of each game that got votes is written once a second, by whichever instance (F5). */
const SUM_WRITES = HOUR_S * GAMES;
/** Of several instances, each writes its fence and an entry each second, which are looked for, read and deleted. */
const OUTBOX_READS = 2 * HOUR_S;
const OUTBOX_WRITES = 3 * HOUR_S;
/** A page asks for the standings (W40) and, at once and again and again, for a lease, with which it listens anew (W90). */
const POLLS = (HOUR_S * 1_000) / POLL_MS;
const LEASES = 1 + (HOUR_S * 1_000) / LEASE_MS;
/** Each server of the CDN asks for the standings once in 2 s (F3), however many pages it answers. */
const PASSED_ON = EDGES * (HOUR_S / 2);

/** What a response takes besides its body, with compressed headers. */
const HEADER_BYTES = 250;
/** The standings of ten games, compressed: those of this checkout take some 350 for eight. */
const POLL_BYTES = 433 + HEADER_BYTES;
/** What an update of a document takes that Firestore sends to a listener. */
const UPDATE_BYTES = 300;
/** With its index: https://firebase.google.com/docs/firestore/storage-size */
const BALLOT_BYTES = 370;
/** What the built page takes, and what more if it listens. */
type PageBytes = { readonly visit: number; readonly listening: number };

/** List prices of Google's cheaper regions in US dollars, without free quotas: https://firebase.google.com/pricing */
const READ = 0.03 / 100_000;
const WRITE = 0.09 / 100_000;
const STORED_BYTE = 0.15 / 1e9; // for a month
const FIRESTORE_BYTE = 0.12 / 1e9;
const HOSTING_BYTE = 0.15 / 1e9;
const REQUEST = 0.4 / 1_000_000;
/** An hour with one processor and 512 MiB, never idle: https://cloud.google.com/run/pricing */
const INSTANCE = HOUR_S * (0.000_024 + 0.5 * 0.000_002_5);

/** What Firestore takes at first of votes a second, and how it grows: https://firebase.google.com/docs/firestore/best-practices */
const RAMP = { first: 500, growth: 1.5, everyMin: 5 };
/** What a country sends when a programme asks for it, in votes a second. */
const COUNTRY = 9_000;

const { values } = parseArgs({
  options: {
    instances: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
  },
});
if (values.instances.length > 0) await showRush(values.instances.map(Number), values.write);
else showPrices(values.write);

async function showRush(instances: readonly number[], write: boolean) {
  const rows: Row[] = [];
  for (const each of instances) {
    const row = await measureRush(each);
    rows.push(row);
    console.log(
      `instances ${each}: ${row['Votes a second']} votes/s of ${row.Ideal}, ${row.Refused} refused, p99 ${row['Answer p99']}, ${row['Sum writes a second']} sum writes/s`,
    );
  }
  const { first, growth, everyMin } = RAMP;
  const minutes = Math.ceil(Math.log(COUNTRY / first) / Math.log(growth)) * everyMin;
  const begin = `${19 + Math.floor((60 - minutes) / 60)}:${(120 - minutes) % 60}`;
  console.log(
    `Firestore takes ${first} votes a second at first, and half as many again every ${everyMin} minutes. Who expects ${COUNTRY.toLocaleString('en')} at 20:00 needs ${minutes} minutes: begin to warm up at ${begin}, as docs/firebase.md says, and have ${Math.ceil(COUNTRY / 800)} instances.`,
  );
  console.log(markdownTable(rows));
  if (write) writePart('performance.md', 'rush', markdownTable(rows));
}

function showPrices(write: boolean) {
  const page = {
    // Without its pictures for home screens and link previews.
    visit: bytesOf(/^(assets.(?!firestore)|covers.|(goty|inicio)\.html|trophy)/),
    listening: bytesOf(/^assets.firestore/),
  };
  console.log(`A visit takes ${page.visit} bytes, and ${page.listening} more to listen.`);
  const table = markdownTable(
    [1_000, 10_000, 100_000, 1_000_000].map((viewers) => rowOf(viewers, page)),
  );
  console.log(table);
  if (write) writePart('costs.md', 'crowd', table);
}

function rowOf(viewers: number, page: PageBytes): Row {
  const granted = Math.floor(LISTENERS / MAX_INSTANCES);
  const one = hourOf(viewers, page, 1, granted);
  return {
    Viewers: viewers.toLocaleString('en'),
    'Requests at the Function': Math.round(one.requests).toLocaleString('en'),
    Writes: Math.round(one.writes).toLocaleString('en'),
    Reads: `${(one.reads / 1e6).toFixed(1)} million`,
    'Sent by Hosting': `${Math.round(one.sent / 1e9).toLocaleString('en')} GB`,
    'Nobody listens': hourOf(viewers, page, 1, 0).price,
    'One instance': one.price,
    'Three instances': hourOf(viewers, page, MAX_INSTANCES, MAX_INSTANCES * granted).price,
    'All listen, one instance': hourOf(viewers, page, 1, viewers).price,
  };
}

/** @param mayListen how many pages get a lease */
function hourOf(viewers: number, page: PageBytes, instances: number, mayListen: number) {
  const listeners = Math.min(mayListen, viewers);
  // Those of one second and game are one, however many votes there were.
  const sumWrites = SUM_WRITES * (1 - Math.exp(-viewers / SUM_WRITES));
  const others = instances > 1 ? instances : 0;
  const updates = listeners * sumWrites;
  const own = READS_OF_INSTANCE * instances + OUTBOX_READS * others;
  const reads = own + listeners * GAMES * LEASES + updates;
  const writes = viewers + sumWrites + OUTBOX_WRITES * others;
  const sent = viewers * (page.visit + POLLS * POLL_BYTES) + listeners * page.listening;
  const requests = PASSED_ON + viewers * (1 + LEASES);
  const firestore =
    reads * READ +
    writes * WRITE +
    viewers * BALLOT_BYTES * STORED_BYTE +
    updates * UPDATE_BYTES * FIRESTORE_BYTE;
  const price = firestore + sent * HOSTING_BYTE + requests * REQUEST + instances * INSTANCE;
  const style = { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 } as const;
  return { reads, writes, sent, requests, price: price.toLocaleString('en', style) };
}

/** What Hosting sends and bills for these files. */
function bytesOf(files: RegExp): number {
  const dist = join(ROOT, 'apps/web/dist');
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => files.test(file))
    .map((file) => gzipSync(readFileSync(join(dist, file))).length + HEADER_BYTES)
    .reduce((sum, bytes) => sum + bytes, 0);
}

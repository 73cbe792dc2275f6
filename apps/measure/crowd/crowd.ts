import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Nominee } from '@goty/shared/nominee';
import { LEASE_MS, STATUS_POLL_MS } from '@goty/shared/protocol';
import { editPart, markdownTable, ROOT, type Row } from '../base/report.ts';

// `pnpm crowd`, after a build: what an hour with many viewers needs of Google in the cloud home, and what it
// costs. Each viewer opens both screens, votes once at any moment, and shows the chart all the hour. In
// brackets are the promises of SPEC.md that the numbers come from: tests prove those.

const HOUR_S = 3_600;
const GAMES = 10;
/** Servers of the CDN. Each keeps its own copies. */
const EDGES = 20;
/** The defaults of the Function: each instance lets its share of the pages listen (L12). */
const [LISTENERS, MAX_INSTANCES] = [1_000, 3];

/** An instance reads the games once in 2 s (L11), and the state once in 3 s (F12). */
const READS_OF_INSTANCE = (HOUR_S / 2) * GAMES + HOUR_S / 3;
/** It writes the sum of each game that got votes, once a second (G7). */
const SUM_WRITES_OF_INSTANCE = HOUR_S * GAMES;
/** A page that does not listen asks for the standings (W40) and, at once and again and again, for a lease (W90). */
const POLLS = (HOUR_S * 1_000) / STATUS_POLL_MS;
const LEASES = 1 + (HOUR_S * 1_000) / LEASE_MS;
/** Each server of the CDN asks for the standings once in 2 s (F3), however many pages it answers. */
const PASSED_ON = EDGES * (HOUR_S / 2);

/** What a response takes besides its body, with compressed headers. */
const HEADER_BYTES = 250;
/** What an update of a document takes that Firestore sends to a listener. */
const UPDATE_BYTES = 300;
/** With its index: https://firebase.google.com/docs/firestore/storage-size */
const BALLOT_BYTES = 370;
const POLL_BYTES = bytesOfPoll();
const VISIT_BYTES = bytesOfVisit((file) => !/firestore/.test(file));
const LISTENING_BYTES = bytesOfVisit((file) => /firestore/.test(file));

/** List prices of Google's cheaper regions in US dollars, without free quotas: https://firebase.google.com/pricing */
const PRICES = {
  reads: 0.03 / 100_000,
  writes: 0.09 / 100_000,
  /** For a month. */
  storedBytes: 0.15 / 1e9,
  firestoreBytes: 0.12 / 1e9,
  hostingBytes: 0.15 / 1e9,
  requests: 0.4 / 1_000_000,
  /** Hours with one processor and 512 MiB, never idle: https://cloud.google.com/run/pricing */
  instances: HOUR_S * (0.000_024 + 0.5 * 0.000_002_5),
};
type Usage = Record<keyof typeof PRICES, number>;

const { write } = parseArgs({ options: { write: { type: 'boolean', default: false } } }).values;
console.log(
  `Bytes of a visit: ${VISIT_BYTES}, to listen ${LISTENING_BYTES}, of an answer ${POLL_BYTES}.`,
);
const table = markdownTable([1_000, 10_000, 100_000, 1_000_000].map(rowOf));
console.log(table);
if (write) editPart('costs.md', 'crowd', () => table);

function rowOf(viewers: number): Row {
  const granted = Math.floor(LISTENERS / MAX_INSTANCES);
  const one = usageOf(viewers, 1, granted);
  const three = usageOf(viewers, MAX_INSTANCES, MAX_INSTANCES * granted);
  return {
    Viewers: viewers.toLocaleString('en'),
    'Requests at the Function': Math.round(one.requests).toLocaleString('en'),
    Writes: Math.round(one.writes).toLocaleString('en'),
    Reads: `${(one.reads / 1e6).toFixed(1)} million`,
    'Sent by Hosting': `${Math.round(one.hostingBytes / 1e9).toLocaleString('en')} GB`,
    'Nobody listens': priceOf(usageOf(viewers, 1, 0)),
    'One instance': priceOf(one),
    'Three instances': priceOf(three),
    'All listen, one instance': priceOf(usageOf(viewers, 1, viewers)),
  };
}

/** @param mayListen how many pages get a lease */
function usageOf(viewers: number, instances: number, mayListen: number): Usage {
  const listeners = Math.min(mayListen, viewers);
  // Each instance writes sums of its own. Those of one second and game are one, however many votes there were.
  const most = SUM_WRITES_OF_INSTANCE * instances;
  const sumWrites = most * (1 - Math.exp(-viewers / most));
  const updates = listeners * sumWrites;
  return {
    reads: READS_OF_INSTANCE * instances + listeners * GAMES + updates,
    writes: viewers + sumWrites,
    storedBytes: viewers * BALLOT_BYTES,
    firestoreBytes: updates * UPDATE_BYTES,
    hostingBytes:
      viewers * VISIT_BYTES +
      listeners * LISTENING_BYTES +
      (viewers - listeners) * POLLS * POLL_BYTES,
    requests: PASSED_ON + viewers * (1 + LEASES),
    instances,
  };
}

function priceOf(usage: Usage): string {
  const price =
    usage.reads * PRICES.reads +
    usage.writes * PRICES.writes +
    usage.storedBytes * PRICES.storedBytes +
    usage.firestoreBytes * PRICES.firestoreBytes +
    usage.hostingBytes * PRICES.hostingBytes +
    usage.requests * PRICES.requests +
    usage.instances * PRICES.instances;
  const style = { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 } as const;
  return price.toLocaleString('en', style);
}

/** What Hosting sends and bills for a file. */
function bytesOf(file: string): number {
  return gzipSync(readFileSync(join(ROOT, file))).length + HEADER_BYTES;
}

/** The built page, without its pictures for home screens and link previews. */
function bytesOfVisit(isWanted: (file: string) => boolean): number {
  const dist = 'apps/web/dist';
  return readdirSync(join(ROOT, dist), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(assets|covers).*\.|^(goty|inicio)\.html$|^trophy\.svg$/.test(file))
    .filter(isWanted)
    .reduce((sum, file) => sum + bytesOf(join(dist, file)), 0);
}

/** The answer that a page gets every 3 s, with games named like those of this checkout. */
function bytesOfPoll(): number {
  const games: Nominee[] = JSON.parse(readFileSync(join(ROOT, 'nominees.json'), 'utf8'));
  const standings = games.map(({ id, name }, index) => [id, name, 100_000 + index * 7_919]);
  const answer = { now: 1_800_000_000_000, nominees: 'a1b2c3', onePerVisitor: false, standings };
  const share = GAMES / games.length;
  return Math.round(share * gzipSync(JSON.stringify(answer)).length) + HEADER_BYTES;
}

import { parseArgs } from 'node:util';
import { editPart, markdownTable, type Row } from '../base/report.ts';
import { INSTANCES, simulateHour } from './hour.ts';
import { priceOf } from './prices.ts';

// `pnpm crowd`: simulates an hour of viewers in the cloud home, and says what Google would bill.

/** As many pages as a simulation bears. The others behave as these do. */
const SAMPLE = 1_000;
const LISTENING_SAMPLE = 60;
/** What an update of a document takes that Firestore sends to a listener. */
const UPDATE_BYTES = 300;
const CROWDS = [1_000, 10_000, 100_000, 1_000_000];
const LISTENERS = 1_000;

const { write } = parseArgs({ options: { write: { type: 'boolean', default: false } } }).values;

const polling = await simulateHour(SAMPLE, 0);
console.log('polling', polling);
const listening = await simulateHour(LISTENING_SAMPLE, Number.POSITIVE_INFINITY);
console.log('listening', listening);
const perListener = listening.reads / LISTENING_SAMPLE;
const rows = CROWDS.map(rowOf);
console.log(markdownTable(rows));
if (write) editPart('costs.md', 'crowd', () => markdownTable(rows));

function rowOf(viewers: number): Row {
  const listeners = Math.min(LISTENERS, viewers);
  const bounded = usageOf(viewers - listeners, listeners);
  const all = usageOf(0, viewers);
  return {
    Viewers: viewers.toLocaleString('en'),
    'Requests at the Function': Math.round(bounded.requests).toLocaleString('en'),
    Reads: inMillions(bounded.reads),
    'Sent by Hosting': `${Math.round(bounded.hostingBytes / 1e9)} GB`,
    Price: inDollars(priceOf(bounded)),
    'All listening: reads': inMillions(all.reads),
    price: inDollars(priceOf(all)),
  };
}

function usageOf(pollers: number, listeners: number) {
  const pages = pollers / SAMPLE;
  return {
    reads: polling.reads + listeners * perListener,
    // However many pages ask for the standings, the CDN asks for all of them. Leases it does not know.
    requests: polling.requests + polling.leases * (pages - 1),
    hostingBytes: polling.pollBytes * pages + listening.pollBytes * (listeners / LISTENING_SAMPLE),
    firestoreBytes: listeners * perListener * UPDATE_BYTES,
    instances: INSTANCES,
  };
}

function inMillions(number: number): string {
  return `${(number / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} million`;
}

function inDollars(price: number): string {
  return price.toLocaleString('en', {
    style: 'currency',
    currency: 'USD',
    maximumSignificantDigits: 3,
  });
}

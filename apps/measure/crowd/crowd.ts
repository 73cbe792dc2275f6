import { parseArgs } from 'node:util';
import { editPart, markdownTable, type Row } from '../base/report.ts';
import { simulateHour } from './hour.ts';
import { priceOf } from './prices.ts';

// `pnpm crowd`: simulates an hour of viewers in the cloud home, and says what Google would bill.

/** As many pages as a simulation bears. The others behave as these do. */
const SAMPLE = 1_000;
const LISTENING_SAMPLE = 60;
/** What an update of a document takes that Firestore sends to a listener. */
const UPDATE_BYTES = 300;
const CROWDS = [1_000, 10_000, 100_000, 1_000_000];
/** The defaults of the Function. */
const LISTENERS = 1_000;
const MAX_INSTANCES = 3;

const { write } = parseArgs({ options: { write: { type: 'boolean', default: false } } }).values;

const polling = await simulateHour(SAMPLE, 0);
console.log('polling', polling);
const listening = await simulateHour(LISTENING_SAMPLE, Number.POSITIVE_INFINITY);
console.log('listening', listening);
const rows = CROWDS.map(rowOf);
console.log(markdownTable(rows));
if (write) editPart('costs.md', 'crowd', () => markdownTable(rows));

function rowOf(viewers: number): Row {
  const [one, three] = [usageOf(viewers, 1), usageOf(viewers, MAX_INSTANCES)];
  return {
    Viewers: viewers.toLocaleString('en'),
    'Requests at the Function': Math.round(one.requests).toLocaleString('en'),
    Reads: inMillions(one.reads),
    'Sent by Hosting': `${Math.round(one.hostingBytes / 1e9)} GB`,
    'One instance': inDollars(priceOf(one)),
    'Three instances': inDollars(priceOf(three)),
    'All, one instance': inDollars(priceOf(usageOf(viewers, 1, viewers))),
  };
}

/** @param allowed how many pages may listen: by default, what so many instances grant */
function usageOf(
  viewers: number,
  instances: number,
  allowed = instances * Math.floor(LISTENERS / MAX_INSTANCES),
) {
  const listeners = Math.min(allowed, viewers);
  const pollers = viewers - listeners;
  // Each instance writes the sums itself, and reads them itself.
  const updates = listening.reads * (listeners / LISTENING_SAMPLE) * instances;
  return {
    reads: polling.reads * instances + updates,
    // However many pages ask for the standings, the CDN asks for all of them. Leases it does not know.
    requests: polling.requests + polling.leases * (pollers / SAMPLE - 1),
    hostingBytes:
      polling.pollBytes * (pollers / SAMPLE) + listening.pollBytes * (listeners / LISTENING_SAMPLE),
    firestoreBytes: updates * UPDATE_BYTES,
    instances,
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

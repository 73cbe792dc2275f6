import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startFirestore } from '../base/firestore.ts';
import { rounded } from '../base/report.ts';
import { quantile } from '../base/statistics.ts';
import { openCloud, type Vote } from './cloud-load.ts';

// `pnpm bench:instances`: n instances of the Function's app on one Firestore emulator, under the same
// load. Prints how often the sums are written, and how long votes and a viewer wait. The times are
// those of this machine and of the emulator; the counts are those of Firestore.

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: '1,2,4,8' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '10' },
    games: { type: 'string', default: '10' },
    'seconds-between-writes': { type: 'string', default: '1,3' },
  },
});
const rate = Number(values.rate);
const seconds = Number(values.seconds);
const games = Number(values.games);

await using firestore = await startFirestore();
const rows = [];
for (const interval of values['seconds-between-writes'].split(',')) {
  for (const n of values.instances.split(',')) rows.push(await measure(Number(n), interval));
}
console.table(rows);

/** Sends `rate` votes a second to n instances in turn, while one viewer watches. */
async function measure(instances: number, interval: string) {
  const writeIntervalMs = Number(interval) * 1_000;
  await using cloud = await openCloud(firestore.host, { games, instances, writeIntervalMs });
  const sent: Promise<Vote>[] = [];
  const start = performance.now();
  for (let vote = 0; vote < rate * seconds; vote += 1) {
    await wait(Math.max(0, start + (vote * 1_000) / rate - performance.now()));
    sent.push(cloud.vote());
  }
  const votes = await Promise.all(sent);
  await cloud.untilSeen();
  const waits = votes.map(({ pressedAt, answeredAt = Number.NaN }) => answeredAt - pressedAt);
  const answered = votes.flatMap(({ answeredAt }) => answeredAt ?? []).toSorted((a, b) => a - b);
  // When the viewer saw as many votes as had been answered.
  const lags = answered.map((at, index) => Math.max(0, cloud.seenAt(index + 1) - at));
  return {
    'seconds between writes': interval,
    instances,
    votes: answered.length,
    refused: votes.length - answered.length,
    'sum writes/s': rounded(cloud.sumWrites() / seconds),
    'updates/s of a viewer': rounded(cloud.updates() / seconds),
    ...quantilesOf('answer', waits.filter(Number.isFinite)),
    ...quantilesOf('lag', lags),
  };
}

function quantilesOf(name: string, times: readonly number[]) {
  return Object.fromEntries(
    [50, 99].map((share) => [`${name} p${share} ms`, Math.round(quantile(times, share / 100))]),
  );
}

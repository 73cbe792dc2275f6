// What an hour costs, by Google's list prices of its cheaper regions in US dollars, without free quotas.
// https://firebase.google.com/pricing, https://cloud.google.com/run/pricing

const READ = 0.03 / 100_000;
const FIRESTORE_GB = 0.12;
const HOSTING_GB = 0.15;
const INVOCATION = 0.4 / 1_000_000;
/** An instance with one processor and 512 MiB that is never idle. */
const INSTANCE_HOUR = 3_600 * (0.000_024 + 0.5 * 0.000_002_5);
const GB = 1_000_000_000;

/** What an hour of a vote used. */
export interface Usage {
  readonly reads: number;
  /** Requests at the Function. */
  readonly requests: number;
  readonly hostingBytes: number;
  readonly firestoreBytes: number;
  readonly instances: number;
}

/** The price of an hour in US dollars. */
export function priceOf(usage: Usage): number {
  return (
    usage.reads * READ +
    usage.requests * INVOCATION +
    (usage.hostingBytes / GB) * HOSTING_GB +
    (usage.firestoreBytes / GB) * FIRESTORE_GB +
    usage.instances * INSTANCE_HOUR
  );
}

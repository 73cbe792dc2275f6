import { resolve } from 'node:path';
import { OperatorError } from '../runtime/operator-error.ts';
import { VOTE_POLICIES, type VotePolicy } from '../votes/vote-policy.ts';

/** The environment variables of the standalone home. */
export const VARIABLES = [
  'PORT',
  'HOST',
  'DATABASE',
  'NOMINEES',
  'COVERS',
  'VOTE_POLICY',
  'VOTES_PER_MINUTE',
  'TRUST_PROXY',
  'STREAMS_PER_ADDRESS',
] as const;

type Environment = Readonly<Partial<Record<(typeof VARIABLES)[number], string | undefined>>>;

export interface Config {
  /** The address to listen on; `undefined` for all addresses of this machine. */
  readonly host: string | undefined;
  /** 0 picks a free port. */
  readonly port: number;
  /** Absolute path of the database file. */
  readonly databasePath: string;
  /** Absolute path of the nominees file. */
  readonly nomineesPath: string;
  /** Absolute path of the folder with the operator's covers. */
  readonly coversFolder: string;
  readonly policy: VotePolicy;
  /** How many votes an address may send in a minute; 0 for no limit. */
  readonly votesPerMinute: number;
  /** How many proxies in front of the server say who the client is. */
  readonly trustedProxies: number;
  /** How many event streams may be open for one address. */
  readonly streamsPerAddress: number;
}

/**
 * Reads the configuration of the standalone home, which README.md lists.
 *
 * @param environment usually `process.env`; an empty value counts as unset
 * @param folder relative paths are resolved against it
 * @throws OperatorError for an invalid value
 */
export function readConfig(environment: Environment, folder: string): Config {
  return {
    host: environment.HOST || undefined,
    port: readPort(environment.PORT || '3000'),
    databasePath: resolve(folder, environment.DATABASE || '.data/goty.sqlite'),
    nomineesPath: resolve(folder, environment.NOMINEES || 'nominees.json'),
    coversFolder: resolve(folder, environment.COVERS || 'covers'),
    policy: readPolicy(environment.VOTE_POLICY),
    votesPerMinute: readCount('VOTES_PER_MINUTE', environment.VOTES_PER_MINUTE || '600'),
    trustedProxies: readCount('TRUST_PROXY', environment.TRUST_PROXY || '0'),
    streamsPerAddress: readCount('STREAMS_PER_ADDRESS', environment.STREAMS_PER_ADDRESS || '500'),
  };
}

function readPort(value: string): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535) {
    throw new OperatorError(`PORT must be a whole number from 0 to 65535, not "${value}".`);
  }
  return port;
}

function readCount(name: string, value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new OperatorError(`${name} must be a whole number, 0 or more, not "${value}".`);
}

/**
 * The policy of that name; `unlimited` if the value is empty or unset.
 *
 * @throws OperatorError for an unknown name
 */
export function readPolicy(value: string | undefined): VotePolicy {
  if (!value) return 'unlimited';
  const policy = VOTE_POLICIES.find((name) => name === value);
  if (policy) return policy;
  throw new OperatorError(`VOTE_POLICY must be ${VOTE_POLICIES.join(' or ')}, not "${value}".`);
}

/**
 * How many pages may listen to Firestore at once; 1,000 if the value is empty or unset.
 *
 * @param value a whole number, or `all`
 * @throws OperatorError for anything else
 */
export function readListeners(value: string | undefined): number {
  if (value === 'all') return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(value || '1000')) return Number(value || '1000');
  throw new OperatorError(`LISTENERS must be a whole number or all, not "${value}".`);
}

/** With more, votes would not be answered before their deadline. */
const MAX_WRITE_SECONDS = 5;

/**
 * The seconds between writes of the sums, in milliseconds; 1 s if the value is empty or unset.
 *
 * @throws OperatorError unless it is a whole number from 1 to 5
 */
export function readWriteInterval(value: string | undefined): number {
  const seconds = Number(value || '1');
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_WRITE_SECONDS) {
    return seconds * 1_000;
  }
  throw new OperatorError(
    `SECONDS_BETWEEN_WRITES must be a whole number from 1 to ${MAX_WRITE_SECONDS}, not "${value}".`,
  );
}

/**
 * Whether a parameter is `on` or `off`; `off` if the value is empty or unset.
 *
 * @throws OperatorError for anything else
 */
export function readSwitch(name: string, value: string | undefined): boolean {
  if (value === 'on') return true;
  if (!value || value === 'off') return false;
  throw new OperatorError(`${name} must be on or off, not "${value}".`);
}

/**
 * The origins whose pages may call the API.
 *
 * @param value origins separated by commas; `*` or an empty string for all
 * @throws OperatorError if one of them is not an origin
 */
export function readOrigins(value: string): '*' | string[] {
  if (value === '*' || value === '') return '*';
  const origins = value.split(',').map((origin) => origin.trim());
  for (const origin of origins) {
    if (URL.parse(origin)?.origin !== origin) {
      throw new OperatorError(
        `CORS_ORIGINS must be * or a list such as https://a.example,https://b.example, not "${value}".`,
      );
    }
  }
  return origins;
}

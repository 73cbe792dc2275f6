import { resolve } from 'node:path';
import { OperatorError } from '../runtime/operator-error.ts';
import { VOTE_POLICIES, type VotePolicy } from '../votes/vote-policy.ts';

export interface Config {
  /** The address to listen on; without one, all of this machine's. */
  readonly host: string | undefined;
  readonly port: number;
  readonly databasePath: string;
  readonly nomineesPath: string;
  readonly policy: VotePolicy;
}

/**
 * Reads the configuration of the standalone home; README.md lists it.
 *
 * @param environment usually `process.env`; an empty value counts as none
 * @param folder what relative paths start from
 * @throws OperatorError for a value that cannot be used
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Config {
  return {
    host: environment.HOST || undefined,
    port: readPort(environment.PORT || '3000'),
    databasePath: resolve(folder, environment.DATABASE || '.data/goty.sqlite'),
    nomineesPath: resolve(folder, environment.NOMINEES || 'nominees.json'),
    policy: readPolicy(environment.VOTE_POLICY),
  };
}

function readPort(value: string): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535) {
    throw new OperatorError(`PORT must be a whole number from 0 to 65535, not "${value}".`);
  }
  return port;
}

/**
 * The policy of that name, `unlimited` for none.
 *
 * @throws OperatorError for one that does not exist
 */
export function readPolicy(value: string | undefined): VotePolicy {
  if (!value) return 'unlimited';
  const policy = VOTE_POLICIES.find((name) => name === value);
  if (policy) return policy;
  throw new OperatorError(`VOTE_POLICY must be ${VOTE_POLICIES.join(' or ')}, not "${value}".`);
}

/**
 * The origins whose pages may call the API: `*` or nothing for all, else a list with commas.
 *
 * @throws OperatorError for one that is no origin
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

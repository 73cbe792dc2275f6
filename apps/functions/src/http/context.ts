import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Router } from 'express';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { GroupCommit, GroupCommitOptions } from '../serving/group-commit.ts';
import type { MaxAges, VoteView } from '../serving/vote-view.ts';
import type { VotePolicy, VoteStore } from '../votes/vote-store.ts';
import type { ClientOf, TrustedPages } from './client.ts';
import type { Refuse } from './failures.ts';

/** Answers a request. Calls `next` if Express cannot read the request's target. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: () => void,
) => void;

/** Sets the CORS headers of a response. Answers a preflight request itself, and calls `next` for every other one. */
export type Cors = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** What a home brings along, and the numbers in which homes differ. */
export interface HomeOptions extends TrustedPages {
  readonly store: VoteStore;
  readonly policy: VotePolicy;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether a token of App Check is valid; by default votes need none. */
  readonly isValidToken?: ((token: string) => Promise<boolean>) | undefined;
  /** CORS middleware; without it, only the app's own origin is allowed. */
  readonly cors?: Cors;
  /** Makes what serves every path outside the API. */
  readonly page?: ((context: Context) => Router) | undefined;
  /** The path prefixes at which the API is mounted. */
  readonly prefixes: readonly string[];
  /** How many proxies in front of the app may say who the client is, as `X-Forwarded-…`. */
  readonly trustedProxies: number;
  /** How many votes an address may send in a minute; 0 for any number. */
  readonly votesPerMinute: number;
  /** The name of the visitor's cookie over plain HTTP. */
  readonly plainCookie: string;
  readonly maxAges: MaxAges;
  readonly commits: Pick<GroupCommitOptions, 'maxGroup' | 'maxWaiting' | 'minIntervalMs'>;
  /** How many live streams may be open at once, and for one address; without them, the API has none. */
  readonly streams?: { readonly total: number; readonly perAddress: number };
  /** How old hidden votes may be, and the time until a close that is wished at once. */
  readonly desk: Readonly<Record<'hiddenMaxAgeMs' | 'noticeMs', number>>;
  /** How many pages may listen to Firestore; without it, the API grants no leases. */
  readonly listeners?: number;
  /** What a CDN may keep, as Cache-Control. A list with a visitor's cookie is never kept. */
  readonly caching?: {
    /** For the nominee list, whose order changes with each minute. */
    readonly list: (now: number) => string;
    readonly shortLived: string;
  };
}

/** What every route works with: a home's options, and the parts that are made of them. */
export interface Context extends HomeOptions {
  readonly view: VoteView;
  readonly groupCommit: GroupCommit;
  readonly clientOf: ClientOf;
  readonly refuse: Refuse;
}

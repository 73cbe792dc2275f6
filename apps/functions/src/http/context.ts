import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Router } from 'express';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { GroupCommit, GroupCommitOptions } from '../serving/group-commit.ts';
import type { MaxAges, VoteView } from '../serving/vote-view.ts';
import type { VotePolicy, VoteStore } from '../votes/vote-store.ts';
import type { ClientOf, TrustedPages } from './client.ts';
import type { Refuse } from './failures.ts';

/** Answers a request, or calls `next` if Express cannot read the request's target. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: () => void,
) => void;

/** Sets the CORS headers of a response. Answers a preflight request itself, and calls `next` for every other request. */
export type Cors = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** The parts and limits of a home: one of the two places where the app runs, standalone or in the cloud. */
export interface HomeOptions extends TrustedPages {
  readonly store: VoteStore;
  readonly policy: VotePolicy;
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves with whether a token of App Check is valid. Without this function, votes need no token. */
  readonly isValidToken?: ((token: string) => Promise<boolean>) | undefined;
  /** CORS middleware. Without it, only pages of the app's own origin can call the API. */
  readonly cors?: Cors;
  readonly page?: ((context: Context) => Router) | undefined;
  readonly prefixes: readonly string[];
  /** How many proxies in front of the app are trusted to say who the client is, in headers such as `X-Forwarded-For`. */
  readonly trustedProxies: number;
  /** How many votes an address may send in a minute; 0 for any number. */
  readonly votesPerMinute: number;
  readonly plainCookie: string;
  readonly maxAges: MaxAges;
  readonly commits: Pick<GroupCommitOptions, 'maxGroup' | 'maxWaiting' | 'minIntervalMs'>;
  /** How many live streams may be open at once, in all and for one address. Without these limits, the API has no live stream. */
  readonly streams?: { readonly total: number; readonly perAddress: number };
  /** `hiddenMaxAgeMs`: the greatest age of hidden votes. `noticeMs`: the countdown before a close that is wished at once. */
  readonly desk: Readonly<Record<'hiddenMaxAgeMs' | 'noticeMs', number>>;
  /** How many pages may listen to Firestore at once. Without this limit, the API grants no leases to listen. */
  readonly listeners?: number;
  /** What a CDN may keep, as Cache-Control. A nominee list that comes with a visitor's cookie is never kept. */
  readonly caching?: {
    /** For the nominee list, whose order changes with each minute. */
    readonly list: (now: number) => string;
    readonly shortLived: string;
  };
}

export interface Context extends HomeOptions {
  readonly view: VoteView;
  readonly groupCommit: GroupCommit;
  readonly clientOf: ClientOf;
  readonly refuse: Refuse;
}

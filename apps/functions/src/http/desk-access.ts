import { isLoopback } from '@goty/shared/protocol';
import type { Request } from 'express';
import {
  changeDeskKeys,
  hashOf,
  includesHash,
  withDevice,
  withoutEnded,
} from '../acts/desk-keys.ts';
import { SingleFlight } from '../serving/single-flight.ts';
import type { VoteSnapshot } from '../serving/vote-snapshot.ts';
import type { DeskKeys } from '../votes/vote-store.ts';
import { isCrossSite } from './client.ts';
import type { Context } from './context.ts';
import type { FailureCode } from './failures.ts';
import { createLimit } from './rate-limit.ts';

/** Not against guessing, which 256 bits rule out: wrong keys must neither fill the log nor cause reads. */
const WRONG_PER_MINUTE = 10;
/** How often keys are read again at most, for one that is not known. */
const MIN_READ_INTERVAL_MS = 1_000;
const BEARER_KEY = /^Bearer ([A-Za-z0-9_-]{43})$/;
/** What a proxy adds, also one that nobody has told us of. */
const FORWARDED = /^(x-forwarded-.*|forwarded|via|x-real-ip)$/;

/** Who may use the desk. Each method returns why a request is refused; `undefined` if it is not. */
export class DeskAccess {
  readonly #context: Context;
  readonly #isBeyondLimit;
  readonly #newest: SingleFlight<VoteSnapshot>;

  constructor(context: Context) {
    const { clock, view } = context;
    this.#context = context;
    this.#isBeyondLimit = createLimit(WRONG_PER_MINUTE, clock);
    const read = () => view.newest();
    this.#newest = new SingleFlight({ clock, minIntervalMs: MIN_READ_INTERVAL_MS, read });
  }

  /** A request has to come from our page, and nobody on the way may be able to read its key. */
  refusalOfConnection(request: Request): FailureCode | undefined {
    const { clientOf, publicUrl, trustedProxies } = this.#context;
    const { headers, socket } = request;
    const client = clientOf(request);
    if (isCrossSite(request, client, { publicUrl })) return 'desk-elsewhere';
    if (client.isSecure) return undefined;
    const isHttps = String(headers['x-forwarded-proto']).startsWith('https');
    if (trustedProxies === 0 && isHttps) return 'desk-behind-proxy';
    // Any other name may be a stranger's that resolves to us, and a proxy would forward strangers.
    const { hostname = '' } = URL.parse(`http://${headers.host}`) ?? {};
    const isForwarded = Object.keys(headers).some((name) => FORWARDED.test(name));
    if (isForwarded || !isLoopback(hostname)) return 'desk-elsewhere';
    const isLocal = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
    return isLocal ? undefined : 'desk-in-container';
  }

  /** A request has to have the key of a browser that was let in. */
  async refusalOfKey(request: Request): Promise<FailureCode | undefined> {
    const device = keyHashOf(request);
    const isIn = ({ devices }: DeskKeys) => device !== undefined && includesHash(devices, device);
    return this.#lookUp(request, isIn, 'desk-ended');
  }

  /** Lets in a browser that has a code, with a key of its own: a lost answer can be asked for again. */
  async pair(request: Request, sent: unknown): Promise<FailureCode | undefined> {
    const { log, store, view } = this.#context;
    const code = hashOf(String(sent));
    const device = keyHashOf(request);
    const mayBeIn = ({ codes, devices }: DeskKeys) =>
      device !== undefined && (includesHash(codes, code) || includesHash(devices, device));
    const refusal = await this.#lookUp(request, mayBeIn, 'desk-old-link');
    if (refusal || device === undefined) return refusal;
    let isIn = false;
    const letIn = changeDeskKeys((keys, now) => {
      const after = withDevice(keys, code, device, now);
      isIn = includesHash(after.devices, device);
      return after;
    });
    await store.change(letIn);
    await view.newest();
    if (!isIn) return 'desk-old-link';
    log.info('A browser was let in to the desk.');
    return undefined;
  }

  /**
   * Looks in the keys that are known, then asks the store: another process may just have changed them. Whoever is
   * beyond the limit does not wait for that.
   */
  async #lookUp(request: Request, isThere: (keys: DeskKeys) => boolean, refusal: FailureCode) {
    const { clientOf, clock, view } = this.#context;
    const isIn = ({ state: { keys, times } }: VoteSnapshot) =>
      isThere(withoutEnded(keys, clock.now(), times.closesAt));
    if (isIn(await view.standings())) return undefined;
    if (this.#isBeyondLimit(clientOf(request).network)) return 'too-many-keys';
    return isIn(await this.#newest.runAgain()) ? undefined : refusal;
  }
}

/** The hash of the key that a request has, as the store has it. */
export function keyHashOf({ headers }: Request): string | undefined {
  const [, key] = BEARER_KEY.exec(headers.authorization ?? '') ?? [];
  return key === undefined ? undefined : hashOf(key);
}

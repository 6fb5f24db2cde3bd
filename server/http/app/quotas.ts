import type { Request } from 'express';
import { Refusal } from '../../../shared/refusal.ts';
import { TokenBucket } from '../../platform/token-bucket.ts';
import type { Caller } from '../../access/accounts/index.ts';
import { clientAddress, isOfThisMachine } from './client.ts';
import type { DeclaredRoute } from './route.ts';

/** Most callers remembered; an attacker with many addresses must not fill the memory. */
const CALLERS = 10_000;
/** Factor for an access key for routing: it serves a whole program. */
const ROUTING_KEY = 20;

/** Too many costly questions of one user or address. */
export class TooManyRequests extends Refusal<'request.tooMany'> {
  /** Seconds until the request is accepted. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('request.tooMany', { seconds: retryAfter });
    this.retryAfter = retryAfter;
  }
}

/**
 * Limits costly questions: a user, an access key or an address has so many points a minute, and may save up those of
 * one minute. Programs on this machine are not limited.
 */
export class Quotas {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, TokenBucket>();

  /** @param perMinute points; a small question costs one */
  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Takes the points of the request. Throws TooManyRequests. `now` is in ms of a monotonic clock. */
  take(route: Pick<DeclaredRoute, 'cost'>, request: Request, caller: Caller | undefined, now: number): void {
    if (route.cost === undefined || isOfThisMachine(request)) return;
    const points = typeof route.cost === 'number' ? route.cost : route.cost(request);
    if (points === 0) return;
    const bucket = this.#bucketOf(caller, clientAddress(request), now);
    // A question that costs more than a minute's points must stay possible.
    const cost = Math.min(points, this.#perMinute);
    if (!bucket.take(now, cost)) throw new TooManyRequests(Math.max(1, Math.ceil(bucket.wait(cost) / 1000)));
  }

  #bucketOf(caller: Caller | undefined, address: string, now: number): TokenBucket {
    const isKey = caller?.token.kind === 'key';
    const name = caller ? (isKey ? `key:${caller.token.id}` : `user:${caller.user.id}`) : `address:${address}`;
    const factor = caller?.token.scopes?.includes('routing') ? ROUTING_KEY : 1;
    const perMinute = this.#perMinute * factor;
    const bucket = this.#buckets.get(name) ?? new TokenBucket(perMinute / 60, perMinute, now);
    this.#buckets.delete(name); // most recently used
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > CALLERS) this.#buckets.delete(this.#buckets.keys().next().value!);
    return bucket;
  }
}

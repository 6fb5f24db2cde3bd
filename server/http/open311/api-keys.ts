import type { Request } from 'express';
import { Refusal } from '../../../shared/refusal.ts';
import type { Accounts } from '../../accounts/index.ts';
import { TokenBucket } from '../../platform/token-bucket.ts';
import type { CitizenRequests } from '../../tasks/index.ts';
import { clientAddress } from '../app/client.ts';
import { TooManyRequests } from '../app/quotas.ts';

/** A key serves a whole program, with many citizens behind it. */
const OF_KEY = 10;
/** Most addresses and keys remembered; an attacker with many addresses must not fill the memory. */
const REMEMBERED = 10_000;

interface ApiKeysOptions {
  readonly accounts: Pick<Accounts, 'authenticate'>;
  readonly citizens: Pick<CitizenRequests, 'requireKeyOf'>;
  /** Requests that an address may send in a minute; a key has ten times as many. */
  readonly perMinute: number;
}

/** Programs that may send requests of citizens, and how many. */
export class ApiKeys {
  readonly #options: ApiKeysOptions;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(options: ApiKeysOptions) {
    this.#options = options;
  }

  /** Throws for a wrong key, and for too many requests. Wrong keys count for the address, too. */
  require(request: Request, key: string | undefined): void {
    const { accounts, citizens, perMinute } = this.#options;
    this.#take(`address:${clientAddress(request)}`, perMinute);
    if (!key) throw new Refusal('citizens.keyMissing');
    const caller = accounts.authenticate(key);
    if (!caller?.token.scopes?.includes('citizens')) throw new Refusal('citizens.keyWrong');
    citizens.requireKeyOf(caller);
    this.#take(`key:${caller.token.id}`, perMinute * OF_KEY);
  }

  #take(name: string, perMinute: number): void {
    const now = performance.now();
    const bucket = this.#buckets.get(name) ?? new TokenBucket(perMinute / 60, perMinute, now);
    this.#buckets.delete(name); // most recently used
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > REMEMBERED) this.#buckets.delete(this.#buckets.keys().next().value!);
    if (!bucket.take(now)) throw new TooManyRequests(Math.max(1, Math.ceil(bucket.wait(1) / 1000)));
  }
}

import type { Request } from 'express';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Accounts } from '../../../access/accounts/index.ts';
import type { CitizenRequests } from '../../../dispatch/tasks/index.ts';
import { clientAddress } from '../../app/client.ts';
import type { SenderLimits } from './sender-limits.ts';

/** A key serves a whole program, with many citizens behind it. */
const OF_KEY = 10;

interface ApiKeysOptions {
  readonly accounts: Pick<Accounts, 'authenticate'>;
  readonly citizens: Pick<CitizenRequests, 'requireKeyOf'>;
  readonly limits: SenderLimits;
  /** Requests that an address may send in a minute; a key has ten times as many. */
  readonly perMinute: number;
}

/** Programs that may send requests of citizens, and how many. */
export class ApiKeys {
  readonly #options: ApiKeysOptions;

  constructor(options: ApiKeysOptions) {
    this.#options = options;
  }

  /** Throws for a wrong key, and for too many requests. Wrong keys count for the address, too. */
  require(request: Request, key: string | undefined): void {
    const { accounts, citizens, limits, perMinute } = this.#options;
    limits.take(`address:${clientAddress(request)}`, perMinute);
    if (!key) throw new Refusal('citizens.keyMissing');
    const caller = accounts.authenticate(key);
    if (!caller?.token.scopes?.includes('citizens')) throw new Refusal('citizens.keyWrong');
    citizens.requireKeyOf(caller);
    limits.take(`key:${caller.token.id}`, perMinute * OF_KEY);
  }
}

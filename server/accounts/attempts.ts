import { Refusal } from '../../shared/refusal.ts';

/** Too many wrong passwords for a login or from an address. */
export class TooManyAttempts extends Refusal {
  /** seconds until the next try is taken */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('too-many-attempts', `Too many failed sign-ins. Try again in ${Math.ceil(retryAfter / 60)} min.`);
    this.retryAfter = retryAfter;
  }
}

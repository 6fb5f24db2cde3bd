/**
 * A refusal is an expected answer to a request that is not allowed; anything else thrown is a bug. The
 * message names the thing for the operator ("Van 12 is off duty."); programs use the code.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Every code has one row in the status table of `server/http/app/errors.ts`; a new code does not compile until it
 * has one.
 */
export type RefusalCode =
  | 'invalid' // the request is wrong: a field is missing, has a wrong type or names something that does not exist
  | 'unauthorized' // no valid token
  | 'wrong-login'
  | 'too-many-attempts'
  | 'forbidden' // visible, but not permitted
  | 'not-found' // missing or invisible
  | 'conflict'
  | 'too-large'
  | 'disk-full' // nothing was stored; can be repeated when there is space
  | 'disk-failed' // the last writes may be lost; no more are accepted until the station restarts
  | 'busy' // an import is running, a worker is being replaced: try again
  | 'no-territory';

/**
 * A refusal is expected: the answer to something that may not be done. Anything else thrown is a bug.
 * The message names the thing for the operator ("Van 12 is off duty."); the code is for programs.
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
  | 'forbidden' // may be seen, may not be done
  | 'not-found' // does not exist, or may not be seen
  | 'conflict'
  | 'too-large'
  | 'disk-full' // nothing of it was kept; it can be done again when there is room
  | 'disk-failed' // what was written may be lost; nothing more is taken until the station is started anew
  | 'busy' // an import is running, a worker is being replaced: try again
  | 'no-territory';

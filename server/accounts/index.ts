export { demandAdmin, SCOPES } from './caller.ts';
export type { Caller, Scope } from './caller.ts';
export { TooManyAttempts } from './attempts.ts';

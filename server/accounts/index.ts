export { Accounts } from './accounts.ts';
export type { AccountsOptions, SignedIn, UserChange } from './accounts.ts';
export { demandAdmin, SCOPES } from './caller.ts';
export type { Caller, Scope } from './caller.ts';
export { TooManyAttempts } from './attempts.ts';
export type { OrganizationChange } from './organizations.ts';
export type { RightFields } from './rights.ts';
export { STATUS_NAMES } from './seed.ts';
export type { Token } from './tokens.ts';

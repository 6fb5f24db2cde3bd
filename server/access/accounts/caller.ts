import type { Actor } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';

/**
 * Scopes of an access key. `read` covers every request that changes nothing, `tasks` all of area A, `citizens` the
 * requests of citizens.
 */
export const SCOPES = ['telemetry', 'routing', 'read', 'sync', 'tasks', 'calls', 'citizens'] as const;
export type TokenScope = (typeof SCOPES)[number];

/** The user who makes a request, and the token. */
export interface Caller extends Actor {
  readonly token: {
    readonly id: number;
    readonly kind: 'session' | 'key';
    /** The scopes of the token; null: no limit. */
    readonly scopes: readonly TokenScope[] | null;
    /** The session opens only what sets up a second factor. */
    readonly needsFactor?: true;
  };
}

/** Only administrators of all organizations change what affects all of them. */
export function requireSuperuser(caller: Caller): void {
  requireAdmin(caller);
  if (!caller.role.superuser) throw new Refusal('accounts.superuserOnly');
}

export function requireAdmin(caller: Caller): void {
  if (!caller.role.admin) throw new Refusal('accounts.administratorOnly');
}

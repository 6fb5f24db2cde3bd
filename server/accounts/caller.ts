import type { Actor } from '../../shared/access.ts';
import { Refusal } from '../../shared/refusal.ts';

/** What an access key may be limited to. `read` answers every request that changes nothing. */
export const SCOPES = ['telemetry', 'routing', 'read', 'sync'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who makes a request, and by which token. */
export interface Caller extends Actor {
  readonly token: {
    readonly id: number;
    readonly kind: 'session' | 'key';
    /** What the token is limited to; null: all that its owner may do. */
    readonly scopes: readonly Scope[] | null;
  };
}

/** What acts on every organisation is changed by those who administer every one. */
export function demandSuperuser(caller: Caller): void {
  demandAdmin(caller);
  if (!caller.role.superuser)
    throw new Refusal('forbidden', 'Only an administrator who sees every organisation may do this.');
}

export function demandAdmin(caller: Caller): void {
  if (!caller.role.admin) throw new Refusal('forbidden', 'Only an administrator may do this.');
}

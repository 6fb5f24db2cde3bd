import { seesOrganization } from '../../../../shared/access.ts';
import type { User } from '../../../../shared/records/accounts.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Records } from '../../../store/types.ts';
import type { Caller, TokenScope } from '../caller.ts';
import type { AuditReport } from '../report.ts';
import type { Token, Tokens } from '../tokens.ts';

interface AccessKeysOptions {
  readonly users: Records<User>;
  readonly tokens: Tokens;
  readonly audit: AuditReport;
  clock(): number;
}

/** Tokens of programs. */
export class AccessKeys {
  readonly #options: AccessKeysOptions;

  constructor(options: AccessKeysOptions) {
    this.#options = options;
  }

  /** A long-lived token for a program, owned by the caller. Its text is returned only here. */
  issue(
    caller: Caller,
    key: { name: string; scopes: readonly TokenScope[] | null; expiresAt: number | null },
  ): Promise<{ text: string; token: Token }> {
    const now = this.#options.clock();
    if (key.expiresAt !== null && key.expiresAt <= now) throw new Refusal('field.past', { field: 'expiresAt' });
    const { name, scopes, expiresAt } = key;
    const subject = { name, organizationId: caller.user.organizationId };
    return this.#options.tokens.issue({ ...key, userId: caller.user.id, kind: 'key' }, now, {
      kind: 'key',
      action: 'created',
      subject,
      details: { scopes, expiresAt },
    });
  }

  /** The access keys of the users whom this caller administers. */
  seenBy(caller: Caller): Token[] {
    return this.#options.tokens.keys(this.#options.clock()).filter((key) => {
      const owner = this.#options.users.get(key.userId);
      return owner !== undefined && seesOrganization(caller, owner.organizationId);
    });
  }

  async end(caller: Caller, id: number): Promise<void> {
    const key = this.seenBy(caller).find((one) => one.id === id);
    if (!key) throw new Refusal('accounts.noKey', { id });
    await this.#options.tokens.end((token) => token.id === id);
    const organizationId = this.#options.users.get(key.userId)?.organizationId ?? null;
    await this.#options.audit.recordOrMiss({
      kind: 'key',
      action: 'ended',
      subject: { id, name: key.name, organizationId },
    });
  }
}

import type { Accounts, Caller } from '../../../access/accounts/index.ts';
import { seesOrganization } from '../../../../shared/access.ts';

export type NamedEntry = { readonly id: number; readonly name: string };

/** Ids one after the other, so that the caller may pause in between. */
export function* idsOf(entries: Iterable<{ readonly id: number }>): Generator<number> {
  for (const { id } of entries) yield id;
}

/** The organizations that the caller sees. */
export function organizationNames(accounts: Pick<Accounts, 'organizations'>, caller: Caller): NamedEntry[] {
  return accounts.organizations.all().filter(({ id, isDeleted }) => !isDeleted && seesOrganization(caller, id));
}

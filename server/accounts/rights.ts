import type { Actor } from '../../shared/access.ts';
import { administers } from '../../shared/access.ts';
import { RIGHT_CAPABILITIES } from '../../shared/records/accounts.ts';
import type { Right, RightCapability } from '../../shared/records/accounts.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { Draft } from '../store/types.ts';
import { demandAdministratorWithout } from './users.ts';
import type { AccountsView } from './users.ts';

export interface RightFields {
  name: string;
  superuser: boolean;
  admin: boolean;
  organizationId: number;
  /** Capabilities by their ids; states null: in any state. */
  accesses: readonly { capabilityId: number; stateIds: readonly number[] | null }[];
}

/** A new right may look at messages in any state, and nothing else, unless told otherwise. */
export function createRight(
  by: Actor,
  id: number,
  fields: Pick<RightFields, 'name'> & Partial<RightFields>,
  accounts: AccountsView,
  hasStateRule: (id: number) => boolean,
): Draft<Right> {
  const right: Draft<Right> = {
    id,
    kind: 'right',
    isDeleted: false,
    name: fields.name.trim(),
    superuser: fields.superuser ?? false,
    admin: fields.admin ?? false,
    organizationId: fields.organizationId ?? by.user.organizationId,
    accesses: fields.accesses ? accessesOf(fields.accesses, [], hasStateRule) : allowing('view'),
  };
  check(by, right, undefined, accounts);
  return right;
}

export function changeRight(
  by: Actor,
  right: Right,
  fields: Partial<RightFields>,
  accounts: AccountsView,
  hasStateRule: (id: number) => boolean,
): Right {
  const { accesses, ...plain } = fields;
  const changed: Right = {
    ...right,
    ...plain,
    accesses: accesses ? accessesOf(accesses, right.accesses, hasStateRule) : right.accesses,
  };
  check(by, changed, right, accounts);
  if (right.admin && !changed.admin)
    demandAdministratorWithout(accounts, (user) => user.rightId === right.id, `A user with the right ${right.name}`);
  return changed;
}

export function deleteRight(right: Right, accounts: AccountsView): Right {
  const holder = accounts.users.find((user) => !user.isDeleted && user.rightId === right.id);
  if (holder) throw new Refusal('invalid', `${holder.name} still has the right ${right.name}.`);
  return { ...right, isDeleted: true };
}

/** Access rules that allow these capabilities in any state. */
export function allowing(...capabilities: readonly RightCapability[]): Right['accesses'] {
  return capabilities.map((capability, index) => ({ id: index + 1, capability, stateIds: null }));
}

/** A rule keeps its id while its capability is listed. */
function accessesOf(
  accesses: RightFields['accesses'],
  before: Right['accesses'],
  hasStateRule: (id: number) => boolean,
): Right['accesses'] {
  let nextId = Math.max(0, ...before.map((access) => access.id)) + 1;
  const seen = new Set<number>();
  return accesses.map(({ capabilityId, stateIds }) => {
    const capability = RIGHT_CAPABILITIES[capabilityId - 1];
    if (!capability) throw new Refusal('invalid', `capability_id ${capabilityId} does not exist.`);
    if (seen.has(capabilityId)) throw new Refusal('invalid', `capability_id ${capabilityId} is listed twice.`);
    seen.add(capabilityId);
    if (capability === 'closures-wide' && stateIds) {
      throw new Refusal('invalid', `states: ${capability} concerns no task, so it holds in any state.`);
    }
    for (const id of stateIds ?? [])
      if (!hasStateRule(id)) throw new Refusal('invalid', `states: ${id} does not exist.`);
    const id = before.find((access) => access.capability === capability)?.id ?? nextId++;
    return { id, capability, stateIds: stateIds && [...stateIds] };
  });
}

const closesWide = ({ accesses }: Pick<Right, 'accesses'>): boolean =>
  accesses.some(({ capability }) => capability === 'closures-wide');

function check(by: Actor, right: Draft<Right>, before: Right | undefined, accounts: AccountsView): void {
  if (right.name.trim() === '') throw new Refusal('invalid', 'name must not be empty.');
  if (!accounts.hasOrganization(right.organizationId))
    throw new Refusal('invalid', `organization ${right.organizationId} does not exist.`);
  const organizations = [right.organizationId, ...(before ? [before.organizationId] : [])];
  if (!organizations.every((id) => administers(by, id)))
    throw new Refusal('forbidden', 'This right belongs to another organisation.');
  const actsOnAll = right.superuser || before?.superuser || (closesWide(right) && !(before && closesWide(before)));
  if (actsOnAll && !by.right.superuser)
    throw new Refusal('forbidden', 'Only an administrator who sees every organisation may do this.');
}

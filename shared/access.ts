import {
  isGeneral,
  ROLE_CAPABILITIES,
  type Capability,
  type GENERAL_CAPABILITIES,
  type Role,
  type RoleCapability,
  type User,
} from './records/accounts.ts';
import type { StateRule } from './records/directories.ts';
import type { Task } from './records/tasks.ts';
import { Refusal } from './refusal.ts';
import { matchesStateRule } from './tasks/state-rules.ts';

/** The user who acts, with their role. */
export interface Actor {
  readonly user: Omit<User, 'passwordHash'>;
  readonly role: Role;
}

/** Permissions of a role, for any user who has it. */
type WithRole = {
  readonly role: {
    readonly admin: boolean;
    readonly accesses: readonly { readonly capability: string; readonly stateIds: readonly number[] | null }[];
  };
};

/** The fields for access rules, of a stored task or of a draft. */
export type Checked = Pick<Task, 'organizationId' | 'authorId' | 'assignedOrganizationId' | 'assignedUserId'> &
  Readonly<Record<string, unknown>>;

/**
 * May `actor` do this to `task`? Administrators may do everything in their organization (`superuser`:
 * everywhere). Others need an access rule of their role for the capability: without states it always applies;
 * with states the task must match one of them.
 */
export function mayDo(actor: Actor, capability: Capability, task: Checked, rules: readonly StateRule[]): boolean {
  return decide(actor, capability, task, rules).allowed;
}

/**
 * A decision with its reason. `state` is the rule that the task matched; `asked` are the rules of which it
 * matched none.
 */
type Decision =
  | { readonly allowed: true; readonly by: 'administrator' | 'any-state' }
  | { readonly allowed: true; readonly by: 'state'; readonly state: StateRule }
  | { readonly allowed: false; readonly by: 'other-department' | 'not-listed' }
  | { readonly allowed: false; readonly by: 'no-state'; readonly asked: readonly StateRule[] };

/** `mayDo` with its reason. */
export function decide(actor: Actor, capability: Capability, task: Checked, rules: readonly StateRule[]): Decision {
  if (!concerns(actor, task)) return { allowed: false, by: 'other-department' };
  if (administers(actor, task.organizationId)) return { allowed: true, by: 'administrator' };
  const grant = grantOf(actor, capability, rules);
  if (grant === 'always') return { allowed: true, by: 'any-state' };
  if (grant === 'never') return { allowed: false, by: 'not-listed' };
  const state = grant.find((rule) => matchesStateRule(rule, task, actor.user));
  return state ? { allowed: true, by: 'state', state } : { allowed: false, by: 'no-state', asked: grant };
}

/**
 * Like `decide`, but 'unseen' if the actor may do it but cannot see the task, so that nothing can be done
 * with it.
 */
export function decideSeen(
  actor: Actor,
  capability: Capability,
  task: Checked,
  rules: readonly StateRule[],
): Decision | { readonly allowed: false; readonly by: 'unseen' } {
  const decision = decide(actor, capability, task, rules);
  const needsSight = capability !== 'create'; // users may create tasks that they will not see
  return decision.allowed && needsSight && !mayDo(actor, 'view', task, rules)
    ? { allowed: false, by: 'unseen' }
    : decision;
}

/**
 * Throws as the interface answers: not-found for an invisible task, forbidden for a visible one without the
 * capability.
 */
export function requireMay(
  actor: Actor,
  capability: Capability,
  task: Checked & { title: string },
  rules: readonly StateRule[],
  id: number,
): void {
  if (!mayDo(actor, 'view', task, rules)) throw new Refusal('tasks.missing', { id });
  if (!decideSeen(actor, capability, task, rules).allowed)
    throw new Refusal('tasks.mayNot', { action: WORDS[capability], title: task.title });
}

/**
 * Does the task belong to the actor's organization, is it assigned to it or to the actor, or does the actor
 * see everything? Access rules apply on top.
 */
export function concerns(actor: Actor, task: Checked): boolean {
  const { user, role } = actor;
  return (
    role.superuser ||
    task.organizationId === user.organizationId ||
    task.assignedOrganizationId === user.organizationId ||
    task.assignedUserId === user.id
  );
}

export function seesOrganization(actor: Actor, organizationId: number): boolean {
  return actor.role.superuser || actor.user.organizationId === organizationId;
}

/** An administrator of this organization; with `superuser` of every organization. */
export function administers(actor: Actor, organizationId: number): boolean {
  return actor.role.admin && seesOrganization(actor, organizationId);
}

/**
 * The grant of the actor's role, for filters over lists: 'always', 'never', or the state rules of which a
 * task must match one. Excludes the administrators' privilege over their own organization (see
 * `administers`).
 */
export function grantOf(
  actor: WithRole,
  capability: RoleCapability,
  rules: readonly StateRule[],
): 'always' | 'never' | readonly StateRule[] {
  const accesses = actor.role.accesses.filter((access) => access.capability === capability);
  if (accesses.length === 0) return 'never';
  if (accesses.some((access) => access.stateIds === null)) return 'always';
  const ids = new Set(accesses.flatMap((access) => access.stateIds ?? []));
  return rules.filter((rule) => ids.has(rule.id) && !rule.isDeleted);
}

/**
 * Actions that are open to the actor on tasks of their organization, as enforced: everything for an
 * administrator, only `create` without `view`. Capabilities that concern no task are listed if granted.
 */
export function allowedTo(
  actor: Actor,
  rules: readonly StateRule[],
): { id: number; capability: RoleCapability; stateIds: readonly number[] | null }[] {
  const { admin, accesses } = actor.role;
  const seesNothing = grantOf(actor, 'view', rules) === 'never';
  let lastId = Math.max(0, ...accesses.map(({ id }) => id));
  return ROLE_CAPABILITIES.flatMap((capability) => {
    const ofTasks = admin
      ? 'always'
      : seesNothing && capability !== 'create'
        ? 'never'
        : grantOf(actor, capability, rules);
    const grant = isGeneral(capability) ? (GENERAL[capability](actor) ? 'always' : 'never') : ofTasks;
    if (grant === 'never') return [];
    const id = accesses.find((access) => access.capability === capability)?.id ?? ++lastId;
    return [{ id, capability, stateIds: grant === 'always' ? null : grant.map((rule) => rule.id) }];
  });
}

/** May the actor change the status of any task? Such users also answer alarms and set crew statuses. */
export function mayDirectCrews(actor: Actor): boolean {
  return actor.role.admin || grantOf(actor, 'change_status', []) !== 'never';
}

/** May upload files: administrators, and users who may create tasks or attach to some of them. */
export function mayUpload(actor: Actor): boolean {
  return (
    actor.role.admin || (['create', 'attach'] as const).some((capability) => grantOf(actor, capability, []) !== 'never')
  );
}

/** May close roads: administrators, and users who may edit tasks in any state. */
export function mayChangeRoads(actor: WithRole): boolean {
  return actor.role.admin || grantOf(actor, 'edit', []) === 'always';
}

/**
 * May close more road than the station's limit: administrators of all organizations, and users with that
 * capability. Closures affect every organization, so an administrator of one needs the capability.
 */
export function mayCloseWide(actor: { readonly role: WithRole['role'] & { readonly superuser: boolean } }): boolean {
  return mayChangeRoads(actor) && (administersAll(actor) || grantOf(actor, 'closures-wide', []) === 'always');
}

/** May make, import, change and remove own places: administrators, and users with that capability. */
export function mayKeepPlaces(actor: WithRole): boolean {
  return actor.role.admin || grantOf(actor, 'own-places', []) === 'always';
}

/** May read the codes of gates and key boxes. Who enters them reads them, too. */
export function mayReadCodes(actor: WithRole): boolean {
  return actor.role.admin || grantOf(actor, 'place-codes', []) === 'always';
}

/** May send commands to devices of vehicles that the actor sees, and read what was sent. */
export function mayCommandDevices(actor: WithRole): boolean {
  return actor.role.admin || grantOf(actor, 'device-commands', []) === 'always';
}

/** May share layouts and views with others: administrators, and users with that capability. */
export function maySharePresets(actor: WithRole): boolean {
  return actor.role.admin || grantOf(actor, 'presets', []) === 'always';
}

/** Users that have a capability that concerns no task. */
const GENERAL = {
  'closures-wide': mayCloseWide,
  'own-places': mayKeepPlaces,
  'place-codes': mayReadCodes,
  'device-commands': mayCommandDevices,
  'presets': maySharePresets,
} satisfies Record<(typeof GENERAL_CAPABILITIES)[number], (actor: Actor) => boolean>;

/** Learned speeds change the routes of every organization. */
export function maySwitchSpeeds(actor: { readonly role: WithRole['role'] & { readonly superuser: boolean } }): boolean {
  return actor.role.superuser && mayChangeRoads(actor);
}

/**
 * May the actor write what affects every organization: state rules, statuses, categories, types and their
 * groups, tags of the station?
 */
export function administersAll({
  role,
}: {
  readonly role: { readonly admin: boolean; readonly superuser: boolean };
}): boolean {
  return role.admin && role.superuser;
}

const WORDS: Readonly<Record<Capability, string>> = {
  view: 'see',
  create: 'create',
  edit: 'edit',
  change_status: 'change the status of',
  confirm: 'confirm',
  assign: 'assign',
  comment: 'comment on',
  attach: 'attach files to',
  archive: 'archive',
  delete: 'delete',
};

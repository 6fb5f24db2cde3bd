import { ROLE_CAPABILITIES, type Capability, type Role, type RoleCapability, type User } from './records/accounts.ts';
import type { StateRule } from './records/directories.ts';
import type { Task } from './records/tasks.ts';
import { Refusal } from './refusal.ts';
import { matches } from './state-rules.ts';

/** Who wants to do something: the user with the right of their role. */
export interface Actor {
  readonly user: Omit<User, 'passwordHash'>;
  readonly role: Role;
}

/** What a right says by itself, whoever has it. */
type WithRole = {
  readonly role: {
    readonly admin: boolean;
    readonly accesses: readonly { readonly capability: string; readonly stateIds: readonly number[] | null }[];
  };
};

/** What access rules look at: a stored message, or the draft of one that is being made. */
export type Checked = Pick<Task, 'organizationId' | 'authorId' | 'assignedOrganizationId' | 'assignedUserId'> &
  Readonly<Record<string, unknown>>;

/**
 * May `actor` do this to `message`? Administrators may do everything within their organisation (`superuser`:
 * everywhere). Everybody else needs an access rule of their right for the capability: without states it holds
 * always, with states when the message matches one of them.
 */
export function mayDo(actor: Actor, capability: Capability, task: Checked, rules: readonly StateRule[]): boolean {
  return decide(actor, capability, task, rules).allowed;
}

/**
 * Whether something may be done with a message, and what decided it. `state` is the rule that the message
 * matched; `asked` are those of which it matched none.
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
  const state = grant.find((rule) => matches(rule, task, actor.user));
  return state ? { allowed: true, by: 'state', state } : { allowed: false, by: 'no-state', asked: grant };
}

/**
 * `decide`, and 'unseen' for what would be allowed if only the message could be seen: what one may not see,
 * one can do nothing with.
 */
export function decideSeen(
  actor: Actor,
  capability: Capability,
  task: Checked,
  rules: readonly StateRule[],
): Decision | { readonly allowed: false; readonly by: 'unseen' } {
  const decision = decide(actor, capability, task, rules);
  const needsSight = capability !== 'create'; // a new message may be made by those who will not see it
  return decision.allowed && needsSight && !mayDo(actor, 'view', task, rules)
    ? { allowed: false, by: 'unseen' }
    : decision;
}

/**
 * Throws what the interface answers: not-found for what one may not see, forbidden for what one may see but
 * not do.
 */
export function demandMay(
  actor: Actor,
  capability: Capability,
  task: Checked & { title: string },
  rules: readonly StateRule[],
  what: string,
): void {
  if (!mayDo(actor, 'view', task, rules)) throw new Refusal('not-found', `There is no ${what}.`);
  if (!decideSeen(actor, capability, task, rules).allowed)
    throw new Refusal('forbidden', `You may not ${WORDS[capability]} “${task.title}”.`);
}

/**
 * Is the message of the actor's organisation, assigned to it or to the actor, or may the actor see
 * everything? Access rules come on top.
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

/** An administrator of this organisation; `superuser` makes them one of every organisation. */
export function administers(actor: Actor, organizationId: number): boolean {
  return actor.role.admin && seesOrganization(actor, organizationId);
}

/**
 * What the actor's right says about a capability, for filters over lists: 'always', 'never', or the state
 * rules of which a message must match one. Administrators' privilege over their own organisation is not in it
 * (see `administers`).
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
 * What the actor may do, as it is enforced for messages of their organisation: all for an administrator,
 * nothing but `create` for who may see none. What concerns no message is listed where it holds.
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
    const grant = capability === 'closures-wide' ? (mayCloseWide(actor) ? 'always' : 'never') : ofTasks;
    if (grant === 'never') return [];
    const id = accesses.find((access) => access.capability === capability)?.id ?? ++lastId;
    return [{ id, capability, stateIds: grant === 'always' ? null : grant.map((rule) => rule.id) }];
  });
}

/**
 * May the actor change the status of some messages? Who may, answers alarms too, and sets the status of
 * crews.
 */
export function mayDirectCrews(actor: Actor): boolean {
  return actor.role.admin || grantOf(actor, 'change_status', []) !== 'never';
}

/** May upload files: administrators, and whoever may create tasks or attach to some of them. */
export function mayUpload(actor: Actor): boolean {
  return (
    actor.role.admin || (['create', 'attach'] as const).some((capability) => grantOf(actor, capability, []) !== 'never')
  );
}

/** May close roads: administrators, and whoever may edit messages in any state. */
export function mayChangeRoads(actor: WithRole): boolean {
  return actor.role.admin || grantOf(actor, 'edit', []) === 'always';
}

/**
 * May close more road than the limit of the station: administrators of all organisations, and whoever has the
 * right to. Closures hold for every organisation, so to administer one of them is not enough.
 */
export function mayCloseWide(actor: { readonly role: WithRole['role'] & { readonly superuser: boolean } }): boolean {
  return mayChangeRoads(actor) && (administersAll(actor) || grantOf(actor, 'closures-wide', []) === 'always');
}

/** Learned speeds act on the routes of every organisation. */
export function maySwitchSpeeds(actor: { readonly role: WithRole['role'] & { readonly superuser: boolean } }): boolean {
  return actor.role.superuser && mayChangeRoads(actor);
}

/**
 * May the actor write what acts on every organisation: state rules, statuses, categories, types and their
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

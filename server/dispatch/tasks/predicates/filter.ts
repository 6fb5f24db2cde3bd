import type { Actor } from '../../../../shared/access.ts';
import type { StateRule } from '../../../../shared/records/index.ts';
import { concernsPerson } from '../../../../shared/tasks/mentions.ts';
import { ASSIGNED, DONE, FEEDBACK } from '../../../../shared/tasks/status.ts';
import { all, always, any, inRange, is, not, oneOf, type Predicate } from './predicate.ts';
import { stateRule, visible } from './visible.ts';

/** Filters of the list of tasks, with the interface's names. Instants are epoch milliseconds. */
export interface ListFilter {
  confirmed?: number | undefined;
  withAssigned?: boolean | undefined;
  withClosed?: boolean | undefined;
  withArchive?: boolean | undefined;
  onlyMy?: boolean | undefined;
  /** Only what concerns the actor: `concernsPerson`. */
  forMe?: boolean | undefined;
  /** For `forMe`: the vehicles on which the actor is on duty. */
  ownVehicleIds?: readonly number[] | undefined;
  onlyStatus?: readonly number[] | undefined;
  onlyStates?: readonly number[] | undefined;
  onlyAssigned?: boolean | undefined;
  categoryIds?: readonly number[] | undefined;
  typeIds?: readonly number[] | undefined;
  hasPoint?: boolean | undefined;
  hasPhoto?: boolean | undefined;
  hasVideo?: boolean | undefined;
  hasFile?: boolean | undefined;
  hasAudio?: boolean | undefined;
  organizationIds?: readonly number[] | undefined;
  assignedOrganizationIds?: readonly number[] | undefined;
  /** Bounds of the task's date, both inclusive. */
  from?: number | undefined;
  until?: number | undefined;
  /** Exclusive at both ends. */
  updatedAfter?: number | undefined;
  updatedBefore?: number | undefined;
}

/**
 * The tasks of a list. Without flags: current tasks of the actor's organization in every status; for an actor
 * who sees everything, of all organizations. `withAssigned` adds open tasks of other organizations,
 * `withClosed` done ones. Archived tasks appear only on request.
 */
export function listPredicate(actor: Actor, filter: ListFilter, rules: readonly StateRule[]): Predicate {
  // The scope first: lists are read along its alternatives, and each is narrower than visibility.
  return all(
    scope(actor, filter),
    visible(actor, rules),
    filter.withArchive ? always : is('archived', false),
    ...narrowing(filter),
    filter.forMe ? concerningPerson(actor, filter.ownVehicleIds) : always,
    stateNarrowing(actor, filter, rules),
  );
}

function scope(actor: Actor, { onlyMy, withAssigned, withClosed }: ListFilter): Predicate {
  const { user, role } = actor;
  if (onlyMy) return is('authorId', user.id);
  if (role.superuser) return always;
  const toMe = is('assignedUserId', user.id);
  const toMyOrganization = is('assignedOrganizationId', user.organizationId);
  const parts = [is('organizationId', user.organizationId)];
  if (withAssigned) parts.push(all(not(is('status', DONE)), role.admin ? any(toMe, toMyOrganization) : toMe));
  if (withClosed) parts.push(all(is('status', DONE), any(toMe, toMyOrganization)));
  return any(...parts);
}

/** Watchers are a list in the record of the task, so this is tested in code. */
function concerningPerson({ user: { id, organizationId } }: Actor, vehicleIds: readonly number[] = []): Predicate {
  return {
    kind: 'test',
    name: `for ${id} of ${organizationId} on ${vehicleIds.join()}`,
    test: (task) => concernsPerson(task, { id, organizationId, vehicleIds }),
  };
}

function narrowing(filter: ListFilter): Predicate[] {
  const parts: Predicate[] = [];
  if (filter.confirmed !== undefined) parts.push(is('confirmed', filter.confirmed));
  if (filter.onlyStatus && !filter.onlyMy) parts.push(oneOf('status', filter.onlyStatus));
  if (filter.onlyAssigned) parts.push(any(is('status', ASSIGNED), all(is('status', FEEDBACK), not(unassigned()))));
  if (filter.categoryIds) parts.push(oneOf('categoryId', filter.categoryIds));
  if (filter.typeIds) parts.push(oneOf('typeId', filter.typeIds));
  if (filter.organizationIds) parts.push(oneOf('organizationId', filter.organizationIds));
  if (filter.assignedOrganizationIds) parts.push(oneOf('assignedOrganizationId', filter.assignedOrganizationIds));
  if (filter.from !== undefined || filter.until !== undefined) parts.push(inRange('date', filter.from, filter.until));
  if (filter.hasPoint) parts.push({ kind: 'has-point' });
  if (filter.hasPhoto) parts.push(inRange('photos', 1));
  if (filter.hasVideo) parts.push(inRange('videos', 1));
  if (filter.hasFile) parts.push(inRange('files', 1));
  if (filter.hasAudio) parts.push(inRange('sounds', 1));
  if (filter.updatedAfter !== undefined) parts.push(inRange('updatedAt', filter.updatedAfter + 1));
  if (filter.updatedBefore !== undefined) parts.push(inRange('updatedAt', -Infinity, filter.updatedBefore - 1));
  return parts;
}

function unassigned(): Predicate {
  return all(is('assignedOrganizationId', 0), is('assignedUserId', 0), is('assignedVehicleId', 0));
}

function stateNarrowing(actor: Actor, { onlyStates }: ListFilter, rules: readonly StateRule[]): Predicate {
  if (!onlyStates) return always;
  return any(
    ...rules
      .filter((rule) => onlyStates.includes(rule.id) && !rule.isDeleted)
      .map((rule) => stateRule(rule, actor.user)),
  );
}

/** Filters of `GET /news/count`; `from` and `until` bound the task's date, both inclusive. */
export interface CountFilter {
  from?: number | undefined;
  until?: number | undefined;
  categoryIds?: readonly number[] | undefined;
  typeIds?: readonly number[] | undefined;
  statusIds?: readonly number[] | undefined;
  organizationIds?: readonly number[] | undefined;
  assignedOrganizationIds?: readonly number[] | undefined;
  withArchive?: boolean | undefined;
}

/** All current tasks that the actor may see, narrowed by the filters. */
export function countPredicate(actor: Actor, filter: CountFilter, rules: readonly StateRule[]): Predicate {
  const parts: Predicate[] = [visible(actor, rules), filter.withArchive ? always : is('archived', false)];
  if (filter.from !== undefined || filter.until !== undefined) parts.push(inRange('date', filter.from, filter.until));
  if (filter.categoryIds) parts.push(oneOf('categoryId', filter.categoryIds));
  if (filter.typeIds) parts.push(oneOf('typeId', filter.typeIds));
  if (filter.statusIds) parts.push(oneOf('status', filter.statusIds));
  if (filter.organizationIds) parts.push(oneOf('organizationId', filter.organizationIds));
  if (filter.assignedOrganizationIds) parts.push(oneOf('assignedOrganizationId', filter.assignedOrganizationIds));
  return all(...parts);
}

/** Consoles hold a done task for this many milliseconds. */
const WORKING_SET_DONE = 24 * 3_600_000;

/**
 * The tasks that a console holds: open ones, and those done within `WORKING_SET_DONE` before `now`. The
 * archive is read over HTTP.
 */
export function workingSet(actor: Actor, rules: readonly StateRule[], now: number): Predicate {
  return all(
    visible(actor, rules),
    is('archived', false),
    any(not(is('status', DONE)), inRange('statusSince', now - WORKING_SET_DONE)),
  );
}

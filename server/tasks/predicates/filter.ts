import type { Actor } from '../../../shared/access.ts';
import type { StateRule } from '../../../shared/records/index.ts';
import { ASSIGNED, DONE, FEEDBACK } from '../../../shared/tasks/status.ts';
import { all, always, any, between, is, not, oneOf, type Predicate } from './predicate.ts';
import { stateRule, visible } from './visible.ts';

/** Filters of the list of messages; names as in the interface. Instants are epoch milliseconds. */
export interface ListFilter {
  confirmed?: number | undefined;
  withAssigned?: boolean | undefined;
  withClosed?: boolean | undefined;
  withArchive?: boolean | undefined;
  onlyMy?: boolean | undefined;
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
  /** They bound the date of the message, both included. */
  from?: number | undefined;
  until?: number | undefined;
  /** Neither end is included. */
  updatedAfter?: number | undefined;
  updatedBefore?: number | undefined;
}

/**
 * The messages of a list. Without flags: the current messages of the actor's own department, in every status;
 * for an actor who sees everything, those of all departments. `withAssigned` adds open messages of other
 * departments, `withClosed` the done ones. Archived messages come only when asked for.
 */
export function listPredicate(actor: Actor, filter: ListFilter, rules: readonly StateRule[]): Predicate {
  // The scope first: lists are read along its alternatives, and each of them says more than what one may see
  // at all.
  return all(
    scope(actor, filter),
    visible(actor, rules),
    filter.withArchive ? always : is('archived', false),
    ...narrowing(filter),
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

function narrowing(filter: ListFilter): Predicate[] {
  const parts: Predicate[] = [];
  if (filter.confirmed !== undefined) parts.push(is('confirmed', filter.confirmed));
  if (filter.onlyStatus && !filter.onlyMy) parts.push(oneOf('status', filter.onlyStatus));
  if (filter.onlyAssigned) parts.push(any(is('status', ASSIGNED), all(is('status', FEEDBACK), not(unassigned()))));
  if (filter.categoryIds) parts.push(oneOf('categoryId', filter.categoryIds));
  if (filter.typeIds) parts.push(oneOf('typeId', filter.typeIds));
  if (filter.organizationIds) parts.push(oneOf('organizationId', filter.organizationIds));
  if (filter.assignedOrganizationIds) parts.push(oneOf('assignedOrganizationId', filter.assignedOrganizationIds));
  if (filter.from !== undefined || filter.until !== undefined) parts.push(between('date', filter.from, filter.until));
  if (filter.hasPoint) parts.push({ kind: 'has-point' });
  if (filter.hasPhoto) parts.push(between('photos', 1));
  if (filter.hasVideo) parts.push(between('videos', 1));
  if (filter.hasFile) parts.push(between('files', 1));
  if (filter.hasAudio) parts.push(between('sounds', 1));
  if (filter.updatedAfter !== undefined) parts.push(between('updatedAt', filter.updatedAfter + 1));
  if (filter.updatedBefore !== undefined) parts.push(between('updatedAt', -Infinity, filter.updatedBefore - 1));
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

/** Filters of `GET /news/count`; `from` and `until` bound the date of the message, both included. */
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

/** All current messages that the actor may see, narrowed. */
export function countPredicate(actor: Actor, filter: CountFilter, rules: readonly StateRule[]): Predicate {
  const parts: Predicate[] = [visible(actor, rules), filter.withArchive ? always : is('archived', false)];
  if (filter.from !== undefined || filter.until !== undefined) parts.push(between('date', filter.from, filter.until));
  if (filter.categoryIds) parts.push(oneOf('categoryId', filter.categoryIds));
  if (filter.typeIds) parts.push(oneOf('typeId', filter.typeIds));
  if (filter.statusIds) parts.push(oneOf('status', filter.statusIds));
  if (filter.organizationIds) parts.push(oneOf('organizationId', filter.organizationIds));
  if (filter.assignedOrganizationIds) parts.push(oneOf('assignedOrganizationId', filter.assignedOrganizationIds));
  return all(...parts);
}

/** ms for which consoles go on holding a message that is done */
const WORKING_SET_DONE = 24 * 3_600_000;

/**
 * What a console holds of the messages: open ones, and those that were done within `WORKING_SET_DONE` before
 * `now`. The archive is asked for over HTTP.
 */
export function workingSet(actor: Actor, rules: readonly StateRule[], now: number): Predicate {
  return all(
    visible(actor, rules),
    is('archived', false),
    any(not(is('status', DONE)), between('statusSince', now - WORKING_SET_DONE)),
  );
}

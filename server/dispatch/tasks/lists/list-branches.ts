import { all, inRange, is, type Predicate, type ScalarField } from '../predicates/predicate.ts';

/** The fields of ownership, each with an index. */
export const OWNERS = [
  'assignedUserId',
  'assignedOrganizationId',
  'organizationId',
] as const satisfies readonly ScalarField[];

/**
 * Reads alternatives separately, each along its own index. Together they equal the whole query, without
 * sorting all matches.
 */
export function branches(predicate: Predicate): Predicate[] {
  const parts = conjunctsOf(predicate);
  const choice = parts.find((part) => part.kind === 'any' && part.of.every(leads));
  if (choice?.kind === 'any')
    return choice.of.flatMap((alternative) =>
      branches(all(...parts.map((part) => (part === choice ? alternative : part)))),
    );
  return currentAndArchived(predicate);
}

/**
 * A separate branch for each value of the flag, if the predicate allows both: their indexes begin with the
 * flag.
 */
export function currentAndArchived(predicate: Predicate): Predicate[] {
  return mentions(predicate, 'archived')
    ? [predicate]
    : [all(is('archived', false), predicate), all(is('archived', true), predicate)];
}

/** Whether an index of its own finds the rows of an alternative. */
function leads(alternative: Predicate): boolean {
  if (alternative.kind === 'any') return alternative.of.every(leads);
  return (
    OWNERS.some((field) => mentions(alternative, field)) || (alternative.kind === 'all' && alternative.of.some(leads))
  );
}

function mentions(predicate: Predicate, field: string): boolean {
  if (predicate.kind === 'all') return predicate.of.some((part) => mentions(part, field));
  return predicate.kind === 'in' && predicate.field === field;
}

/** A branch, split in two. */
export interface Split {
  /** The part that an index finds. */
  readonly lead: Predicate;
  /** The condition tested on each row found. */
  readonly rest: Predicate;
}

/** @param fields the fields by which the index finds rows */
export function split(branch: Predicate, fields: readonly ScalarField[]): Split {
  const leads = (part: Predicate): boolean =>
    (part.kind === 'in' || part.kind === 'between') && fields.includes(part.field);
  const parts = conjunctsOf(branch);
  return { lead: all(...parts.filter(leads).map(sparse)), rest: all(...parts.filter((part) => !leads(part))) };
}

/** The indexes of assignees omit tasks that are assigned to nobody, so the condition must say so. */
function sparse(part: Predicate): Predicate {
  return part.kind === 'in' && (part.field === 'assignedUserId' || part.field === 'assignedOrganizationId')
    ? all(part, inRange(part.field, 1))
    : part;
}

/** Whether the branch requires one value of the field. */
export function equals(branch: Predicate, field: ScalarField): boolean {
  return conjunctsOf(branch).some(
    (part) => part.kind === 'in' && part.field === field && part.values.length === 1 && part.values[0]! > 0,
  );
}

/** Whether the branch restricts the field to some values. */
export function narrows(part: Predicate, field: ScalarField): boolean {
  return (
    (part.kind === 'in' && part.field === field && part.values.every((value) => value > 0)) ||
    (part.kind === 'between' && part.field === field)
  );
}

/** The conjunction. */
export function conjunctsOf(predicate: Predicate): readonly Predicate[] {
  return predicate.kind === 'all' ? predicate.of : [predicate];
}

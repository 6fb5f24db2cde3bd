import { all, between, is, type Predicate, type ScalarField } from '../predicates/predicate.ts';

/** Whose messages are: there is an index for each of them. */
export const OWNERS = [
  'assignedUserId',
  'assignedOrganizationId',
  'organizationId',
] as const satisfies readonly ScalarField[];

/**
 * Alternatives are read apart, each along its own index. Together they give what one query would, without
 * sorting all that matches.
 */
export function branches(predicate: Predicate): Predicate[] {
  const parts = partsOf(predicate);
  const choice = parts.find((part) => part.kind === 'any' && part.of.every(leads));
  if (choice?.kind === 'any')
    return choice.of.flatMap((alternative) =>
      branches(all(...parts.map((part) => (part === choice ? alternative : part)))),
    );
  return currentAndArchived(predicate);
}

/** Each as a branch of its own, where the predicate takes both: their indexes begin with the flag. */
export function currentAndArchived(predicate: Predicate): Predicate[] {
  return mentions(predicate, 'archived')
    ? [predicate]
    : [all(is('archived', false), predicate), all(is('archived', true), predicate)];
}

/** Whether the rows of an alternative can be found along an index of their own. */
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

/** A branch in two parts. */
export interface Split {
  /** What an index finds. */
  readonly lead: Predicate;
  /** What is asked of each row that it finds. */
  readonly rest: Predicate;
}

/** @param fields those by which the index finds its rows */
export function split(branch: Predicate, fields: readonly ScalarField[]): Split {
  const leads = (part: Predicate): boolean =>
    (part.kind === 'in' || part.kind === 'between') && fields.includes(part.field);
  const parts = partsOf(branch);
  return { lead: all(...parts.filter(leads).map(sparse)), rest: all(...parts.filter((part) => !leads(part))) };
}

/**
 * The indexes of assignees leave out messages that are assigned to nobody, and are only used where that is
 * said.
 */
function sparse(part: Predicate): Predicate {
  return part.kind === 'in' && (part.field === 'assignedUserId' || part.field === 'assignedOrganizationId')
    ? all(part, between(part.field, 1))
    : part;
}

/** Whether the branch asks for one value of the field. */
export function equals(branch: Predicate, field: ScalarField): boolean {
  return partsOf(branch).some(
    (part) => part.kind === 'in' && part.field === field && part.values.length === 1 && part.values[0]! > 0,
  );
}

/** Whether the part of a branch leaves some values of the field. */
export function narrows(part: Predicate, field: ScalarField): boolean {
  return (
    (part.kind === 'in' && part.field === field && part.values.every((value) => value > 0)) ||
    (part.kind === 'between' && part.field === field)
  );
}

/** All of them hold together. */
export function partsOf(predicate: Predicate): readonly Predicate[] {
  return predicate.kind === 'all' ? predicate.of : [predicate];
}

import type { ScanBudget } from './tasks-sql.ts';
import type { ScalarField } from '../predicates/predicate.ts';

/** Indexes along which few messages may be found, and the fields by which they begin. */
export const NARROW = {
  assignedUserId: ['assignedUserId'],
  assignedOrganizationId: ['assignedOrganizationId'],
  everything: ['organizationId', 'status'],
  updatedAt: ['updatedAt'],
  authorId: ['authorId'],
  typeId: ['typeId'],
  categoryId: ['categoryId'],
} as const satisfies Record<string, readonly ScalarField[]>;
export type NarrowIndex = keyof typeof NARROW;

/**
 * How a page of a list was found, as data that another thread may tell. `level`: with which of the efforts.
 */
export type QueryPlan =
  | { readonly kind: 'walk'; readonly level: number }
  /** Along these indexes, one for each branch of the predicate. */
  | { readonly kind: 'narrow'; readonly level: number; readonly indexes: readonly NarrowIndex[] }
  /** With none of the efforts. */
  | { readonly kind: 'none' };

const KEPT = 200;
/**
 * How often a list is read the way that is known, before it is looked anew how many messages there are. What
 * a way has to look at grows slowly; looking anew takes longer, and is to be rarer than one page of a
 * hundred.
 */
const USES = 256;

/** The ways that were found, by list. The same list is asked for again and again, and page after page. */
export class QueryPlans {
  readonly #known = new WeakMap<readonly ScanBudget[], Map<string, { readonly way: QueryPlan; uses: number }>>();

  /** The way, to be used once. */
  take(efforts: readonly ScanBudget[], list: string): QueryPlan | undefined {
    const known = this.#known.get(efforts)?.get(list);
    return known && ++known.uses <= USES ? known.way : undefined;
  }

  remember(efforts: readonly ScanBudget[], list: string, way: QueryPlan): void {
    const known = this.#known.get(efforts) ?? new Map<string, { readonly way: QueryPlan; uses: number }>();
    if (known.size >= KEPT) known.clear();
    known.set(list, { way, uses: 0 });
    this.#known.set(efforts, known);
  }
}

/**
 * What looking for a way may cost: messages looked at in an index, at most. It is spent beforehand, so that
 * nothing is begun that could cost more.
 */
export class Budget {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Whether there is so much left; then it is spent. */
  spend(most: number): boolean {
    const cost = STATEMENT + most;
    if (this.#left < cost) return false;
    this.#left -= cost;
    return true;
  }
}

/** To write and to plan a query takes as long as to look at so many messages. */
const STATEMENT = 500;

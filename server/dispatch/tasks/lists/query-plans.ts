import type { ScanBudget } from './tasks-sql.ts';
import type { ScalarField } from '../predicates/predicate.ts';

/** Indexes that may be selective, and the fields with which they begin. */
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

/** How a page of a list was found, as plain data that another thread may send. `level`: the effort. */
export type QueryPlan =
  | { readonly kind: 'walk'; readonly level: number }
  /** Along these indexes, one for each branch of the predicate. */
  | { readonly kind: 'narrow'; readonly level: number; readonly indexes: readonly NarrowIndex[] }
  /** No effort is enough. */
  | { readonly kind: 'none' };

const KEPT = 200;
/**
 * How often a list uses its known plan before tasks are counted again. Costs grow slowly; counting costs more
 * than a query and should be rarer than one page of a hundred.
 */
const USES = 256;

/** Known plans by list, since the same list is requested again and again, page after page. */
export class QueryPlans {
  readonly #known = new WeakMap<readonly ScanBudget[], Map<string, { readonly way: QueryPlan; uses: number }>>();

  /** The plan for one use. */
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
 * The budget for planning: index rows examined at most. It is charged in advance, so that no step can exceed
 * it.
 */
export class Budget {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Charges the cost if the budget allows it. */
  spend(most: number): boolean {
    const cost = STATEMENT + most;
    if (this.#left < cost) return false;
    this.#left -= cost;
    return true;
  }
}

/** Writing and preparing a query costs as much as examining so many tasks. */
const STATEMENT = 500;

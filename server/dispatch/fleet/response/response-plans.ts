import { definedFields } from '../../../../shared/defined-fields.ts';
import type { PlanNeed, ResponsePlan, Vehicle } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Actor } from '../../../../shared/access.ts';
import type { Draft } from '../../../store/types.ts';
import { named, type DirectoryRules } from '../directory.ts';

export type PlanOrder = {
  [
    F in
      | 'name'
      | 'typeIds'
      | 'categoryIds'
      | 'priorities'
      | 'organizationId'
      | 'geozoneId'
      | 'needs'
      | 'tellOrganizationIds'
  ]?: ResponsePlan[F] | undefined;
};

/** Vehicles of one plan; more are a mistake of typing. */
export const MOST_PLACES = 30;

/** Records that a plan may refer to. */
export interface KnownToPlans {
  organization(id: number): boolean;
  taskType(id: number): boolean;
  category(id: number): boolean;
  vehicleKind(id: number): boolean;
  capability(id: number): boolean;
  seesGeozone(by: Actor, id: number): boolean;
}

/** A plan of the whole station is a superuser's; others belong to their organization. */
export function planRules(known: KnownToPlans): DirectoryRules<ResponsePlan, PlanOrder> {
  return {
    what: 'response plan',
    owner: ({ organizationId }) => organizationId || undefined,
    mayChange: ({ organizationId }, by) => !!organizationId || by.role.superuser,
    create: (id, order, by) => {
      const blank: Draft<ResponsePlan> = {
        id,
        kind: 'responsePlan',
        isDeleted: false,
        name: '',
        typeIds: [],
        categoryIds: [],
        priorities: [],
        organizationId: by.role.superuser ? 0 : by.user.organizationId,
        geozoneId: 0,
        needs: [],
        tellOrganizationIds: [],
      };
      return changed(known, by, blank, order);
    },
    change: (plan, order, by) => changed(known, by, plan, order),
  };
}

function changed<P extends Draft<ResponsePlan>>(known: KnownToPlans, by: Actor, plan: P, order: PlanOrder): P {
  const next: P = { ...plan, ...definedFields(order), name: named(order.name, plan.name) };
  for (const field of ['typeIds', 'categoryIds', 'priorities', 'tellOrganizationIds'] as const)
    next[field] = [...new Set(next[field])];
  const requireNew = (
    field: string,
    ids: readonly number[],
    before: readonly number[],
    has: (id: number) => boolean,
  ) => {
    for (const id of ids)
      if (id !== 0 && !before.includes(id) && !has(id)) throw new Refusal('field.unknown', { field, id });
  };
  requireNew('typeIds', next.typeIds, plan.typeIds, known.taskType);
  requireNew('categoryIds', next.categoryIds, plan.categoryIds, known.category);
  requireNew('organizationId', [next.organizationId], [plan.organizationId], known.organization);
  requireNew('geozoneId', [next.geozoneId], [plan.geozoneId], (id) => known.seesGeozone(by, id));
  requireNew('tellOrganizationIds', next.tellOrganizationIds, plan.tellOrganizationIds, known.organization);
  const kinds = plan.needs.map(({ kindId }) => kindId);
  const capabilities = plan.needs.flatMap(({ capabilityIds }) => capabilityIds);
  for (const [index, need] of next.needs.entries()) {
    requireNew(`needs.${index}.kindId`, [need.kindId], kinds, known.vehicleKind);
    requireNew(`needs.${index}.capabilityIds`, need.capabilityIds, capabilities, known.capability);
    if (need.kindId === 0 && need.capabilityIds.length === 0)
      throw new Refusal('field.missing', { field: `needs.${index}.kindId` });
  }
  const places = next.needs.reduce((sum, { count }) => sum + count, 0);
  if (places === 0) throw new Refusal('field.missing', { field: 'needs' });
  if (places > MOST_PLACES) throw new Refusal('fleet.largePlan', { most: MOST_PLACES });
  return next;
}

/** Facts of a call that decide which plan applies; 0: not known. */
export interface CallFacts {
  readonly typeId: number;
  readonly categoryId: number;
  readonly priority: number;
  /** Vehicles that the caller's answers ask for, besides those of the plan. */
  readonly needs?: readonly PlanNeed[];
  /** The task's own organization, and the one that it is assigned to. */
  readonly organizationIds: readonly number[];
}

/**
 * The plan that applies to a call (rules 1 and 2).
 * @param isInside whether the place of the call is in a geozone
 */
export function planFor(
  plans: readonly ResponsePlan[],
  call: CallFacts,
  isInside: (geozoneId: number) => boolean,
): ResponsePlan | undefined {
  const holds = (plan: ResponsePlan): boolean =>
    allows(plan.typeIds, call.typeId) &&
    allows(plan.categoryIds, call.categoryId) &&
    allows(plan.priorities, call.priority) &&
    (plan.organizationId === 0 || call.organizationIds.includes(plan.organizationId)) &&
    (plan.geozoneId === 0 || isInside(plan.geozoneId));
  return plans.filter(holds).sort(bySpecificity)[0];
}

/** The plan with the further needs of a call; without a plan nothing is added. */
export function withNeeds(plan: ResponsePlan | undefined, needs: readonly PlanNeed[] = []): ResponsePlan | undefined {
  return plan && needs.length > 0 ? { ...plan, needs: [...plan.needs, ...needs].slice(0, MOST_PLACES) } : plan;
}

const allows = (condition: readonly number[], value: number): boolean =>
  condition.length === 0 || condition.includes(value);

function bySpecificity(one: ResponsePlan, other: ResponsePlan): number {
  const conditions = (plan: ResponsePlan): boolean[] => [
    plan.typeIds.length > 0,
    plan.categoryIds.length > 0,
    plan.priorities.length > 0,
    plan.geozoneId !== 0,
    plan.organizationId !== 0,
  ];
  const [ofOne, ofOther] = [conditions(one), conditions(other)];
  const difference = ofOne.findIndex((condition, index) => condition !== ofOther[index]);
  return difference < 0 ? one.id - other.id : ofOne[difference] ? -1 : 1;
}

/** Whether a vehicle is of the kind and has the capabilities. */
export function fills(
  need: PlanNeed,
  { kindId = 0, capabilityIds = [] }: Pick<Vehicle, 'kindId' | 'capabilityIds'>,
): boolean {
  return (need.kindId === 0 || need.kindId === kindId) && need.capabilityIds.every((id) => capabilityIds.includes(id));
}

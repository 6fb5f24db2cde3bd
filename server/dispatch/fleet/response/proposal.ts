import type { PlanNeed, ResponsePlan, Vehicle, VehicleKind } from '../../../../shared/records/index.ts';
import { reasonText, type Ranked, type RankReason } from '../rank.ts';
import { cheapestAssignment } from './assignment.ts';
import { fills } from './response-plans.ts';

type Equipped = Pick<Vehicle, 'kindId' | 'capabilityIds'>;

/** A vehicle of the proposal and its role in the plan; without a plan no special role. */
export interface ProposedUnit {
  readonly entry: Ranked;
  readonly role: string;
}

/** Places of one need that nobody fills. */
export interface Shortfall {
  readonly need: PlanNeed;
  readonly count: number;
  /** The first of the ranking that would fill it if it were free. */
  readonly nearest: Ranked | undefined;
}

export interface Proposal {
  readonly plan: ResponsePlan | undefined;
  readonly units: readonly ProposedUnit[];
  readonly short: readonly Shortfall[];
  readonly others: readonly Ranked[];
}

/**
 * The set of vehicles that fulfils the plan soonest (rule 4).
 * @param ranked all vehicles, in recommended order
 * @param sent vehicles that are on the task already: they fill places at no cost and are not proposed
 */
export function propose(
  plan: ResponsePlan | undefined,
  ranked: readonly Ranked[],
  sent: ReadonlySet<number> = new Set(),
): Proposal {
  const isSent = ({ candidate }: Ranked) => sent.has(candidate.vehicle.id);
  if (!plan) {
    const first = sent.size === 0 ? ranked.find(({ available }) => available) : undefined;
    return {
      plan,
      units: first ? [{ entry: first, role: '' }] : [],
      short: [],
      others: ranked.filter((entry) => entry !== first && !isSent(entry)),
    };
  }
  const candidates = ranked.filter((entry) => isSent(entry) || entry.available);
  const places = plan.needs.flatMap((need) => Array.from({ length: need.count }, () => need));
  const costs = places.map((need) =>
    candidates.map((entry) => {
      if (!fills(need, entry.candidate.vehicle)) return Infinity;
      return isSent(entry) ? 0 : entry.nearness;
    }),
  );
  const filledBy = cheapestAssignment(costs).map((index) => (index === undefined ? undefined : candidates[index]!));
  const units = places.flatMap((need, place) => {
    const entry = filledBy[place];
    return entry && !isSent(entry) ? [{ entry, role: need.role }] : [];
  });
  units.sort((one, other) => one.entry.nearness - other.entry.nearness);
  const proposed = new Set(units.map(({ entry }) => entry));
  const others = ranked.filter((entry) => !proposed.has(entry) && !isSent(entry));
  const short = plan.needs.flatMap((need) => {
    const count = places.filter((one, place) => one === need && !filledBy[place]).length;
    return count === 0 ? [] : [{ need, count, nearest: others.find((entry) => fills(need, entry.candidate.vehicle)) }];
  });
  return { plan, units, short, others };
}

/** Why a vehicle is not asked for (rule 3); undefined: it is. */
export function notAskedFor(
  plan: ResponsePlan | undefined,
  kindOf: (id: number) => VehicleKind | undefined,
  typeId: number,
): (vehicle: Equipped) => RankReason | undefined {
  return (vehicle) => {
    const kind = kindOf(vehicle.kindId ?? 0);
    if (plan)
      return plan.needs.some((need) => fills(need, vehicle))
        ? undefined
        : { code: 'not-in-plan', kind: kind?.name ?? '', plan: plan.name };
    return kind && typeId !== 0 && kind.typeIds.length > 0 && !kind.typeIds.includes(typeId)
      ? { code: 'unsuitable-kind', kind: kind.name }
      : undefined;
  };
}

/** "1 Ladder short; Ladder 1: busy with task 156". */
export function shortfallText({ count, nearest }: Shortfall, what: string): string {
  const text = `${count} ${what} short`;
  if (!nearest) return text;
  const reasons = nearest.reasons.filter(({ code }) => code !== 'further').map(reasonText);
  return `${text}; ${[nearest.candidate.vehicle.name, ...(reasons.length > 0 ? [reasons.join(', ')] : [])].join(': ')}`;
}

/** A part of the fleet in which vehicles of each kind should remain. */
export interface CoverDistrict {
  readonly id: number;
  readonly name: string;
  holds(entry: Ranked): boolean;
}

export interface Emptied {
  readonly district: CoverDistrict;
  readonly kindId: number;
}

/** The districts that the proposal leaves without a free vehicle of a kind (rule 6). */
export function emptied(
  units: readonly ProposedUnit[],
  ranked: readonly Ranked[],
  districts: readonly CoverDistrict[],
): Emptied[] {
  const proposed = new Set(units.map(({ entry }) => entry));
  const kindIds = new Set(units.map(({ entry }) => entry.candidate.vehicle.kindId ?? 0));
  const free = ranked.filter((entry) => entry.free && kindIds.has(entry.candidate.vehicle.kindId ?? 0));
  return districts.flatMap((district) => {
    const inside = free.filter((entry) => district.holds(entry));
    return [...kindIds].flatMap((kindId) => {
      const ofKind = inside.filter(({ candidate }) => (candidate.vehicle.kindId ?? 0) === kindId);
      return kindId !== 0 && ofKind.length > 0 && ofKind.every((entry) => proposed.has(entry))
        ? [{ district, kindId }]
        : [];
    });
  });
}

import type { ProposalAnswer, Recommendation } from '../../../lib/api/types.ts';

/** All vehicles of a proposal in one order: the proposed set, then the others as they are ranked. */
export function rankingOf({ units, others }: Pick<ProposalAnswer, 'units' | 'others'>): readonly Recommendation[] {
  return [...units, ...others];
}

/**
 * Whether it asks for more than the first of the ranking, or for a requirement that no vehicle meets. A
 * single vehicle is shown as the first of the ranking.
 */
export function isSet({ plan, units, short }: Pick<ProposalAnswer, 'plan' | 'units' | 'short'>): boolean {
  return plan !== null && (units.length > 1 || short.length > 0);
}

/** Where a vehicle stands among the free ones of its kind, 1 the soonest, and how many those are. */
export interface PlaceInKind {
  readonly at: number;
  readonly of: number;
}

/** The place of each proposed vehicle. */
export function proposalPlaces(
  { units, others }: Pick<ProposalAnswer, 'units' | 'others'>,
  kindOf: (vehicleId: number) => number,
): ReadonlyMap<number, PlaceInKind> {
  const free = [...units, ...others].filter(({ available }) => available).sort((one, other) => one.rank - other.rank);
  return new Map(
    units.map(({ carId }) => {
      const alike = free.filter((one) => kindOf(one.carId) === kindOf(carId));
      return [carId, { at: alike.findIndex((one) => one.carId === carId) + 1, of: alike.length }];
    }),
  );
}

import { expect, test } from 'vitest';
import type {
  ProposalAnswer,
  ProposedVehicle,
  Recommendation,
  MissingVehicles,
} from '../../../../../renderer/src/lib/api/types.ts';
import {
  isSet,
  proposalPlaces,
  rankingOf,
} from '../../../../../renderer/src/features/board/proposal/proposal-lines.ts';

const vehicle = (carId: number, rank: number, available = true) => ({ carId, rank, available }) as Recommendation;
const unit = (carId: number, rank: number) => vehicle(carId, rank) as ProposedVehicle;
const plan = { id: 1, name: 'Fire', tell: [] };
const proposal = (parts: Partial<ProposalAnswer>): ProposalAnswer => ({
  plan,
  units: [],
  short: [],
  cover: [],
  others: [],
  ...parts,
});

test('the proposed set stands before the others, so a digit means one vehicle in both', () => {
  const { units, others } = proposal({ units: [unit(1, 1), unit(4, 4)], others: [vehicle(2, 2), vehicle(3, 3)] });
  expect(rankingOf({ units, others }).map(({ carId }) => carId)).toEqual([1, 4, 2, 3]);
});

test('a plan that asks for several, or for what is short, is shown as a set; one vehicle is the ranking’s first', () => {
  const short = [{ what: 'Ladder' } as MissingVehicles];
  expect(isSet(proposal({ units: [unit(1, 1), unit(2, 2)] }))).toBe(true);
  expect(isSet(proposal({ units: [unit(1, 1)], short }))).toBe(true);
  expect(isSet(proposal({ short }))).toBe(true);
  expect(isSet(proposal({ units: [unit(1, 1)] }))).toBe(false);
  expect(isSet(proposal({ plan: null, units: [unit(1, 1), unit(2, 2)] }))).toBe(false);
});

test('a vehicle of the set knows its place among the free ones of its kind', () => {
  const kinds = new Map([
    [1, 7],
    [2, 7],
    [3, 7],
    [4, 8],
    [5, 7],
  ]);
  const others = [vehicle(3, 3), vehicle(5, 1, false)];
  const places = proposalPlaces({ units: [unit(1, 2), unit(2, 4), unit(4, 5)], others }, (id) => kinds.get(id)!);
  expect(places).toEqual(
    new Map([
      [1, { at: 1, of: 3 }],
      [2, { at: 3, of: 3 }],
      [4, { at: 1, of: 1 }],
    ]),
  );
});

import { expect, test } from 'vitest';
import {
  emptied,
  notAskedFor,
  planFor,
  propose,
  rank,
  shortfallText,
  type CallFacts,
  type Ranked,
  type VehicleCandidate,
} from '../../../../../server/dispatch/fleet/index.ts';
import { unknownState } from '../../../../../shared/fleet/last-state.ts';
import type { ResponsePlan, VehicleKind } from '../../../../../shared/records/index.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const [ENGINE, AMBULANCE, LIFT] = [1, 2, 3];
const LADDER = 7;
const record = { key: '', hlc: { base: '', fields: {} }, isDeleted: false } as const;
const kinds = new Map(
  ['Engine', 'Ambulance', 'Lift'].map((name, index): [number, VehicleKind] => [
    index + 1,
    { ...record, id: index + 1, kind: 'vehicleKind', name, glyph: 'truck', service: 'other', typeIds: [] },
  ]),
);
const need = (kindId: number, count = 1, capabilityIds: number[] = []) => ({ kindId, count, capabilityIds, role: '' });

let nextId = 1;
function plan(more: Partial<ResponsePlan> = {}): ResponsePlan {
  return {
    ...record,
    id: nextId++,
    kind: 'responsePlan',
    name: 'Fire',
    typeIds: [],
    categoryIds: [],
    priorities: [],
    organizationId: 0,
    geozoneId: 0,
    needs: [need(ENGINE)],
    tellOrganizationIds: [],
    ...more,
  };
}

/** Vehicles by name, seconds and kind, in recommended order. */
function ranked(
  vehicles: [name: string, seconds: number, kindId: number, capabilityIds?: number[], busyWith?: number][],
  asked?: ResponsePlan,
  typeId = 0,
): Ranked[] {
  const candidates = vehicles.map(([name, , kindId, capabilityIds = [], busyWith], index): VehicleCandidate => ({
    vehicle: { id: index + 1, name, onService: false, kindId, capabilityIds },
    state: { ...unknownState(index + 1), time: NOW - 5000, lat: 50, lon: 20, unitStatus: 1, unitStatusSince: NOW },
    busyWith: busyWith === undefined ? undefined : { id: busyWith, title: 'Other' },
  }));
  const travels = vehicles.map(([, time]) => ({ time, distance: time * 10 }));
  const suits = notAskedFor(asked, (id) => kinds.get(id), typeId);
  return rank({ lat: 50, lon: 20 }, candidates, travels, NOW, suits);
}

const names = (entries: readonly { entry: Ranked }[]) => entries.map(({ entry }) => entry.candidate.vehicle.name);

test('rule 2: the type decides before the category, the priority, the geozone and the organization', () => {
  const call: CallFacts = { typeId: 4, categoryId: 5, priority: 1, organizationIds: [6] };
  const byRank = [
    plan({ typeIds: [4] }),
    plan({ categoryIds: [5], priorities: [1], geozoneId: 8, organizationId: 6 }),
    plan({ priorities: [1, 2], geozoneId: 8, organizationId: 6 }),
    plan({ geozoneId: 8, organizationId: 6 }),
    plan({ organizationId: 6 }),
    plan(),
    plan(),
  ];
  for (const [index, expected] of byRank.entries())
    expect(planFor(byRank.slice(index).toReversed(), call, (id) => id === 8)).toBe(expected);
  const others = [
    plan({ typeIds: [3] }),
    plan({ categoryIds: [1] }),
    plan({ priorities: [2] }),
    plan({ geozoneId: 9 }),
    plan({ organizationId: 7 }),
  ];
  expect(planFor(others, call, (id) => id === 8)).toBeUndefined();
});

test('rule 3: a vehicle that the plan does not ask for stands behind busy ones, with the reason', () => {
  const order = ranked(
    [
      ['Lift 1', 60, LIFT],
      ['Engine 1', 100, ENGINE, [], 156],
      ['Engine 2', 400, ENGINE],
      ['No kind', 10, 0],
    ],
    plan(),
  );
  expect(order.map(({ candidate }) => candidate.vehicle.name)).toEqual(['Engine 2', 'Engine 1', 'No kind', 'Lift 1']);
  expect(order.at(-1)).toMatchObject({ available: false, reasons: [{ code: 'not-in-plan', kind: 'Lift' }] });
});

test('rule 3: without a plan a kind is passed over for types that it does not serve', () => {
  kinds.get(LIFT)!.typeIds.push(9);
  const first = (typeId: number) =>
    ranked(
      [
        ['Lift 1', 60, LIFT],
        ['Engine 1', 100, ENGINE],
      ],
      undefined,
      typeId,
    )[0]!.candidate.vehicle.name;
  expect([first(0), first(9), first(4)]).toEqual(['Lift 1', 'Lift 1', 'Engine 1']);
  kinds.get(LIFT)!.typeIds.pop();
});

test('rules 4 and 7: the set has what the plan asks for, and what is short names who has it', () => {
  const asked = plan({ needs: [need(ENGINE, 2), need(ENGINE, 1, [LADDER]), need(AMBULANCE, 2)] });
  const entries = ranked(
    [
      ['Engine 1', 100, ENGINE, [LADDER]],
      ['Engine 2', 200, ENGINE],
      ['Engine 3', 300, ENGINE],
      ['Medic 1', 90, AMBULANCE],
      ['Medic 2', 30, AMBULANCE, [], 156],
      ['Lift 1', 10, LIFT],
    ],
    asked,
  );
  const { units, short, others } = propose(asked, entries);
  expect(names(units)).toEqual(['Medic 1', 'Engine 1', 'Engine 2', 'Engine 3']);
  expect(short).toMatchObject([{ count: 1, need: { kindId: AMBULANCE } }]);
  expect(shortfallText(short[0]!, 'Ambulance')).toBe('1 Ambulance short; Medic 2: busy with task 156');
  expect(others.map(({ candidate }) => candidate.vehicle.name)).toEqual(['Medic 2', 'Lift 1']);
});

test('rule 5: who is on the task fills a place, and is not proposed again', () => {
  const asked = plan({ needs: [need(ENGINE, 2)] });
  const entries = ranked(
    [
      ['Engine 1', 900, ENGINE, [], 12],
      ['Engine 2', 200, ENGINE],
      ['Engine 3', 300, ENGINE],
    ],
    asked,
  );
  const { units, short } = propose(asked, entries, new Set([1]));
  expect(names(units)).toEqual(['Engine 2']);
  expect(short).toEqual([]);
});

test('rule 6: a district is emptied when its last free vehicle of a kind is proposed', () => {
  const asked = plan({ needs: [need(ENGINE)] });
  const entries = ranked(
    [
      ['Engine 1', 100, ENGINE],
      ['Engine 2', 200, ENGINE],
      ['Engine 3', 300, ENGINE, [], 5],
    ],
    asked,
  );
  const { units } = propose(asked, entries);
  const district = (name: string, ...ids: number[]) => ({
    id: 1,
    name,
    holds: ({ candidate }: Ranked) => ids.includes(candidate.vehicle.id),
  });
  const districts = [district('North', 1, 3), district('South', 1, 2), district('West', 2), district('East')];
  expect(emptied(units, entries, districts).map(({ district: { name }, kindId }) => [name, kindId])).toEqual([
    ['North', ENGINE],
  ]);
});

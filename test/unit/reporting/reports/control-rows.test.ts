import { expect, test } from 'vitest';
import type { EventRecord } from '../../../../shared/records/index.ts';
import { controlRows } from '../../../../server/reporting/reports/fleet/control-rows.ts';
import type { DrivenRoute, ReportedVehicle } from '../../../../server/reporting/reports/fleet/report.ts';

const MINUTE = 60_000;
const van = { id: 1, name: 'Van', plate: 'A 1', expense: null, fuel: [], deletedAt: null };
const points = [
  { id: 1, name: 'Gate', arriveAfter: 0 },
  { id: 2, name: 'Bridge', arriveAfter: 20 * 60 },
  { id: 3, name: 'Quay', arriveAfter: null },
];
const round: DrivenRoute = {
  id: 9,
  name: 'Round',
  vehicleIds: [1],
  points,
  from: 100 * MINUTE,
  till: null,
  validFrom: 0,
  validTill: null,
};
const event = (type: number, subject: string, from: number, till: number): EventRecord =>
  ({ type, subject, from: from * MINUTE, until: till * MINUTE, info: subject, data: { routeId: 9 } }) as never;
const visit = (point: number, from: number, till: number) => event(13, `control:9.${point}`, from, till);
/** What the report says of each point: plan, arrival, late and missed, in minutes. */
function rows(...asked: Parameters<typeof told>) {
  return told(...asked).map(({ pointName, planned, arrived, late, missed }) => [
    pointName,
    planned,
    arrived,
    late,
    missed,
  ]);
}
function told(
  routes: readonly DrivenRoute[],
  events: readonly EventRecord[],
  { from = 0, till = 1000, madeAt = 1000, heardSince = 0, vehicle = van as ReportedVehicle } = {},
) {
  const file = {
    events: (_vehicle: number, types: readonly number[]) => events.filter(({ type }) => types.includes(type)),
  };
  const found = controlRows(file as never, vehicle, heardSince * MINUTE, {
    from: from * MINUTE,
    till: till * MINUTE,
    madeAt: madeAt * MINUTE,
    routes,
  });
  const minutes = (time: unknown) => (typeof time === 'number' ? time / MINUTE : time);
  return [...found].map(({ planned, arrived, left, ...row }): Record<string, unknown> => ({
    ...row,
    planned: minutes(planned),
    arrived: minutes(arrived),
    left: minutes(left),
  }));
}

test('late, early and missed against the plan, counted from the beginning of the route; without a plan the visit alone', () => {
  expect(rows([round], [visit(1, 95, 101), visit(2, 132.5, 134), visit(3, 140, 0)])).toEqual([
    ['Gate', 100, 95, -5, false],
    ['Bridge', 120, 132.5, 12.5, false],
    ['Quay', null, 140, null, false],
  ]);
  expect(rows([round], [visit(1, 101, 102)])).toEqual([
    ['Gate', 100, 101, 1, false],
    ['Bridge', 120, null, null, true],
  ]);
});

test('what is not due yet is not there; what is due is late up to now, and missed after an hour of waiting', () => {
  expect(rows([round], [], { madeAt: 100 })).toEqual([]);
  expect(rows([round], [], { madeAt: 110 })).toEqual([['Gate', 100, null, 10, false]]);
  expect(rows([round], [], { madeAt: 159 })).toEqual([
    ['Gate', 100, null, 59, false],
    ['Bridge', 120, null, 39, false],
  ]);
  expect(rows([round], [], { madeAt: 160 })).toEqual([
    ['Gate', 100, null, null, true],
    ['Bridge', 120, null, 40, false],
  ]);
});

test('who was at a later point has missed the ones before it, and none that is to come', () => {
  expect(rows([round], [visit(2, 115, 116)], { madeAt: 117 })).toEqual([
    ['Gate', 100, null, null, true],
    ['Bridge', 120, 115, -5, false],
  ]);
  expect(rows([round], [visit(1, 101, 102)], { madeAt: 125 })).toEqual([
    ['Gate', 100, 101, 1, false],
    ['Bridge', 120, null, 5, false],
  ]);
});

test('who has just joined a route has missed nothing; who has left it has', () => {
  const daily = { ...round, from: null };
  expect(rows([daily], [event(16, 'route:9', 200, 0)], { madeAt: 201 })).toEqual([['Gate', 200, null, 1, false]]);
  expect(rows([daily], [event(16, 'route:9', 200, 203)], { madeAt: 203 })).toEqual([['Gate', 200, null, null, true]]);
  expect(rows([{ ...round, till: 105 * MINUTE }], [], { madeAt: 105 })).toEqual([['Gate', 100, null, null, true]]);
  expect(rows([{ ...round, validTill: 105 * MINUTE }], [], { madeAt: 106 })).toEqual([['Gate', 100, null, 6, false]]);
});

test('where a vehicle was before its first record nobody knows: it has not missed what was planned for then', () => {
  expect(rows([round], [], { heardSince: 100 })).toEqual([
    ['Gate', 100, null, null, false],
    ['Bridge', 120, null, null, true],
  ]);
  expect(rows([round], [], { heardSince: Infinity })).toEqual([
    ['Gate', 100, null, null, false],
    ['Bridge', 120, null, null, false],
  ]);
  expect(rows([round], [], { heardSince: 100, madeAt: 130 })).toEqual([
    ['Gate', 100, null, null, false],
    ['Bridge', 120, null, 10, false],
  ]);
});

test('a route without a beginning counts from when the vehicle joined it, each time again', () => {
  const daily = { ...round, from: null };
  const joined = [event(16, 'route:9', 200, 300), event(16, 'route:9', 400, 0), event(16, 'route:8', 500, 600)];
  expect(rows([daily], [...joined, visit(1, 200, 201), visit(2, 221, 222), visit(1, 400, 401)])).toEqual([
    ['Gate', 200, 200, 0, false],
    ['Bridge', 220, 221, 1, false],
    ['Gate', 400, 400, 0, false],
    ['Bridge', 420, null, null, true],
  ]);
  expect(rows([daily], [])).toEqual([]);
});

test('a second visit on the same drive, and one on none, stand there without a plan', () => {
  expect(rows([round], [visit(1, 100, 101), visit(1, 150, 151), visit(2, 120, 121)])).toEqual([
    ['Gate', 100, 100, 0, false],
    ['Bridge', 120, 120, 0, false],
    ['control:9.1', null, 150, null, false],
  ]);
  expect(rows([{ ...round, vehicleIds: [2] }], [visit(1, 30, 31)])).toEqual([['control:9.1', null, 30, null, false]]);
});

test('each version plans what lies in its time', () => {
  const [before, after] = [
    { ...round, validTill: 110 * MINUTE },
    { ...round, validFrom: 110 * MINUTE, points: [{ ...points[1]!, arriveAfter: 30 * 60 }] },
  ];
  expect(rows([before, after], [visit(1, 100, 101), visit(2, 131, 132)])).toEqual([
    ['Gate', 100, 100, 0, false],
    ['Bridge', 130, 131, 1, false],
  ]);
});

/** A route that is edited, at 110 when nothing else is said. */
const edited = (before: Partial<DrivenRoute>, after: Partial<DrivenRoute>, at = 110): DrivenRoute[] => [
  { ...round, ...before, validTill: at * MINUTE },
  { ...round, ...after, validFrom: at * MINUTE },
];
const [gate, bridge] = [points[0]!, points[1]!];

test('an edit goes on with the drive: who comes after it is late by the plan, who came before it has been there, and nothing is there twice', () => {
  const renamed = edited({}, { name: 'Round again' });
  expect(rows(renamed, [visit(1, 125, 126)])).toEqual([
    ['Gate', 100, 125, 25, false],
    ['Bridge', 120, null, null, true],
  ]);
  expect(rows(renamed, [visit(1, 100, 101), visit(2, 105, 106)])).toEqual([
    ['Gate', 100, 100, 0, false],
    ['Bridge', 120, 105, -15, false],
  ]);
  const joined = [event(16, 'route:9', 101, 300), event(16, 'route:9', 400, 0)];
  expect(
    rows(
      renamed.map((route) => ({ ...route, from: null })),
      [...joined, visit(1, 125, 126), visit(1, 405, 406)],
      { madeAt: 410 },
    ),
  ).toEqual([
    ['Gate', 101, 125, 24, false],
    ['Bridge', 121, null, null, true],
    ['Gate', 400, 405, 5, false],
  ]);
});

test('who comes after the route lost its plan, or was taken away, is held against the plan whose time had come', () => {
  expect(rows(edited({}, { from: 500 * MINUTE }), [visit(1, 125, 126), visit(1, 503, 504)], { madeAt: 510 })).toEqual([
    ['Gate', 100, 125, 25, false],
    ['Gate', 500, 503, 3, false],
  ]);
  expect(rows(edited({}, { from: null }), [visit(1, 125, 126)])).toEqual([['Gate', 100, 125, 25, false]]);
  expect(
    rows(
      edited(
        {},
        {
          points: [
            { ...gate, arriveAfter: null },
            { ...bridge, arriveAfter: null },
          ],
        },
      ),
      [visit(1, 125, 126), visit(2, 130, 131)],
    ),
  ).toEqual([
    ['Gate', 100, 125, 25, false],
    ['Bridge', null, 130, null, false],
  ]);
  expect(rows([{ ...round, validTill: 110 * MINUTE }], [visit(1, 109.5, 111), visit(2, 110, 111)])).toEqual([
    ['Gate', 100, 109.5, 9.5, false],
    ['Bridge', null, 110, null, false],
  ]);
});

test('a plan that is given after the visit is not held against it, and makes nobody miss what is due before it', () => {
  const given = edited({}, { points: [gate, bridge, { ...points[2]!, arriveAfter: 30 * 60 }] });
  const visits = [visit(1, 100, 101), visit(3, 105, 106)];
  expect(rows(given, visits, { madeAt: 121 })).toEqual([
    ['Gate', 100, 100, 0, false],
    ['Quay', null, 105, null, false],
    ['Bridge', 120, null, 1, false],
  ]);
  // Of a visit that the first version found under way it is the plan.
  expect(rows([{ ...round, points: [gate], validFrom: 100 * MINUTE }], [visit(1, 95, 102)])).toEqual([
    ['Gate', 100, 95, -5, false],
  ]);
});

test('what is put off while the vehicle is waited for is not missed; after an hour it was', () => {
  const later = (seconds: number) => ({ points: [{ ...gate, arriveAfter: seconds }] });
  expect(rows(edited({}, later(30 * 60)), [visit(1, 125, 126)])).toEqual([['Gate', 130, 125, -5, false]]);
  expect(rows(edited({}, later(30 * 60)), [], { madeAt: 132 })).toEqual([['Gate', 130, null, 2, false]]);
  expect(rows(edited({ points: [gate] }, later(300 * 60), 159), [visit(1, 399, 400)])).toEqual([
    ['Gate', 400, 399, -1, false],
  ]);
  expect(rows(edited({ points: [gate] }, later(300 * 60), 160), [visit(1, 399, 400)])).toEqual([
    ['Gate', 100, null, null, true],
    ['Gate', 400, 399, -1, false],
  ]);
  // Who was there need not come again for an edit.
  expect(rows(edited({ points: [gate] }, later(30 * 60)), [visit(1, 100, 101)])).toEqual([
    ['Gate', 100, 100, 0, false],
  ]);
});

test('a beginning that is corrected goes on with the drive; one long after it is another drive', () => {
  expect(rows(edited({}, { from: 105 * MINUTE }), [visit(1, 125, 126)])).toEqual([
    ['Gate', 105, 125, 20, false],
    ['Bridge', 125, null, null, true],
  ]);
  // Also when it is still to come as the route is edited.
  const putOff = edited({ points: [gate] }, { points: [gate], from: 130 * MINUTE });
  expect(rows(putOff, [visit(1, 131, 132)])).toEqual([['Gate', 130, 131, 1, false]]);
  expect(rows(putOff, [visit(1, 101, 102)])).toEqual([['Gate', 100, 101, 1, false]]);
  expect(rows(putOff, [], { madeAt: 120 })).toEqual([]);
  const longer = edited({ points: [gate] }, { points: [gate], from: 160 * MINUTE });
  expect(rows(longer, [visit(1, 161, 162)])).toEqual([
    ['Gate', 100, null, null, true],
    ['Gate', 160, 161, 1, false],
  ]);
  const nextDay = edited({}, { from: 1540 * MINUTE }, 1545);
  expect(
    rows(nextDay, [visit(1, 100, 101), visit(2, 120, 121), visit(1, 1546, 1547)], { till: 2000, madeAt: 1550 }),
  ).toEqual([
    ['Gate', 100, 100, 0, false],
    ['Bridge', 120, 120, 0, false],
    ['Gate', 1540, 1546, 6, false],
  ]);
  // Its last point is waited for for an hour: up to 180.
  expect(rows(edited({}, { from: 179 * MINUTE, points: [gate] }, 179), [visit(1, 100, 101)])).toEqual([
    ['Gate', 100, 100, 0, false],
    ['Bridge', 120, null, null, true],
  ]);
  expect(rows(edited({}, { from: 180 * MINUTE, points: [gate] }, 180), [visit(1, 100, 101)])).toEqual([
    ['Gate', 100, 100, 0, false],
    ['Bridge', 120, null, null, true],
    ['Gate', 180, null, null, true],
  ]);
});

test('of a vehicle that was deleted nothing is due afterwards, and what it was waited for it has missed', () => {
  const asOf = (at: number) => ({ madeAt: 1000, vehicle: { ...van, deletedAt: at * MINUTE } });
  const deleted = (at: number) => rows([round], [], asOf(at));
  expect(deleted(110)).toEqual([['Gate', 100, null, null, true]]);
  expect(deleted(100)).toEqual([]);
  expect(told([round], [visit(1, 105, 0), visit(3, 106, 107)], asOf(110))).toMatchObject([
    { pointName: 'Gate', planned: 100, arrived: 105, left: 110, late: 5, missed: false },
    { pointName: 'Quay', arrived: 106, left: 107 },
  ]);
  expect(told([round], [], asOf(110))).toMatchObject([{ pointName: 'Gate', left: null, missed: true }]);
});

test('the period is that of the plan, from its beginning up to its end', () => {
  const all = [visit(1, 100, 101), visit(2, 125, 126)];
  expect(rows([round], all, { from: 101 })).toEqual([['Bridge', 120, 125, 5, false]]);
  expect(rows([round], all, { from: 100, till: 120 })).toEqual([['Gate', 100, 100, 0, false]]);
});

test('rows are in the order of their times, whatever the order of the routes and points', () => {
  const late: DrivenRoute = { ...round, id: 8, name: 'Early round', from: 50 * MINUTE, points: [points[0]!] };
  expect(rows([{ ...round, points: points.toReversed() }, late], [visit(3, 110, 111), visit(1, 99, 100)])).toEqual([
    ['Gate', 50, null, null, true],
    ['Gate', 100, 99, -1, false],
    ['Quay', null, 110, null, false],
    ['Bridge', 120, null, null, true],
  ]);
});

test('a plan does not count before its version begins, and a point whose time is now is not late yet', () => {
  expect(rows([{ ...round, validFrom: 110 * MINUTE }], [])).toEqual([['Bridge', 120, null, null, true]]);
  expect(rows([{ ...round, validFrom: 120 * MINUTE }], [])).toEqual([['Bridge', 120, null, null, true]]);
  expect(rows([{ ...round, validTill: 120 * MINUTE }], [])).toEqual([['Gate', 100, null, null, true]]);
  expect(rows([round], [], { madeAt: 120 })).toEqual([['Gate', 100, null, 20, false]]);
});

test('what began within a week before the period is looked for, and who is still there has not left', () => {
  let since = NaN;
  const asked = {
    events: (_vehicle: number, _types: readonly number[], from: number) => ((since = from), [visit(1, 10_095, 0)]),
  };
  const [row] = controlRows(asked as never, van, 0, {
    from: 10_090 * MINUTE,
    till: 10_200 * MINUTE,
    madeAt: 10_100 * MINUTE,
    routes: [{ ...round, from: 10_090 * MINUTE }],
  });
  expect([since, row]).toEqual([
    10 * MINUTE,
    expect.objectContaining({ routeName: 'Round', arrived: 10_095 * MINUTE, left: null, late: 5 }),
  ]);
});

test('a visit on no drive is called by the route that it belongs to', () => {
  const file = { events: () => [visit(1, 30, 31)] };
  const found = [
    ...controlRows(file as never, van, 0, {
      from: 0,
      till: 60 * MINUTE,
      madeAt: 60 * MINUTE,
      routes: [
        { ...round, vehicleIds: [] },
        { ...round, id: 8, name: 'Other', vehicleIds: [] },
      ],
    }),
  ];
  expect(found.map(({ routeName, pointName }) => [routeName, pointName])).toEqual([['Round', 'control:9.1']]);
});

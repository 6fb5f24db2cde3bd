import { expect, test } from 'vitest';
import { rank, reasonText, type VehicleCandidate, type Travel } from '../../../../server/dispatch/fleet/index.ts';
import { unknownState, type LastState } from '../../../../shared/fleet/last-state.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const SCENE = { lat: 50, lon: 20 };
let nextId = 1;

function van(
  name: string,
  more: { state?: Partial<LastState> | null; onService?: boolean; busyWith?: { id: number; title: string } } = {},
): VehicleCandidate {
  const id = nextId++;
  const state =
    more.state === null
      ? undefined
      : {
          ...unknownState(id),
          time: NOW - 5_000,
          lat: 50,
          lon: 20.01,
          unitStatus: 1,
          unitStatusSince: NOW - 60_000,
          ...more.state,
        };
  return { vehicle: { id, name, onService: more.onService ?? false }, state, busyWith: more.busyWith };
}

const minutes = (count: number): Travel => ({ time: count * 60, distance: count * 800 });

/** "name: reasons" for each, passed-over ones in brackets. */
function order(candidates: VehicleCandidate[], travels: (Travel | undefined)[] | 'no-territory'): string[] {
  return rank(SCENE, candidates, travels, NOW).map(({ candidate, available, reasons }) => {
    const line = [candidate.vehicle.name, ...reasons.map(reasonText)].join(': ');
    return available ? line : `(${line})`;
  });
}

test('the free vehicle that is there first by road comes first, the others say how much later they are', () => {
  expect(order([van('Van 3'), van('Van 7'), van('Van 5')], [minutes(16), minutes(4), minutes(4.4)])).toEqual([
    'Van 7',
    'Van 5',
    'Van 3: 12 min further than Van 7',
  ]);
});

test('a vehicle is called further from one rounded minute on: 30 s later, not 29', () => {
  const second = (later: number) =>
    order([van('Van 1'), van('Van 2')], [minutes(4), { time: 240 + later, distance: 3200 }])[1];
  expect([29, 30, 60, 89].map(second)).toEqual([
    'Van 2',
    'Van 2: 1 min further than Van 1',
    'Van 2: 1 min further than Van 1',
    'Van 2: 1 min further than Van 1',
  ]);
});

test('a vehicle whose crew gave the task back is passed over', () => {
  const broken = { ...van('Van 1'), gaveBack: true };
  expect(order([broken, van('Van 2')], [minutes(1), minutes(9)])).toEqual(['Van 2', '(Van 1: gave this task back)']);
});

test('a vehicle without a crew in the running shift is passed over', () => {
  const off = { ...van('Van 1'), isOffShift: true };
  expect(order([off, van('Van 2')], [minutes(1), minutes(9)])).toEqual(['Van 2', '(Van 1: not on duty)']);
});

test('a nearer vehicle that is passed over stands behind, with why not', () => {
  const busy = van('Van 1', { busyWith: { id: 41, title: 'Burst pipe' } });
  const off = van('Van 2', { state: { unitStatus: 6 } });
  const workshop = van('Van 3', { onService: true });
  const stale = van('Van 4', { state: { time: NOW - 40 * 60_000 } });
  const onScene = van('Van 5', { state: { unitStatus: 4 } });
  const free = van('Van 6');
  expect(order([busy, off, workshop, stale, onScene, free], [1, 2, 3, 4, 5, 20].map(minutes))).toEqual([
    'Van 6',
    '(Van 1: busy with task 41)',
    '(Van 2: out of service)',
    '(Van 3: on maintenance)',
    '(Van 4: position 40 min old)',
    '(Van 5: on scene)',
  ]);
});

test('a vehicle that was never heard, or has no road there, is last', () => {
  expect(
    order([van('Van 1', { state: null }), van('Van 2'), van('Van 3')], [undefined, 'no-road', minutes(30)]),
  ).toEqual(['Van 3', '(Van 2: no road there)', '(Van 1: no position)']);
});

test('a crew that said nothing yet is free', () => {
  expect(order([van('Van 1', { state: { unitStatus: 0, unitStatusSince: 0 } })], [minutes(3)])).toEqual(['Van 1']);
  expect(order([van('Van 1', { state: { unitStatus: 0 } })], [minutes(3)])).toEqual(['(Van 1: calls for help itself)']);
});

test('all reasons are said, not only the first', () => {
  const worst = van('Van 1', { onService: true, busyWith: { id: 4, title: 'x' }, state: { time: NOW - 11 * 60_000 } });
  expect(order([worst], ['no-road'])).toEqual([
    '(Van 1: on maintenance: busy with task 4: position 11 min old: no road there)',
  ]);
});

test('with no territory the order is by air distance, no time is invented, and each entry says so', () => {
  const far = van('Van 1', { state: { lon: 20.1 } });
  const near = van('Van 2', { state: { lon: 20.001 } });
  const ranked = rank(SCENE, [far, near], 'no-territory', NOW);
  expect(ranked.map((entry) => [entry.candidate.vehicle.name, entry.time, entry.distance])).toEqual([
    ['Van 2', undefined, undefined],
    ['Van 1', undefined, undefined],
  ]);
  expect(reasonText(ranked[1]!.reasons[0]!)).toBe('no road times: no territory is loaded; 7.1 km as the crow flies');
});

test('ties are in the order of names as people count them', () => {
  expect(order([van('Van 10'), van('Van 9')], [minutes(5), minutes(5)])).toEqual(['Van 9', 'Van 10']);
});

import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ApiError, Client } from '../../../../../renderer/src/lib/api/client.ts';
import { squareKilometres } from '../../../../../renderer/src/features/routes/reach/reach-area.ts';
import { latestOnly } from '../../../../../renderer/src/lib/api/latest-only.ts';
import {
  closuresInPhase,
  closureDraft,
  minuteOrNull,
  localTime,
  closureBody,
  closurePhaseOf,
} from '../../../../../renderer/src/features/routes/closures/closures.ts';
import { notOnMap } from '../../../../../server/geo/routing/answer/not-on-map.ts';
import {
  driveArrivals,
  readDrives,
  viarouteAddress,
  type PlannedDrive,
} from '../../../../../renderer/src/features/routes/options/drive.ts';
import { followRoad } from '../../../../../renderer/src/features/routes/plan/follow-road.ts';
import { gpxOf } from '../../../../../renderer/src/features/routes/plan/gpx.ts';
import { drawnOf, inSight, scrolledTo } from '../../../../../renderer/src/features/routes/plan/in-sight.ts';
import { readSteps, stepWord } from '../../../../../renderer/src/features/routes/plan/instructions.ts';
import {
  freshStops,
  indexOnWay,
  insertStop,
  lineToFill,
  linkOf,
  MAX_STOPS,
  moveStop,
  placesOfLink,
  putPlace,
  removeStop,
  type Stop,
} from '../../../../../renderer/src/features/routes/plan/stops.ts';
import {
  csvOf,
  nearestRows,
  readTravelTable,
  rowKeys,
  sortedRows,
  tableAddress,
} from '../../../../../renderer/src/features/routes/times/travel-table.ts';
import { en, ru } from '../../../../../renderer/src/lib/i18n/catalogues/map/routes.ts';
import { parseRoutingQuery } from '../../../../../server/http/routing/routing-query.ts';
import { encodePolyline } from '../../../../../server/geo/routing/index.ts';
import type { RoadClosure } from '../../../../../shared/records/index.ts';

const place = (label: string, lat = 43.7, lon = 7.4) => ({ label, lat, lon });
const filled = (...labels: string[]): readonly Stop[] => freshStops(labels.map((label) => place(label)));
const labels = (stops: readonly Stop[]) => stops.map((stop) => stop.place?.label ?? '–').join(' ');

test('start and goal are always there; what is taken away is emptied when only they are left', () => {
  expect(labels(freshStops())).toBe('– –');
  const three = filled('a', 'b', 'c');
  expect(labels(removeStop(three, three[1]!.id))).toBe('a c');
  const two = filled('a', 'c');
  expect(labels(removeStop(two, two[0]!.id))).toBe('– c');
});

test('a line moves to where another is, and the others close up', () => {
  expect(labels(moveStop(filled('a', 'b', 'c', 'd'), 0, 2))).toBe('b c a d');
  expect(labels(moveStop(filled('a', 'b', 'c', 'd'), 3, 1))).toBe('a d b c');
  const stops = filled('a', 'b');
  expect(moveStop(stops, 0, -1)).toBe(stops);
  expect(moveStop(stops, 1, 2)).toBe(stops);
});

test('lines keep their names through any edits, and are never more than a route may have', () => {
  const edit = fc.oneof(
    fc.record({ kind: fc.constant('insert'), at: fc.nat(30) }),
    fc.record({ kind: fc.constant('move'), at: fc.nat(30), to: fc.nat(30) }),
    fc.record({ kind: fc.constant('remove'), at: fc.nat(30) }),
  );
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 60 }), (edits) => {
      let stops = freshStops();
      for (const one of edits) {
        if (one.kind === 'insert') stops = insertStop(stops, one.at % (stops.length + 1), place('x'));
        else if (one.kind === 'move')
          stops = moveStop(stops, one.at % stops.length, ('to' in one ? one.to : 0) % stops.length);
        else stops = removeStop(stops, stops[one.at % stops.length]!.id);
      }
      expect(new Set(stops.map(({ id }) => id)).size).toBe(stops.length);
      expect(stops.length).toBeGreaterThanOrEqual(2);
      expect(stops.length).toBeLessThanOrEqual(MAX_STOPS);
    }),
  );
});

test('a click fills the line that waits, else the first empty one, else none', () => {
  const [first, second] = freshStops();
  expect(lineToFill([first!, second!], undefined)).toBe(first!.id);
  expect(lineToFill([first!, second!], second!.id)).toBe(second!.id);
  const full = filled('a', 'b');
  expect(lineToFill(full, undefined)).toBeUndefined();
  expect(lineToFill(full, full[0]!.id)).toBe(full[0]!.id);
});

test('what is pulled out of the way comes after the stop whose leg it is on, also with empty lines between', () => {
  const stops = filled('a', 'b', 'c');
  expect([0, 4, 5, 9, 10].map((vertex) => indexOnWay(stops, [0, 5, 10], vertex))).toEqual([1, 1, 2, 2, 2]);
  expect(indexOnWay(insertStop(stops, 1), [0, 5, 10], 7)).toBe(3);
});

test('a link has the stops, and what is no place in a link is passed over', () => {
  expect(placesOfLink(linkOf([place('a', 43.7312345, 7.41), place('b', -10.5, -170)]))).toEqual([
    { lat: 43.73123, lon: 7.41, label: '43.73123, 7.41000' },
    { lat: -10.5, lon: -170, label: '-10.50000, -170.00000' },
  ]);
  expect(placesOfLink('91,7;43.7,181;x,y;;43.7,7.4;43.7')).toEqual([
    { lat: 43.7, lon: 7.4, label: '43.70000, 7.40000' },
  ]);
});

test('the newest question is asked next, one at a time, and an answer that nobody wants any more is dropped', async () => {
  const waiting: { question: number; answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const taken: string[] = [];
  const failed: number[] = [];
  const ask = latestOnly<number, string>(
    (question) => new Promise((answer, fail) => waiting.push({ question, answer, fail })),
    (answer) => taken.push(answer),
    (_error, question) => failed.push(question),
  );
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  ask(1);
  ask(2);
  ask(3);
  expect(waiting.map(({ question }) => question)).toEqual([1]);
  waiting[0]!.answer('one');
  await settle();
  expect([taken, waiting.map(({ question }) => question)]).toEqual([['one'], [1, 3]]); // 2 was overtaken
  ask(undefined);
  waiting[1]!.answer('three');
  await settle();
  expect(taken).toEqual(['one']);
  ask(4);
  ask(5);
  waiting[2]!.fail(new ApiError(400, 'of the past'));
  await settle();
  expect(failed).toEqual([]); // 5 is asked, so nobody cares about 4
  waiting[3]!.fail(new ApiError(400, 'now'));
  await settle();
  expect(failed).toEqual([5]);
  ask(6);
  waiting[4]!.answer('six');
  await settle();
  expect(taken).toEqual(['one', 'six']);
});

test('while the station is away the newest question is put once in three seconds, however often it was changed, until it is answered or nobody wants it', async () => {
  vi.useFakeTimers();
  try {
    const asked: number[] = [];
    let status: number | undefined = 0;
    const taken: string[] = [];
    const ask = latestOnly<number, string>(
      (question) => (
        asked.push(question),
        status === undefined ? Promise.resolve(`answer ${question}`) : Promise.reject(new ApiError(status, ''))
      ),
      (answer) => taken.push(answer),
      () => {},
    );
    for (let question = 1; question <= 20; question++) {
      ask(question);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(asked).toHaveLength(20);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(asked.slice(20)).toEqual(Array.from({ length: 10 }, () => 20));
    status = 503;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(asked).toHaveLength(31);
    status = undefined;
    await vi.advanceTimersByTimeAsync(30_000);
    expect([taken, asked.length]).toEqual([['answer 20'], 32]);
    status = 400; // no answer will come of the same question
    ask(21);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(asked).toHaveLength(33);
    status = 0;
    ask(22);
    await vi.advanceTimersByTimeAsync(0);
    ask(undefined);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(asked).toHaveLength(34);
  } finally {
    vi.useRealTimers();
  }
});

const ROWS = [
  ['10', 'Mill Street', 120, 0, 10, '120m', 'NE', 40, 1],
  ['3', '', 300, 2, 20, '300m', 'E', 90, 1],
  ['9', 'Ferry Line', 900, 3, 60, '900m', 'E', 90, 2],
  ['11-2', 'High Street', 100, 4, 10, '100m', 'S', 180, 1],
  ['15', '', 0, 5, 0, '0m', 'N', 0, 1],
] as const;

test('instructions are read by position: turns, exits, modes, and the stops counted', () => {
  const steps = readSteps(ROWS);
  expect(steps.map(({ turn, exit, mode, stop }) => [turn, exit, mode, stop])).toEqual([
    ['head', 0, 1, 0],
    ['right', 0, 1, 0],
    ['via', 0, 2, 1],
    ['roundabout', 2, 1, 1],
    ['arrived', 0, 1, 2],
  ]);
  expect(readSteps([['99', 'x', 1, 1, 1, '1m', 'N', 0, 1]])[0]!.turn).toBe('straight');
});

test('every code of the interface has words in both languages, with and without the name of a road', () => {
  const codes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15].map(String).concat('11-1', '11-3');
  for (const code of codes) {
    for (const road of ['', 'Mill Street']) {
      const { key } = stepWord(readSteps([[code, road, 1, 0, 1, '1m', 'NE', 40, 1]])[0]!);
      const [turn, form] = key.split('.') as [keyof typeof en.steps, 'named' | 'plain'];
      for (const words of [en, ru]) {
        const text = (words.steps[turn] as Record<string, string>)[form];
        expect([code, road, typeof text]).toEqual([code, road, 'string']);
        if (form === 'named') expect(text).toContain('{road}');
        if (code.startsWith('11')) expect(text).toContain('{exit}');
      }
    }
  }
});

test('what a drive asks is right in the strict grammar of the service', () => {
  const query = parseRoutingQuery(
    viarouteAddress({ places: [place('a', -43.7, 7.4), place('b', 43.71, -0.0000001)], profile: 'truck' }),
  );
  expect(query.loc.map(({ lat, lon }) => [lat, lon])).toEqual([
    [-43_700_000, 7_400_000],
    [43_710_000, -0],
  ]);
  expect([query.instructions, query.alt, query.profile]).toEqual([true, true, 'truck']);
  const table = parseRoutingQuery(tableAddress([place('a')], [place('b'), place('c')], ''));
  expect([table.src.length, table.dst.length, table.distances]).toEqual([1, 2, true]);
});

const summary = (time: number) => ({ total_time: time, total_distance: 1_000 });
const geometry = encodePolyline([
  [43.7, 7.4],
  [43.701, 7.401],
  [43.702, 7.402],
]);
const question = { places: [place('a', 43.7, 7.4), place('b', 43.704, 7.402)], profile: '' };

test('a drive has its alternatives with their own closures, and says which stop lies off the road', () => {
  const { drives, offRoad } = readDrives(question, {
    status: 0,
    route_geometry: geometry,
    route_instructions: ROWS,
    route_summary: summary(110),
    route_name: ['Mill Street', ''],
    via_points: [
      [43.7, 7.4],
      [43.702, 7.402],
    ],
    via_indices: [0, 2],
    closures: [4],
    alternative_geometries: [geometry],
    alternative_instructions: [ROWS],
    alternative_summaries: [summary(130)],
    alternative_names: [['High Street', '']],
    alternative_closures: [[5, 6]],
  });
  expect(drives.map(({ time, closures, points }) => [time, closures, points.length])).toEqual([
    [110, [4], 3],
    [130, [5, 6], 3],
  ]);
  expect(offRoad.map(({ index, metres }) => [index, Math.round(metres / 10) * 10])).toEqual([[1, 220]]);
  expect(readDrives(question, { status: 207 } as never)).toEqual({ question, drives: [], onRoads: [], offRoad: [] });
  // As the station says it.
  const status_message = notOnMap({ point: 1, limit: 5000 });
  expect(readDrives(question, { status: 207, status_message } as never)).toMatchObject({ drives: [], offMap: 1 });
});

test('stops are reached in turn and the last at the time of the whole, roundabouts included', () => {
  const drive: PlannedDrive = {
    points: [],
    time: 110,
    distance: 0,
    steps: readSteps(ROWS),
    names: [],
    viaIndices: [],
    closures: [],
  };
  const [via, goal] = driveArrivals(drive);
  expect(via).toBeCloseTo(33, 5); // 30 of 100 told seconds, of 110
  expect(goal).toBe(110);
});

test('a GPX file names the stops, and a name cannot break it', () => {
  const { drives } = readDrives(question, {
    status: 0,
    route_geometry: geometry,
    route_instructions: [],
    route_summary: summary(1),
    route_name: [],
    via_points: [],
    via_indices: [],
  });
  const text = gpxOf(drives[0]!, [place('Tom & Jerry’s <bar>'), place('b')], 'a "route"');
  expect(text).toContain('<name>Tom &amp; Jerry’s &lt;bar&gt;</name>');
  expect(text.match(/<trkpt /g)).toHaveLength(3);
  expect(text).toContain('lat="43.701000" lon="7.401000"');
});

test('a table sorts by a column or by name, with what has no way last either way, and knows who is first', () => {
  const rows = ['Van 10', 'Van 9', 'Van 2'].map((label) => place(label));
  const table = readTravelTable(rows, [place('a'), place('b')], {
    distance_table: [
      [600, 100],
      [2_147_483_647, 200],
      [300, 2_147_483_647],
    ],
    distances: [
      [1_000, 50],
      [null, 60],
      [400, null],
    ],
  });
  const by = (column: number | 'name', falling = false) =>
    sortedRows(table, { by: column, descending: falling }, 'en').map((row) => rows[row]!.label);
  expect(by(0)).toEqual(['Van 2', 'Van 10', 'Van 9']);
  expect(by(0, true)).toEqual(['Van 10', 'Van 2', 'Van 9']);
  expect(by('name')).toEqual(['Van 2', 'Van 9', 'Van 10']);
  expect(nearestRows(table)).toEqual([2, 0]);
  expect(nearestRows({ ...table, times: [[undefined, undefined]] })).toEqual([undefined, undefined]);
});

test('a row is the same one in the next answer: its vehicle wherever it stands by then, also one that was put in twice', () => {
  const van = (vehicleId: number) => ({ ...place('Van'), vehicleId });
  expect(rowKeys([van(7), van(3)]).toReversed()).toEqual(rowKeys([van(3), van(7)]));
  expect(new Set(rowKeys([van(7), place('a'), van(7), place('a')])).size).toBe(4);
});

test('a table for a spreadsheet has no cell that is taken for a formula', () => {
  const table = readTravelTable([place('=cmd|x'), place('a "b"')], [place('-1')], {
    distance_table: [[900], [2_147_483_647]],
  });
  const text = csvOf(table, [1, 0], { from: 'From', minutes: (name) => `${name}, min`, kilometres: () => '' });
  expect(text.split('\r\n')).toEqual(['\uFEFF"From";"\'-1, min"', '"a ""b""";""', '"\'=cmd|x";"1.5"', '']);
});

const NOW = Date.UTC(2026, 10, 22, 12);
const closure = (id: number, from: number | null, till: number | null): RoadClosure =>
  ({
    id,
    from,
    until: till,
    kind: 'closure',
    name: `Closure ${id}`,
    reason: 'pipe',
    factor: 0.3,
    isDeleted: false,
    geometry: {
      type: 'LineString',
      coordinates: [
        [7.4, 43.7],
        [7.41, 43.71],
      ],
    },
    key: '',
  }) as unknown as RoadClosure;

test('a closure holds from its begin on, up to its end and not including it', () => {
  expect(
    [
      closure(1, null, null),
      closure(1, NOW, null),
      closure(1, NOW + 1, null),
      closure(1, null, NOW),
      closure(1, null, NOW + 1),
    ].map((one) => closurePhaseOf(one, NOW)),
  ).toEqual(['now', 'now', 'coming', 'past', 'now']);
});

test('those to come stand by when they begin, those that are over by when they ended', () => {
  const all = [
    closure(1, NOW + 500, null),
    closure(2, NOW + 100, null),
    closure(3, null, NOW - 500),
    closure(4, null, NOW - 100),
    closure(5, null, null),
    closure(6, NOW - 5, null),
  ];
  const ids = (standing: 'now' | 'coming' | 'past') => closuresInPhase(all, standing, NOW).map(({ id }) => id);
  expect([ids('now'), ids('coming'), ids('past')]).toEqual([
    [6, 5],
    [2, 1],
    [4, 3],
  ]);
});

test('what a form has of a closure is what is sent back, to the minute', () => {
  const kept = closure(7, NOW, NOW + 3_600_000);
  const { name, reason, factor, from, until, geometry: shape } = kept;
  expect(closureBody(closureDraft(kept))).toEqual({ name, reason, factor, from, till: until, geometry: shape });
  expect(closureBody({ ...closureDraft(kept), kind: 'closed', from: '', till: '' })).toMatchObject({
    factor: 0,
    from: null,
    till: null,
  });
  expect(minuteOrNull(localTime(NOW))).toBe(NOW);
  expect(minuteOrNull('no time')).toBeNull();
});

/**
 * Answers as a station where the road from one place to another has the given length, or is the given one.
 */
function station(lengths: readonly (number | undefined)[], road?: readonly [number, number][]): Client {
  let asked = 0;
  return {
    ask: () => {
      const length = lengths[asked++];
      if (length === undefined) return Promise.resolve({ status: 207 });
      const way: [number, number][] = road
        ? [...road]
        : [
            [43.7, 7.4],
            [43.7 + length / 2 / 111_195, 7.405],
            [43.7, 7.41],
          ];
      if (asked === 2) way.reverse(); // the second question is about the way back
      return Promise.resolve({
        status: 0,
        route_geometry: encodePolyline(way),
        route_instructions: [],
        route_summary: summary(1),
        route_name: [],
        via_points: [way[0]!, way.at(-1)!],
        via_indices: [],
      });
    },
  } as unknown as Client;
}

test('a drawn line follows the road, the shorter way of the two, and stays straight where the road goes far around', async () => {
  const drawn = {
    kind: 'line',
    vertices: [
      [7.4, 43.7],
      [7.41, 43.7],
    ],
    radius: 0,
  } as const;
  expect((await followRoad(station([100, 100]), drawn))!.vertices).toHaveLength(3);
  // found from the far end, and turned round
  expect((await followRoad(station([undefined, 100]), drawn))!.vertices.at(-1)).toEqual([7.41, 43.7]);
  expect(await followRoad(station([undefined, undefined]), drawn)).toBeUndefined();
  expect(await followRoad(station([9_000, 9_000]), drawn)).toBeUndefined();
  expect(await followRoad(station([100, 100]), { ...drawn, vertices: [[7.4, 43.7]] })).toBeUndefined();
});

test('limits that nobody can read are taken from the notes of a route', () => {
  const way = encodePolyline([
    [43.7, 7.4],
    [43.7, 7.41],
  ]);
  const answer = {
    status: 0,
    route_geometry: way,
    route_instructions: [],
    route_summary: summary(1),
    route_name: [],
    via_points: [],
    via_indices: [],
  };
  const note = { kind: 'unreadable-limit', tag: 'maxheight=low', name: 'Old Bridge', point: [43.7, 7.4] };
  const read = (more: object) =>
    readDrives({ places: [], profile: 'truck' }, { ...answer, ...more } as never).drives[0]!.unreadLimits;
  expect(read({})).toBeUndefined();
  expect(read({ notes: [note, { kind: 'of tomorrow', tag: '', name: '' }] })).toMatchObject([
    { tag: 'maxheight=low', name: 'Old Bridge' },
  ]);
});

test('a road block drawn across the road stays as it is drawn', async () => {
  const across = {
    kind: 'line',
    vertices: [
      [7.405, 43.7001],
      [7.405, 43.6999],
    ],
    radius: 0,
  } as const;
  // Both clicks snap to one place on the road.
  expect(
    await followRoad(
      station(
        [0, 0],
        [
          [43.7, 7.405],
          [43.7, 7.405],
        ],
      ),
      across,
    ),
  ).toBeUndefined();
});

test('areas are measured on the sphere, holes taken off', () => {
  const square = (size: number, lat: number) => [
    [0, lat],
    [size, lat],
    [size, lat + size],
    [0, lat + size],
    [0, lat],
  ];
  const one = squareKilometres({ type: 'MultiPolygon', coordinates: [[square(1, 0)]] });
  expect(one / 12_364).toBeCloseTo(1, 2); // a degree by a degree at the equator
  expect(squareKilometres({ type: 'MultiPolygon', coordinates: [[square(1, 59.5)]] }) / one).toBeCloseTo(0.5, 1);
  expect(squareKilometres({ type: 'MultiPolygon', coordinates: [[square(1, 0), square(0.5, 0)]] }) / one).toBeCloseTo(
    0.75,
    2,
  );
  expect(squareKilometres({ type: 'MultiPolygon', coordinates: [[square(1, 0)], [square(1, 0)]] }) / one).toBeCloseTo(
    2,
    5,
  );
});

test('putting a place leaves the other lines as they are', () => {
  const stops = filled('a', 'b');
  expect(labels(putPlace(stops, stops[1]!.id, place('z')))).toBe('a z');
});

test('of a long table so much is drawn as is seen, and a little more', () => {
  expect(inSight(500, 36, 0, 360, 3)).toEqual({ first: 0, end: 13 });
  expect(inSight(500, 36, 3_600, 360, 3)).toEqual({ first: 97, end: 113 });
  expect(inSight(500, 36, 500 * 36, 360, 3)).toEqual({ first: 497, end: 500 });
  expect(inSight(4, 36, 0, 360, 3)).toEqual({ first: 0, end: 4 });
  expect([scrolledTo(2, 36, 360, 360), scrolledTo(12, 36, 360, 360), scrolledTo(30, 36, 360, 360)]).toEqual([
    72, 360, 756,
  ]);
});

test('one thing is drawn wherever it is, and what is left out around it keeps its room', () => {
  expect(drawnOf(500, { first: 97, end: 100 }, 2)).toEqual({
    things: [
      { index: 2, before: 2 },
      { index: 97, before: 94 },
      { index: 98, before: 0 },
      { index: 99, before: 0 },
    ],
    after: 400,
  });
  fc.assert(
    fc.property(fc.array(fc.nat(40), { minLength: 4, maxLength: 4 }), (numbers) => {
      const [first, end, count, kept] = [...numbers.slice(0, 3).sort((a, b) => a - b), numbers[3]! - 1] as [
        number,
        number,
        number,
        number,
      ];
      const { things, after } = drawnOf(count, { first, end }, kept);
      const indexes = things.map(({ index }) => index);
      let at = -1;
      for (const { index, before } of things) {
        expect(index - at - 1).toBe(before);
        at = index;
      }
      expect(at + 1 + after).toBe(count);
      expect(new Set(indexes)).toEqual(
        new Set([
          ...Array.from({ length: end - first }, (_, place) => first + place),
          ...(kept >= 0 && kept < count ? [kept] : []),
        ]),
      );
    }),
  );
});

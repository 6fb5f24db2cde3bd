import { expect, test } from 'vitest';
import { timelineOf, deriveTaskEvents, type TaskContext } from '../../../../../server/tracking/events/index.ts';
import type { HistoryEntry, Task } from '../../../../../shared/records/index.ts';
import { crewNote } from '../../../../../shared/tasks/crew-note.ts';
import { newTask } from '../../../dispatch/tasks/town-hall.ts';

const MINUTE = 60_000;
const DRIVER = 50;
const DISPATCHER = 60;
const around: TaskContext = {
  vehiclesOf: (userId) => (userId === DRIVER ? [7] : []),
  reviewSeconds: (typeId) => (typeId === 2 ? 30 * 60 : 0),
  changesOf: () => [],
};

/**
 * A task and what was done with it: at a minute, by whom, what became what. What it was before is worked out.
 */
function lived(first: Partial<Task>, ...actions: [minute: number, by: number, changes: Partial<Task>][]) {
  const begun: Task = newTask({
    id: 1,
    title: 'Fire',
    date: 0,
    typeId: 1,
    status: 1,
    assignedVehicleId: 0,
    assignedUserId: 0,
    archived: false,
    isDeleted: false,
    point: null,
    confirmed: 0,
    ...first,
  });
  const history: HistoryEntry[] = [];
  let task = begun;
  for (const [minute, by, changes] of actions) {
    for (const [field, to] of Object.entries(changes)) {
      history.push({
        key: '',
        id: history.length + 1,
        hlc: { base: '', fields: {} },
        taskId: 1,
        at: minute * MINUTE,
        userId: by,
        station: 0,
        field,
        from: task[field as keyof Task] as unknown,
        to,
        note: '',
      });
    }
    task = { ...task, ...changes };
  }
  return { task, history };
}

/** `[type, vehicle, from, till]` in minutes. */
function events(story: ReturnType<typeof deriveTaskEvents>) {
  return story.events
    .map(({ type, vehicleId, from, until }) => [type, vehicleId, from / MINUTE, until === null ? null : until / MINUTE])
    .sort((a, b) => a[2]! - b[2]! || a[0]! - b[0]!);
}
const story = (now: number, ...told: Parameters<typeof lived>) => {
  const { task, history } = lived(...told);
  return deriveTaskEvents(timelineOf(task, history), around, now * MINUTE);
};

test('18 and 19: given to a vehicle, and done', () => {
  expect(
    events(story(99, {}, [5, DISPATCHER, { assignedVehicleId: 7, status: 2 }], [20, DISPATCHER, { status: 4 }])),
  ).toEqual([
    [18, 7, 5, 5],
    [19, 7, 20, 20],
  ]);
});

test('23 and 18: taken from one vehicle and given to another', () => {
  expect(
    events(story(99, {}, [5, DISPATCHER, { assignedVehicleId: 7 }], [8, DISPATCHER, { assignedVehicleId: 8 }])),
  ).toEqual([
    [18, 7, 5, 5],
    [18, 8, 8, 8],
    [23, 7, 8, 8],
  ]);
});

test('archived or deleted is taken away, brought back is given again', () => {
  expect(
    events(
      story(
        99,
        {},
        [5, DISPATCHER, { assignedVehicleId: 7 }],
        [8, DISPATCHER, { archived: true }],
        [9, DISPATCHER, { archived: false }],
        [10, DISPATCHER, { isDeleted: true }],
      ),
    ),
  ).toEqual([
    [18, 7, 5, 5],
    [23, 7, 8, 8],
    [18, 7, 9, 9],
    [23, 7, 10, 10],
  ]);
});

test('22 and 21: the driver accepts, once, and gives it back', () => {
  expect(
    events(
      story(
        99,
        {},
        [5, DISPATCHER, { assignedVehicleId: 7, status: 2 }],
        [6, DRIVER, { status: 3 }],
        [7, DRIVER, { confirmed: 1 }],
        [9, DRIVER, { assignedVehicleId: 0 }],
      ),
    ),
  ).toEqual([
    [18, 7, 5, 5],
    [22, 7, 6, 6],
    [21, 7, 9, 9],
  ]);
  // The same by somebody who drives nothing is neither.
  expect(
    events(
      story(
        99,
        {},
        [5, DISPATCHER, { assignedVehicleId: 7, status: 2 }],
        [6, DISPATCHER, { status: 3 }],
        [9, DISPATCHER, { status: 1 }],
      ),
    ),
  ).toEqual([[18, 7, 5, 5]]);
  // A driver who says no keeps the vehicle on the task until somebody decides.
  expect(events(story(99, {}, [5, DISPATCHER, { assignedVehicleId: 7 }], [6, DRIVER, { confirmed: 2 }]))).toEqual([
    [18, 7, 5, 5],
    [21, 7, 6, 6],
  ]);
});

test('a task of the driver is the task of their vehicle, also without one', () => {
  expect(
    events(
      story(
        99,
        {},
        [5, DISPATCHER, { assignedUserId: DRIVER }],
        [6, DRIVER, { status: 3 }],
        [7, DRIVER, { status: 4 }],
      ),
    ),
  ).toEqual([
    [18, 7, 5, 5],
    [22, 7, 6, 6],
    [19, 7, 7, 7],
  ]);
  expect(
    events(story(99, {}, [5, DISPATCHER, { assignedUserId: DRIVER }], [6, DISPATCHER, { assignedVehicleId: 9 }])),
  ).toEqual([
    [18, 7, 5, 5],
    [18, 9, 6, 6],
    [23, 7, 6, 6],
  ]);
});

test('20: overdue from the end of its period until it is done, taken away, or given more time', () => {
  const late = [5, DISPATCHER, { assignedVehicleId: 7, typeId: 2 }] as [number, number, Partial<Task>];
  expect(story(20, {}, late).due).toBe(30 * MINUTE);
  expect(events(story(20, {}, late))).toEqual([[18, 7, 5, 5]]);
  expect(events(story(31, {}, late))).toEqual([
    [18, 7, 5, 5],
    [20, 7, 30, null],
  ]);
  expect(story(31, {}, late).due).toBeNull();
  expect(events(story(99, {}, late, [40, DISPATCHER, { status: 4 }]))).toEqual([
    [18, 7, 5, 5],
    [20, 7, 30, 40],
    [19, 7, 40, 40],
  ]);
  expect(
    events(story(99, {}, late, [40, DISPATCHER, { assignedVehicleId: 8 }], [50, DISPATCHER, { date: 30 * MINUTE }])),
  ).toEqual(
    [
      [18, 7, 5, 5],
      [20, 7, 30, 40],
      [18, 8, 40, 40],
      [20, 8, 40, 50],
      [23, 7, 40, 40],
      [20, 8, 60, null],
    ].sort((a, b) => a[2]! - b[2]! || a[0]! - b[0]!),
  );
  // What happens beside does not break it.
  expect(events(story(99, {}, late, [35, DISPATCHER, { title: 'Big fire' }], [40, DISPATCHER, { status: 4 }]))).toEqual(
    [
      [18, 7, 5, 5],
      [20, 7, 30, 40],
      [19, 7, 40, 40],
    ],
  );
});

test('20 ends when the driver gives the task back, and begins again when somebody takes it up', () => {
  const late = [5, DISPATCHER, { assignedVehicleId: 7, typeId: 2, status: 2 }] as [number, number, Partial<Task>];
  const back = [40, DRIVER, { status: 1 }] as [number, number, Partial<Task>];
  expect(events(story(99, {}, late, back))).toEqual([
    [18, 7, 5, 5],
    [20, 7, 30, 40],
    [21, 7, 40, 40],
  ]);
  expect(events(story(99, {}, late, [40, DRIVER, { confirmed: 2 }]))).toEqual([
    [18, 7, 5, 5],
    [20, 7, 30, 40],
    [21, 7, 40, 40],
  ]);
  // An edit beside does not take it up; to be assigned again does, and so does the driver who accepts it
  // after all.
  expect(events(story(99, {}, late, back, [45, DISPATCHER, { title: 'Big fire' }]))).toEqual([
    [18, 7, 5, 5],
    [20, 7, 30, 40],
    [21, 7, 40, 40],
  ]);
  expect(events(story(99, {}, late, back, [50, DISPATCHER, { status: 2 }]))).toEqual([
    [18, 7, 5, 5],
    [20, 7, 30, 40],
    [21, 7, 40, 40],
    [20, 7, 50, null],
  ]);
  expect(events(story(99, {}, late, back, [50, DRIVER, { status: 3 }], [60, DRIVER, { status: 4 }]))).toEqual([
    [18, 7, 5, 5],
    [20, 7, 30, 40],
    [21, 7, 40, 40],
    [20, 7, 50, 60],
    [22, 7, 50, 50],
    [19, 7, 60, 60],
  ]);
  // Given back before its time is over, it does not become overdue.
  const early = story(99, {}, late, [20, DRIVER, { status: 1 }]);
  expect(events(early)).toEqual([
    [18, 7, 5, 5],
    [21, 7, 20, 20],
  ]);
  expect(story(25, {}, late, [20, DRIVER, { status: 1 }]).due).toBeNull();
});

test('what a task was at the beginning is what the first changes took away; the order of the history does not matter', () => {
  const { task, history } = lived(
    { assignedVehicleId: 7, status: 2 },
    [5, DISPATCHER, { assignedVehicleId: 8 }],
    [9, DISPATCHER, { status: 4 }],
  );
  const inOrder = deriveTaskEvents(timelineOf(task, history), around, 99 * MINUTE);
  expect(events(inOrder)).toEqual(
    [
      [18, 7, 0, 0],
      [18, 8, 5, 5],
      [23, 7, 5, 5],
      [19, 8, 9, 9],
    ].sort((a, b) => a[2]! - b[2]! || a[0]! - b[0]!),
  );
  expect(deriveTaskEvents(timelineOf(task, history.toReversed()), around, 99 * MINUTE)).toEqual(inOrder);
});

test('assignments carry the place as it was, and a place that moves is another part of the turn', () => {
  const [here, there] = [
    { lon: 37, lat: 55, zoom: 16 },
    { lon: 38, lat: 55, zoom: 16 },
  ];
  const { assignments } = story(
    99,
    { point: here },
    [5, DISPATCHER, { assignedVehicleId: 7 }],
    [6, DISPATCHER, { status: 2 }],
    [8, DISPATCHER, { point: there }],
    [10, DISPATCHER, { status: 4 }],
  );
  expect(
    assignments.map(({ vehicleId, since, until, place }) => [vehicleId, since / MINUTE, until! / MINUTE, place!.lon]),
  ).toEqual([
    [7, 5, 8, 37],
    [7, 8, 10, 38],
  ]);
});

test('who gave it back may accept it again', () => {
  expect(
    events(
      story(
        99,
        {},
        [5, DISPATCHER, { assignedVehicleId: 7, status: 2 }],
        [6, DRIVER, { status: 3 }],
        [8, DRIVER, { confirmed: 2 }],
        [9, DRIVER, { confirmed: 1 }],
      ),
    ),
  ).toEqual([
    [18, 7, 5, 5],
    [22, 7, 6, 6],
    [21, 7, 8, 8],
    [22, 7, 9, 9],
  ]);
});

test('a driver who gets another vehicle takes the task along; what changed before, with a step, or is yet to come does not count', () => {
  const vehiclesOf = (userId: number, at: number) =>
    userId !== DRIVER ? (userId === 0 ? [99] : []) : at < 10 * MINUTE ? [7] : at < 20 * MINUTE ? [8] : [9];
  const changesOf = () => [20, 2, 10, 30, 10, 50].map((minute) => minute * MINUTE);
  const { task, history } = lived(
    {},
    [5, DISPATCHER, { assignedUserId: DRIVER }],
    [30, DISPATCHER, { title: 'Fire, out' }],
  );
  const told = deriveTaskEvents(timelineOf(task, history), { ...around, vehiclesOf, changesOf }, 40 * MINUTE);
  expect(events(told)).toEqual([
    [18, 7, 5, 5],
    [18, 8, 10, 10],
    [23, 7, 10, 10],
    [18, 9, 20, 20],
    [23, 8, 20, 20],
  ]);
  expect(
    told.assignments.map(({ vehicleId, since, until, title }) => [
      vehicleId,
      since / MINUTE,
      until === null ? null : until / MINUTE,
      title,
    ]),
  ).toEqual([
    [7, 5, 10, 'Fire'],
    [8, 10, 20, 'Fire'],
    [9, 20, 30, 'Fire'],
    [9, 30, null, 'Fire, out'],
  ]);
  // The one of the dispatcher says who; the others were nobody's deed.
  expect(
    told.events.map(({ from, data }) => [from / MINUTE, data['userId']] as const).sort((a, b) => a[0] - b[0]),
  ).toEqual([
    [5, DISPATCHER],
    [10, undefined],
    [10, undefined],
    [20, undefined],
    [20, undefined],
  ]);
});

test('another period of its type counts from when it changed', () => {
  const reviewSeconds = (_type: number, at: number) => (at < 10 * MINUTE ? 60 * 60 : 15 * 60);
  const { task, history } = lived({ typeId: 2 }, [5, DISPATCHER, { assignedVehicleId: 7 }]);
  const told = (now: number) =>
    deriveTaskEvents(
      timelineOf(task, history),
      { ...around, reviewSeconds, changesOf: () => [10 * MINUTE] },
      now * MINUTE,
    );
  expect([told(12).due, told(15).due, told(16).due]).toEqual([15 * MINUTE, 15 * MINUTE, null]);
  expect(events(told(16))).toEqual([
    [18, 7, 5, 5],
    [20, 7, 15, null],
  ]);
});

test('a task without a unit is not due', () => {
  expect([story(1, { typeId: 2 }).due, story(1, { typeId: 2, assignedVehicleId: 7 }).due]).toEqual([null, 30 * MINUTE]);
});

test('actions at one time count in their order, and a period of no length does not count', () => {
  const { task, history } = lived(
    {},
    [5, DISPATCHER, { assignedVehicleId: 7 }],
    [9, DISPATCHER, { assignedVehicleId: 8 }],
    [9, DRIVER, { assignedVehicleId: 9 }],
  );
  const told = deriveTaskEvents(timelineOf(task, history.toReversed()), around, 99 * MINUTE);
  expect(
    told.assignments.map(({ vehicleId, since, until }) => [
      vehicleId,
      since / MINUTE,
      until === null ? null : until / MINUTE,
    ]),
  ).toEqual([
    [7, 5, 9],
    [9, 9, null],
  ]);
});

test('22 and 21: a crew accepts on its telephone, once, and gives the task back', () => {
  const units = [{ vehicleId: 7 }, { vehicleId: 8 }] as never;
  const { task, history } = lived(
    { units: {} },
    [5, DISPATCHER, { assignedVehicleId: 7, status: 2, units }],
    [6, 0, { units }],
    [7, 0, { units }],
    [9, 0, { assignedVehicleId: 8, units: [{ vehicleId: 8 }] as never }],
  );
  // The history names crews in a list; before the first of them there was none.
  const byCrew = history.map((entry) => ({
    ...entry,
    from: entry.field === 'units' && !Array.isArray(entry.from) ? [] : entry.from,
    note: entry.userId === 0 ? crewNote(7, 'Engine 1', 'Flat tyre') : '',
  }));
  expect(events(deriveTaskEvents(timelineOf(task, byCrew), around, 99 * MINUTE))).toEqual([
    [18, 7, 5, 5],
    [18, 8, 5, 5],
    [22, 7, 6, 6],
    [21, 7, 9, 9],
  ]);
});

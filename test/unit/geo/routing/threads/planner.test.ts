import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startPlanner } from '../../../../../server/geo/routing/index.ts';
import { makeRoadsFor } from '../../../../../server/geo/routing/threads/make-roads.ts';
import { PreparingThread } from '../../../../../server/geo/routing/threads/preparing-thread.ts';
import { SearchThread } from '../../../../../server/geo/routing/threads/search-thread.ts';
import { PROFILES, defineProfile, profilesIn, roadsMaker } from '../../../../../server/geo/territory/roads/index.ts';
import { drawExtract, drawRoads } from '../town.ts';

const town = drawRoads(`
  a---b---c
      |   |
      d---e
`);
const village = drawRoads(`
  a-------b
`);
let root: string;
const directoryOf = async (name: string, bytes: Uint8Array): Promise<string> => {
  const directory = await mkdtemp(join(root, `${name}-`));
  await writeFile(join(directory, 'roads.bin'), bytes);
  return directory;
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'waypost-planner-'));
});
afterAll(() => rm(root, { recursive: true }));

const ask = { points: [town.at('a'), town.at('c')] };

test('without a territory every question is refused, and answered once there is one', async () => {
  const planner = await startPlanner();
  await expect(planner.route(ask)).rejects.toMatchObject({ kind: 'no-territory' });
  await expect(planner.nearest(town.at('a'))).rejects.toMatchObject({ kind: 'no-territory' });
  await planner.open(await directoryOf('town', town.bytes));
  expect((await planner.route(ask)).route?.time).toBe(20);
  await planner.open(undefined);
  await expect(planner.table({ sources: ask.points, targets: ask.points })).rejects.toMatchObject({
    kind: 'no-territory',
  });
  await planner.close();
});

test('questions under way are answered from the old territory while another is opened', async () => {
  const planner = await startPlanner({ directory: await directoryOf('town', town.bytes) });
  const opening = planner.open(await directoryOf('village', village.bytes));
  const answers = await Promise.all(Array.from({ length: 50 }, () => planner.route(ask)));
  expect(new Set(answers.map(({ checksum }) => checksum))).toEqual(new Set([town.roads.checksum]));
  await opening;
  expect((await planner.route(ask)).checksum).toBe(village.roads.checksum);
  await planner.close();
});

test('damaged, missing or foreign road files are refused with a message, and the old roads stay', async () => {
  const planner = await startPlanner({ directory: await directoryOf('town', town.bytes) });
  const damaged = town.bytes.slice();
  damaged[damaged.length - 5]! ^= 1;
  await expect(planner.open(await directoryOf('damaged', damaged))).rejects.toThrow('The road file is damaged');
  await expect(planner.open(await directoryOf('empty', new Uint8Array(0)))).rejects.toThrow('no road file');
  await expect(planner.open(join(root, 'nowhere'))).rejects.toThrow();
  expect((await planner.route(ask)).route?.time).toBe(20);
  await planner.close();
});

test('where the only roads cannot be read questions are refused as such, until others are opened', async () => {
  const planner = await startPlanner();
  await expect(planner.open(await directoryOf('half', town.bytes.slice(0, town.bytes.length >> 1)))).rejects.toThrow(
    'import the territory again',
  );
  await expect(planner.route(ask)).rejects.toMatchObject({
    kind: 'no-territory',
    message: 'The roads of the territory cannot be read: import it again.',
  });
  await planner.open(await directoryOf('town', town.bytes));
  expect((await planner.route(ask)).route?.time).toBe(20);
  await planner.open(undefined);
  await expect(planner.route(ask)).rejects.toMatchObject({
    message: expect.stringContaining('No territory is loaded'),
  });
  await planner.close();
});

test('a hundred routes during switches between two territories are all answered, each by one of the two', async () => {
  const directories = [await directoryOf('town', town.bytes), await directoryOf('village', village.bytes)];
  const planner = await startPlanner({ directory: directories[0] });
  const turns = (async () => {
    for (let turn = 1; turn <= 4; turn++) await planner.open(directories[turn % 2]);
  })();
  const answers = await Promise.all(Array.from({ length: 100 }, () => planner.route(ask)));
  await turns;
  for (const { checksum, route } of answers) {
    expect([town.roads.checksum, village.roads.checksum]).toContain(checksum);
    expect(route).toBeDefined();
  }
  expect((await planner.route(ask)).checksum).toBe(town.roads.checksum);
  await planner.close();
});

test('a hint of one territory is ignored in another, with any checksum', async () => {
  const planner = await startPlanner({ directory: await directoryOf('town', town.bytes) });
  const { snapped, checksum } = await planner.route(ask);
  const places = (answer: { snapped: readonly { lat: number; lon: number }[] }) =>
    answer.snapped.map(({ lat, lon }) => [lat, lon]);
  // Points elsewhere, which hints of the right roads would put back.
  const moved = [town.at('d'), town.at('e')];
  const hinted = (sum: number) =>
    planner.route({ points: moved.map((point, i) => ({ ...point, hint: snapped[i]!.hint })), checksum: sum });
  expect(places(await hinted(checksum))).toEqual(places({ snapped }));
  await planner.open(await directoryOf('village', village.bytes));
  const plain = await planner.route({ points: moved });
  for (const sum of [checksum, plain.checksum]) expect(places(await hinted(sum))).toEqual(places(plain));
  await planner.close();
});

test('a thread that cannot start is reported, leaves no other thread behind, and the old ones continue', async () => {
  let broken = false;
  const prepared: PreparingThread[] = [];
  const prepare = (directory: string): PreparingThread => {
    const thread = new PreparingThread(directory);
    prepared.push(thread);
    if (broken)
      Object.assign(thread, {
        prepared: thread.prepared.then((whole) => ({ ...whole, networks: [{ profile: 'car' }] })),
      });
    return thread;
  };
  const directory = await directoryOf('town', town.bytes);
  const planner = await startPlanner({ directory, prepare });
  broken = true;
  await expect(planner.open(directory)).rejects.toThrow('cannot be started');
  expect(prepared.map(({ isDead }) => isDead)).toEqual([false, true]);
  expect((await planner.route(ask)).route?.time).toBe(20);
  await planner.close();
  expect(prepared.map(({ isDead }) => isDead)).toEqual([true, true]);
});

test('a thread that dies refuses what it was asked and is replaced', async () => {
  const preparing = new PreparingThread(await directoryOf('town', town.bytes));
  const warnings: string[] = [];
  const thread = new SearchThread(await preparing.prepared, (warning) => warnings.push(warning));
  await thread.ready;
  // A question that no router can take kills nothing, but a thread that exits does.
  await expect(thread.request({ method: 'nearest', args: [undefined as never] })).rejects.toThrow('The router failed');
  // More than it can answer before it is dead, however quick it is: none is left hanging, and what it did not
  // get to is refused.
  const asked = Promise.allSettled(
    Array.from({ length: 1500 }, () => thread.request({ method: 'route', args: [ask] })),
  );
  await thread.kill();
  const refused = (await asked)
    .filter((outcome) => outcome.status === 'rejected')
    .map(({ reason }) => (reason as { kind: string }).kind);
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(refused)).toEqual(new Set(['busy']));
  await expect
    .poll(() =>
      thread.request({ method: 'nearest', args: [town.at('a')] }).then(
        () => 'answered',
        (error: { kind: string }) => error.kind,
      ),
    )
    .toBe('answered');
  await thread.close();
  await preparing.close();
});

test('a preparing thread that dies, idle or busy, is replaced, and the closures are applied all the same', async () => {
  const { lat, lon } = town.at('b');
  const closed = (id: number) => [
    { id, geometry: { type: 'Point' as const, coordinates: [lon + 0.0004, lat] }, factor: 0 },
  ];
  const started: PreparingThread[] = [];
  const warnings: string[] = [];
  const planner = await startPlanner({
    directory: await directoryOf('town', town.bytes),
    warn: (warning) => warnings.push(warning),
    prepare: (directory) => started[started.push(new PreparingThread(directory)) - 1]!,
  });
  await started[0]!.close(); // as a crash would end it
  expect((await planner.route(ask)).route).toMatchObject({ time: 20, closures: [] });
  await planner.setClosures(closed(1));
  expect(started).toHaveLength(2);
  expect((await planner.route(ask)).route).toMatchObject({ time: 40, closures: [1] });
  const closing = planner.setClosures(closed(2));
  await started[1]!.close();
  const meanwhile = await planner.route(ask);
  expect(meanwhile.route?.time).toBe(40);
  await closing;
  expect((await planner.route(ask)).route).toMatchObject({ time: 40, closures: [2] });
  await planner.setClosures([]);
  expect((await planner.route(ask)).route).toMatchObject({ time: 20, closures: [] });
  expect(warnings.length).toBeGreaterThan(0);
  for (const warning of warnings) expect(warning).toContain('Starting a new one');
  await planner.close();
});

test('a preparing thread that died is replaced when somebody asks which roads a closure would lie on', async () => {
  const { lat, lon } = town.at('b');
  const geometry = { type: 'Point' as const, coordinates: [lon + 0.0004, lat] };
  const started: PreparingThread[] = [];
  const planner = await startPlanner({
    directory: await directoryOf('town', town.bytes),
    prepare: (directory) => started[started.push(new PreparingThread(directory)) - 1]!,
  });
  await planner.setClosures([{ id: 1, geometry, factor: 0 }]);
  const { metres } = await planner.affectedRoads(geometry);
  expect(metres).toBeGreaterThan(0);
  await started[0]!.close();
  // Several at once replace it once.
  const answers = await Promise.all([1, 2, 3].map(() => planner.affectedRoads(geometry)));
  expect(answers.map((answer) => answer.metres)).toEqual([metres, metres, metres]);
  expect(started).toHaveLength(2);
  expect((await planner.route(ask)).route).toMatchObject({ time: 40, closures: [1] });
  const asked = Promise.allSettled(Array.from({ length: 1500 }, () => planner.affectedRoads(geometry)));
  await started[1]!.close();
  const refused = (await asked).filter((outcome) => outcome.status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(refused.map(({ reason }) => (reason as { kind: string }).kind))).toEqual(new Set(['busy']));
  expect((await planner.affectedRoads(geometry)).metres).toBe(metres);
  await planner.close();
});

/** Patience that a thread on a busy machine does not try when all is well. */
const hanging = (directory: string): PreparingThread =>
  new PreparingThread(directory, { timeout: 4000, worker: new URL('./hanging-prepare.worker.ts', import.meta.url) });

test('a preparing thread that hangs is replaced: queries are answered meanwhile, and the closures are applied', async () => {
  const { lat, lon } = town.at('b');
  const closed = (id: number) => [
    { id, geometry: { type: 'Point' as const, coordinates: [lon + 0.0004, lat] }, factor: 0 },
  ];
  const started: PreparingThread[] = [];
  const warnings: string[] = [];
  const planner = await startPlanner({
    directory: await directoryOf('town', town.bytes),
    warn: (warning) => warnings.push(warning),
    prepare: (directory) =>
      started[started.push(started.length === 0 ? hanging(directory) : new PreparingThread(directory)) - 1]!,
  });
  await planner.setClosures(closed(1));
  expect(started).toHaveLength(1);
  const closing = planner.setClosures(closed(666));
  expect((await planner.route(ask)).route).toMatchObject({ time: 40, closures: [1] });
  await closing;
  expect(started.map(({ isDead }) => isDead)).toEqual([true, false]);
  expect(warnings).toEqual([expect.stringContaining('made no progress for 4 s')]);
  expect((await planner.route(ask)).route).toMatchObject({ time: 40, closures: [666] });
  await planner.close();
});

test('a territory whose opening hangs is refused in words, and the one before goes on', async () => {
  let prepare = (directory: string): PreparingThread => new PreparingThread(directory);
  const planner = await startPlanner({
    directory: await directoryOf('town', town.bytes),
    prepare: (directory) => prepare(directory),
  });
  prepare = hanging;
  await expect(planner.open(await directoryOf('endless', village.bytes))).rejects.toMatchObject({
    kind: 'busy',
    message: expect.stringContaining('made no progress'),
  });
  expect((await planner.route(ask)).route?.time).toBe(20);
  await planner.close();
});

test('a profile asked for when the preparing thread has died comes with its successor', async () => {
  const drawn = drawExtract('a---b');
  const directory = await mkdtemp(join(root, 'lazy-'));
  await roadsMaker({ minComponent: 1 })(drawn.roads, directory, () => {});
  const started: PreparingThread[] = [];
  const planner = await startPlanner({
    directory,
    prepare: (of) => started[started.push(new PreparingThread(of)) - 1]!,
  });
  await started[0]!.close();
  const { route } = await planner.route({ points: [drawn.places.get('a')!, drawn.places.get('b')!], profile: 'foot' });
  expect(route?.time).toBeGreaterThan(50);
  expect(started).toHaveLength(2);
  await planner.close();
});

test('closures that cannot be applied are reported, and the previous ones still hold, in another territory too', async () => {
  const planner = await startPlanner({ directory: await directoryOf('town', town.bytes) });
  const { lat, lon } = town.at('b');
  await planner.setClosures([{ id: 1, geometry: { type: 'Point', coordinates: [lon + 0.0004, lat] }, factor: 0 }]);
  await expect(planner.setClosures([{ id: 2, geometry: { type: 'Blob' } as never, factor: 0 }])).rejects.toThrow(
    'cannot be worked out',
  );
  expect((await planner.route(ask)).route).toMatchObject({ time: 40, closures: [1] });
  await planner.open(await directoryOf('town', town.bytes));
  expect((await planner.route(ask)).route).toMatchObject({ time: 40, closures: [1] });
  await planner.close();
});

test('listeners are called when closures, speeds or another territory are in use, and not for closures that fail', async () => {
  const directory = await directoryOf('town', town.bytes);
  const planner = await startPlanner({ directory });
  const { lat, lon } = town.at('b');
  const told: { closures: readonly number[]; time: number | undefined }[] = [];
  let asked = Promise.resolve();
  const stop = planner.onConditions(() => {
    const closures = planner.closuresInForce.map(({ id }) => id);
    const answer = planner.route(ask);
    asked = asked.then(async () => void told.push({ closures, time: (await answer).route?.time }));
  });
  const closing = planner.setClosures(
    [2, 1].map((id) => ({ id, geometry: { type: 'Point', coordinates: [lon + 0.0004, lat] }, factor: 0 })),
  );
  expect(planner.closuresInForce).toEqual([]);
  await closing;
  await expect(planner.setClosures([{ id: 3, geometry: { type: 'Blob' } as never, factor: 0 }])).rejects.toThrow(
    'cannot be worked out',
  );
  await planner.setSpeeds(undefined);
  await planner.open(directory);
  await planner.setClosures([]);
  stop();
  await planner.setClosures([]);
  await asked;
  expect(told).toEqual([
    ...Array.from({ length: 3 }, () => ({ closures: [2, 1], time: 40 })),
    { closures: [], time: 20 },
  ]);
  await planner.close();
});

test('several profiles stand side by side, and a vehicle of an unknown one goes as a car', async () => {
  const drawn = drawExtract(
    `
    a---b
    |   |
    c---d
  `,
    { ways: { ba: { oneway: 'yes' }, bd: { maxheight: '3' } } },
  );
  const readme = readFileSync(new URL('../../../../../server/geo/territory/roads/README.md', import.meta.url), 'utf8');
  const moped = defineProfile(JSON.parse(/```json\n(.*?)```/s.exec(readme)![1]!));
  const directory = await mkdtemp(join(root, 'profiles-'));
  await roadsMaker({ profiles: [PROFILES.truck!, PROFILES.foot!], profile: moped, minComponent: 1 })(
    drawn.roads,
    directory,
    () => {},
  );
  const planner = await startPlanner({ directory });
  expect(planner.profiles).toEqual(['car', 'foot', 'moped', 'truck', 'emergency']);
  const way = async (from: string, to: string, profile?: string): Promise<number | undefined> => {
    const { route } = await planner.route({
      points: [drawn.places.get(from)!, drawn.places.get(to)!],
      ...(profile && { profile }),
    });
    return route && Math.round(route.distance / 100);
  };
  expect(await way('a', 'b')).toBe(3);
  expect(await way('a', 'b', 'foot')).toBe(1);
  expect(await way('a', 'b', 'moped')).toBe(3);
  expect(await way('b', 'd', 'truck')).toBe(3);
  expect(await way('b', 'd', 'balloon')).toBe(1);
  await planner.setClosures([
    {
      id: 1,
      geometry: { type: 'Point', coordinates: [drawn.places.get('a')!.lon, drawn.places.get('a')!.lat - 0.0004] },
      factor: 0,
    },
  ]);
  expect(await way('a', 'c', 'foot')).toBe(3);
  await planner.close();
});

test('roads of a profile that the import left out are built on the first query, once, with the current closures', async () => {
  const drawn = drawExtract(
    `
    a---b
    |   |
    c---d
  `,
    { ways: { ba: { oneway: 'yes' }, bd: { maxheight: '3' } } },
  );
  const directory = await mkdtemp(join(root, 'lazy-'));
  await roadsMaker({ minComponent: 1 })(drawn.roads, directory, () => {});
  expect(await profilesIn(directory)).toEqual(['car']);
  const made: string[] = [];
  const started: PreparingThread[] = [];
  const planner = await startPlanner({
    directory,
    threads: 2,
    prepare: (of) => started[started.push(new PreparingThread(of)) - 1]!,
    make: (profile, ...rest) => (made.push(profile), makeRoadsFor(profile, ...rest)),
  });
  const way = async (from: string, to: string, profile?: string): Promise<number | undefined> => {
    const { route } = await planner.route({
      points: [drawn.places.get(from)!, drawn.places.get(to)!],
      ...(profile && { profile }),
    });
    return route && Math.round(route.distance / 100);
  };
  expect(planner.profiles).toEqual(['car', 'truck', 'emergency', 'foot']);
  await planner.setClosures([
    {
      id: 1,
      geometry: { type: 'Point', coordinates: [drawn.places.get('a')!.lon, drawn.places.get('a')!.lat - 0.0004] },
      factor: 0,
    },
  ]);
  // Four at once, over both threads: a to c on foot by b and d, since a-c is closed.
  expect(
    await Promise.all([way('a', 'c', 'foot'), way('a', 'b', 'foot'), way('a', 'b', 'foot'), way('b', 'd', 'truck')]),
  ).toEqual([3, 1, 1, undefined]);
  expect(made.sort()).toEqual(['foot', 'truck']);
  await planner.setClosures([]);
  expect(await Promise.all([way('a', 'c', 'foot'), way('b', 'd', 'truck'), way('b', 'd')])).toEqual([1, 3, 1]);
  expect(await profilesIn(directory)).toEqual(['car', 'foot', 'truck']);
  // A preparing thread that takes the place of a dead one has them too.
  await started[0]!.close();
  await planner.setClosures([]);
  expect(await way('a', 'b', 'foot')).toBe(1);
  expect(made).toHaveLength(2);
  await planner.close();
});

test('the first query with a profile waits for its roads, however long they take; roads built before are built once', async () => {
  const drawn = drawExtract('a---b');
  const directory = await mkdtemp(join(root, 'lazy-'));
  await roadsMaker({ minComponent: 1 })(drawn.roads, directory, () => {});
  let begin = (): void => {};
  const held = new Promise<void>((resolve) => (begin = resolve));
  const made: string[] = [];
  const planner = await startPlanner({
    directory,
    make: async (profile, ...rest) => {
      made.push(profile);
      if (profile === 'foot') await held;
      await makeRoadsFor(profile, ...rest);
    },
  });
  const [from, to] = [drawn.places.get('a')!, drawn.places.get('b')!];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let settled = false;
    const asked = planner.route({ points: [from, to], profile: 'foot' }).finally(() => (settled = true));
    const quick = planner.table({ sources: [from], targets: [to], profile: 'foot', wait: 2_000 });
    quick.catch(() => {});
    await vi.advanceTimersByTimeAsync(55_000);
    await expect(quick).rejects.toMatchObject({ kind: 'busy' });
    expect(settled).toBe(false);
    begin();
    expect((await asked).route?.time).toBeGreaterThan(50);
  } finally {
    vi.useRealTimers();
  }
  await planner.makeRoads(['car', 'foot', 'truck', 'unknown']);
  expect(made).toEqual(['foot', 'truck']);
  expect(await profilesIn(directory)).toEqual(['car', 'foot', 'truck']);
  await planner.close();
});

test('a profile whose roads cannot be made, or not soon, is refused as busy, and tried again', async () => {
  const drawn = drawExtract('a---b');
  const directory = await mkdtemp(join(root, 'lazy-'));
  await roadsMaker({ minComponent: 1 })(drawn.roads, directory, () => {});
  await writeFile(join(directory, 'ways.bin'), 'no ways');
  const warnings: string[] = [];
  const planner = await startPlanner({ directory, warn: (warning) => warnings.push(warning) });
  const [from, to] = [drawn.places.get('a')!, drawn.places.get('b')!];
  await expect(planner.route({ points: [from, to], profile: 'foot' })).rejects.toMatchObject({ kind: 'busy' });
  expect(warnings).toEqual([expect.stringContaining('These bytes are no file of ways')]);
  await roadsMaker({ minComponent: 1 })(drawn.roads, directory, () => {});
  expect((await planner.route({ points: [from, to], profile: 'foot' })).route?.time).toBeGreaterThan(50);
  // Opened elsewhere while roads are being made.
  const making = planner.route({ points: [from, to], profile: 'truck' });
  making.catch(() => {});
  await planner.open(await directoryOf('town', town.bytes));
  await expect(making).rejects.toMatchObject({ kind: 'busy' });
  expect(planner.profiles).toEqual(['car']);
  expect((await planner.route(ask)).route?.time).toBe(20);
  await planner.close();
});

test('questions that cannot be meant are refused in words', async () => {
  const planner = await startPlanner({ directory: await directoryOf('town', town.bytes) });
  await expect(planner.route({ points: [town.at('a')] })).rejects.toMatchObject({ kind: 'invalid' });
  for (const lat of [NaN, Infinity, 91]) {
    await expect(planner.route({ points: [town.at('a'), { lat, lon: 1 }] })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(planner.nearest({ lat, lon: 1 })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(planner.locate({ lat, lon: 1 })).rejects.toMatchObject({ kind: 'invalid' });
  }
  expect(await planner.table({ sources: [], targets: [] })).toMatchObject({ rows: 0, columns: 0 });
  expect(await planner.table({ sources: [], targets: [town.at('a')] })).toMatchObject({ rows: 0, columns: 1 });
  await planner.close();
});

test('roads in a box are lines to draw, and no more than asked for', async () => {
  const planner = await startPlanner({ directory: await directoryOf('town', town.bytes) });
  const everything = await planner.roads!([0, 0, 2, 2], 100);
  expect(everything.map(({ properties }) => (properties as { name: string }).name).sort()).toEqual([
    'ab',
    'bc',
    'bd',
    'ce',
    'de',
  ]);
  expect(await planner.roads!([0, 0, 2, 2], 2)).toHaveLength(2);
  expect(await planner.roads!([5, 5, 6, 6], 100)).toEqual([]);
  await planner.close();
});

test('isochrones are drawn one at a time, short queries are answered in between, and too many are refused', async () => {
  const planner = await startPlanner({ directory: await directoryOf('town', town.bytes) });
  const order: string[] = [];
  const areas = Array.from({ length: 30 }, () =>
    planner.isochrone({ point: town.at('a'), limits: [60, 600] }).then((answer) => {
      order.push('area');
      return answer;
    }),
  );
  const route = planner.route(ask).then(() => order.push('route'));
  const outcomes = await Promise.allSettled(areas);
  await route;
  expect(order.indexOf('route')).toBeLessThan(order.indexOf('area') + 2);
  const drawn = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
  expect(drawn).toHaveLength(20);
  for (const answer of drawn) expect(answer).toEqual(drawn[0]);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'busy' });
  await expect(planner.isochrone({ point: town.at('a'), limits: [600, 60] })).rejects.toMatchObject({
    kind: 'invalid',
  });
  await expect(planner.isochrone({ point: town.at('a'), limits: [] })).rejects.toMatchObject({ kind: 'invalid' });
  expect((await planner.isochrone({ point: town.at('a'), limits: [60] })).areas).toHaveLength(1);
  await planner.close();
});

test('closures apply from the next query on, routes name them, and lifting them restores the old route', async () => {
  const planner = await startPlanner({ directory: await directoryOf('town', town.bytes) });
  const { lat, lon } = town.at('b');
  const between = { type: 'Point' as const, coordinates: [lon + 0.0004, lat] };
  expect((await planner.route(ask)).route).toMatchObject({ time: 20, closures: [] });
  await planner.setClosures([{ id: 7, geometry: between, factor: 0 }]);
  expect((await planner.route(ask)).route).toMatchObject({ time: 40, closures: [7] });
  expect((await planner.route({ points: [town.at('a'), town.at('d')] })).route).toMatchObject({
    time: 20,
    closures: [],
  });
  const table = await planner.table({ sources: ask.points, targets: ask.points });
  expect([...table.times]).toEqual([0, 400, 400, 0]);
  expect([...table.distances]).toEqual([0, 400, 400, 0]);
  await planner.setClosures([{ id: 8, geometry: between, factor: 0.5 }]);
  expect((await planner.route(ask)).route).toMatchObject({ time: 30, closures: [8] });
  await planner.setClosures([]);
  expect((await planner.route(ask)).route).toMatchObject({ time: 20, closures: [] });
  await planner.close();
});

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { profilesIn } from '../../../server/geo/territory/roads/index.ts';
import { listenAs } from '../live-client.ts';
import { tryStation } from '../try-station.ts';
import type { TestResponse, TryStation } from '../try-station.ts';
import { DEMO_TOWN, scratchDirectory } from '../../unit/geo/territory/extracts.ts';

const HOUR = 3_600_000;
const scratch = scratchDirectory();
let at: TryStation;
let admin: string;
let dispatcher: string;
let viewer: string;
/** Both ends of a way over several roads of the demo town, and a spot in the middle of it. */
let way: { from: string; to: string; middle: { lat: number; lon: number } };

beforeAll(async () => {
  at = await tryStation({ demo: true, demoSpeed: 0 });
  admin = at.station.accounts.grantControl();
  dispatcher = (await at.newUser('dora', 'Dispatcher')).token;
  viewer = (await at.newUser('viktor', 'Viewer')).token;
  way = await findWay();
});
afterAll(() => at.stop());

const routeBetween = async (from: string, to: string, where: TryStation = at) =>
  (await where.ask('GET', `/viaroute?loc=${from}&loc=${to}&compression=false`)).json();
const route = () => routeBetween(way.from, way.to);
const close = async (fields: object = {}, as = dispatcher): Promise<{ id: number }> => {
  const answered = await at.ask('POST', '/closures', {
    as,
    body: { name: 'Water main', geometry: pointOf(way.middle), ...fields },
  });
  expect(answered.status, answered.text).toBe(200);
  return answered.json();
};
const lift = (id: number): Promise<TestResponse> => at.ask('DELETE', `/closures/${id}`, { as: dispatcher });
const pointOf = ({ lat, lon }: { lat: number; lon: number }) => ({ type: 'Point', coordinates: [lon, lat] });

/** Two places of the town for which there is a way around the middle of the best one. */
async function findWay(): Promise<typeof way> {
  const [west, south, east, north] = (await at.ask('GET', '/territory', { as: admin })).json().bounds;
  for (const [a, b] of [
    [0.3, 0.7],
    [0.25, 0.6],
    [0.4, 0.7],
    [0.35, 0.8],
  ] as const) {
    const [from, to] = [a, b].map(
      (share) => `${(south + (north - south) * share).toFixed(6)},${(west + (east - west) * share).toFixed(6)}`,
    );
    const line: [number, number][] = (await routeBetween(from!, to!)).route_geometry;
    const i = Math.floor(line.length / 2);
    const [[lat1, lon1], [lat2, lon2]] = [line[i - 1]!, line[i]!];
    const middle = { lat: (lat1 + lat2) / 2, lon: (lon1 + lon2) / 2 };
    const { id } = (
      await at.ask('POST', '/closures', { as: admin, body: { name: 'try', geometry: pointOf(middle) } })
    ).json();
    const around = await routeBetween(from!, to!);
    await at.ask('DELETE', `/closures/${id}`, { as: admin });
    if (around.status === 0) return { from: from!, to: to!, middle };
  }
  throw new Error('The town has no way around anything.');
}

test('the next request after a closure was saved obeys it and names it, and lifting it restores the old way', async () => {
  const before = await route();
  const { id } = await close();
  const around = await route();
  expect(around.closures).toEqual([id]);
  expect(around.route_summary.total_time).toBeGreaterThan(before.route_summary.total_time);
  expect((await lift(id)).status).toBe(200);
  expect(await route()).toEqual(before);
});

test('clients that replicate closures are notified when routing uses them, and other clients are not', async () => {
  const before = (await route()).route_summary.total_time;
  const [console, other] = [await listenAs(at, viewer), await listenAs(at, viewer)];
  other.send('SET_REPLICA', { collections: ['messages'] });
  console.send('SET_REPLICA', { collections: ['fleet'] });
  const inForce = async (count: number): Promise<{ id: number; effect: string }[]> =>
    (await console.hear(({ command, data }) => command === 'ROADS_IN_FORCE' && data.closures.length === count)).data
      .closures;
  expect(await inForce(0)).toEqual([]);
  const closing = close();
  const [made] = await inForce(1);
  expect((await route()).route_summary.total_time).toBeGreaterThan(before);
  const { id } = await closing;
  expect(made).toEqual({ id, effect: expect.any(String) });
  console.forget();
  await at.ask('PUT', `/closures/${id}`, { as: dispatcher, body: { factor: 0.5 } });
  const [slowed] = await inForce(1);
  expect([slowed!.id, slowed!.effect === made!.effect]).toEqual([id, false]);
  console.forget();
  await lift(id);
  expect(await inForce(0)).toEqual([]);
  expect((await route()).route_summary.total_time).toBe(before);
  expect((await other.heardByNow()).map(({ command }) => command)).not.toContain('ROADS_IN_FORCE');
  for (const { socket } of [console, other]) socket.terminate();
});

test('tables obey closures', async () => {
  const table = async (): Promise<number> =>
    (await at.ask('GET', `/table?loc=${way.from}&loc=${way.to}`)).json().distance_table[0][1];
  const before = await table();
  const { id } = await close();
  expect(await table()).toBeGreaterThan(before);
  await lift(id);
  expect(await table()).toBe(before);
});

test('the recommendation of vehicles obeys closures', async () => {
  const times = async (): Promise<Map<number, number>> => {
    const { lat, lon } = way.middle;
    const ranked: { carId: number; time: number | null }[] = (
      await at.ask('GET', `/recommendations?lon=${lon}&lat=${lat}`, { as: admin })
    ).json();
    return new Map(
      ranked.flatMap(({ carId: vehicleId, time }) => (time !== null && time > 30 ? [[vehicleId, time]] : [])),
    );
  };
  const [west, south, east, north] = (await at.ask('GET', '/territory', { as: admin })).json().bounds;
  const before = await times();
  expect(before.size).toBeGreaterThan(3);
  const { id } = await close(
    {
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [west, south],
            [east, south],
            [east, north],
            [west, north],
            [west, south],
          ],
        ],
      },
      factor: 0.5,
    },
    admin,
  );
  const slowed = await times();
  for (const [vehicle, time] of before) expect(slowed.get(vehicle), `vehicle ${vehicle}`).toBeGreaterThan(time * 1.3);
  await lift(id);
  expect(await times()).toEqual(before);
});

test('a closure has the fields of the interface, keeps what a change does not send, and is gone when it is deleted', async () => {
  const { id } = await close({ reason: 'burst' });
  const stored = {
    id,
    name: 'Water main',
    reason: 'burst',
    geometry: pointOf(way.middle),
    from: null,
    till: null,
    factor: 0,
  };
  expect((await at.ask('GET', `/closures/${id}`, { as: viewer })).json()).toEqual(stored);
  expect((await at.ask('GET', '/closures', { as: viewer })).json()).toEqual([stored]);
  const changed = await at.ask('PUT', `/closures/${id}`, { as: dispatcher, body: { factor: 0.3, till: 9e12 } });
  expect(changed.json()).toEqual({ ...stored, factor: 0.3, till: 9e12 });
  expect((await at.ask('PUT', `/closures/${id}`, { as: dispatcher, body: changed.json() })).json()).toEqual(
    changed.json(),
  );
  expect(
    (await at.ask('PUT', `/closures/${id}`, { as: dispatcher, body: { till: null, reason: null } })).json(),
  ).toEqual({ ...stored, factor: 0.3, reason: '' });
  await lift(id);
  expect((await at.ask('GET', `/closures/${id}`, { as: viewer })).status).toBe(404);
  expect((await lift(id)).status).toBe(404);
  expect((await at.ask('PUT', `/closures/${id}`, { as: dispatcher, body: { factor: 0 } })).status).toBe(404);
  expect((await at.ask('GET', '/closures', { as: viewer })).json()).toEqual([]);
});

/** A line of so many metres square across the way in its middle, which need not reach to the other side. */
async function across(before: number, behind: number): Promise<{ type: string; coordinates: number[][] }> {
  const line: [number, number][] = (await route()).route_geometry;
  const i = line.findIndex(
    ([lat, lon], k) =>
      k > 0 &&
      Math.abs((lat + line[k - 1]![0]) / 2 - way.middle.lat) + Math.abs((lon + line[k - 1]![1]) / 2 - way.middle.lon) <
        1e-9,
  );
  const [[latA, lonA], [latB, lonB]] = [line[i - 1]!, line[i]!];
  const shrink = Math.cos((latA * Math.PI) / 180);
  const [up, east] = [latB - latA, (lonB - lonA) * shrink];
  const metre = 1 / 111_195 / Math.hypot(up, east);
  const at = (metres: number): number[] => [
    way.middle.lon - (up * metre * metres) / shrink,
    way.middle.lat + east * metre * metres,
  ];
  return { type: 'LineString', coordinates: [at(-before), at(behind)] };
}

test('a road block is a line across the street: it closes the street, and the preview tells so before it is stored', async () => {
  const before = await route();
  const geometry = await across(8, 8);
  const previewed = await at.ask('POST', '/closures/preview', { as: dispatcher, body: { geometry } });
  expect(previewed.status, previewed.text).toBe(200);
  const { length, roads, lines } = previewed.json();
  expect(length).toBeGreaterThan(1);
  expect(roads.reduce((sum: number, { length }: { length: number }) => sum + length, 0)).toBeCloseTo(length, 0);
  expect(lines.coordinates.length).toBeGreaterThan(0);
  expect((await at.ask('GET', '/closures', { as: viewer })).json()).toEqual([]);
  expect(await route()).toEqual(before);
  const { id } = await close({ geometry });
  expect((await route()).closures).toEqual([id]);
  await lift(id);
});

test('the preview of a drawing that touches no road says so', async () => {
  const preview = async (geometry: unknown): Promise<TestResponse> =>
    at.ask('POST', '/closures/preview', { as: dispatcher, body: { geometry } });
  const sea = [way.middle.lon, way.middle.lat + 5] as const;
  const nothing = {
    length: 0,
    roads: [],
    lines: { type: 'MultiLineString', coordinates: [] },
    allowed: true,
    limit: 20,
  };
  expect((await preview({ type: 'LineString', coordinates: [sea, [sea[0], sea[1] + 0.0001]] })).json()).toEqual(
    nothing,
  );
  expect((await preview({ type: 'Point', coordinates: sea })).json()).toEqual(nothing);
  for (const wrong of [null, { type: 'LineString', coordinates: [sea] }, { type: 'Point', coordinates: [1, 100] }]) {
    const answered = await preview(wrong);
    expect(answered.status).toBe(400);
    expect(answered.text).toContain('geometry');
  }
  const body = { geometry: pointOf(way.middle) };
  expect((await at.ask('POST', '/closures/preview', { as: viewer, body })).status).toBe(403);
  expect((await at.ask('POST', '/closures/preview', { body })).status).toBe(401);
});

test('a slowed road is driven more slowly, and a change of the factor counts at once', async () => {
  const before = await route();
  const line = {
    type: 'LineString',
    coordinates: before.route_geometry.map(([lat, lon]: [number, number]) => [lon, lat]),
  };
  const { id } = await close({ geometry: line, factor: 0.9 });
  const slowed = await route();
  expect(slowed.closures).toEqual([id]);
  expect(slowed.route_summary.total_time).toBeGreaterThan(before.route_summary.total_time);
  await at.ask('PUT', `/closures/${id}`, { as: dispatcher, body: { factor: 0.7 } });
  expect((await route()).route_summary.total_time).toBeGreaterThan(slowed.route_summary.total_time);
  await at.ask('PUT', `/closures/${id}`, { as: dispatcher, body: { factor: 1 } });
  expect((await route()).route_summary.total_time).toBe(before.route_summary.total_time);
  await lift(id);
});

test('closures that are over, or still to come, change nothing', async () => {
  const before = await route();
  const over = await close({ from: Date.now() - 2 * HOUR, till: Date.now() - HOUR });
  const coming = await close({ from: Date.now() + HOUR });
  expect(await route()).toEqual(before);
  await at.ask('PUT', `/closures/${coming.id}`, {
    as: dispatcher,
    body: { from: Date.now() - HOUR, till: Date.now() + HOUR },
  });
  expect((await route()).closures).toEqual([coming.id]);
  await lift(over.id);
  await lift(coming.id);
});

test('a closure begins and ends by the clock, without anybody asking', async () => {
  const { id } = await close({ from: Date.now() + 400 });
  const named = async (): Promise<number[]> => (await route()).closures;
  await expect.poll(named, { interval: 20 }).toEqual([id]);
  // Only now, however long that took.
  await at.ok('PUT', `/closures/${id}`, { as: dispatcher, body: { till: Date.now() + 200 } });
  await expect.poll(named, { interval: 20 }).toEqual([]);
  await lift(id);
});

test('everybody sees closures; to make them takes the right to edit', async () => {
  const { id } = await close();
  const body = { name: 'Mine', geometry: pointOf(way.middle) };
  for (const [method, path] of [
    ['POST', '/closures'],
    ['PUT', `/closures/${id}`],
    ['DELETE', `/closures/${id}`],
  ] as const) {
    expect((await at.ask(method, path, { as: viewer, body })).status, method).toBe(403);
    expect((await at.ask(method, path, { body })).status, method).toBe(401);
  }
  expect((await at.ask('GET', '/closures')).status).toBe(401);
  expect((await route()).closures).toEqual([id]);
  expect((await at.ask('DELETE', `/closures/${id}`, { as: admin })).status).toBe(200);
});

test('an invalid closure is refused with a reason, and nothing is stored', async () => {
  const good = { name: 'x', geometry: pointOf(way.middle) };
  const square = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];
  const wrong: object[] = [
    {},
    { name: 'x' },
    { geometry: good.geometry },
    { ...good, name: ' ' },
    { ...good, name: 'x'.repeat(101) },
    { ...good, factor: -0.1 },
    { ...good, factor: 1.1 },
    { ...good, factor: '0' },
    { ...good, factor: null },
    { ...good, from: 'now' },
    { ...good, from: 1.5 },
    { ...good, from: -1 },
    { ...good, from: 5, till: 5 },
    { ...good, from: 6, till: 5 },
    ...[
      null,
      'Point',
      { type: 'Point' },
      { type: 'Point', coordinates: [] },
      { type: 'Point', coordinates: [181, 0] },
      { type: 'Point', coordinates: ['1', 2] },
      { type: 'MultiPoint', coordinates: [[1, 2]] },
      { type: 'LineString', coordinates: [[1, 2]] },
      { type: 'Polygon', coordinates: [] },
      { type: 'Polygon', coordinates: [square.slice(1)] },
      { type: 'Polygon', coordinates: [[...square.slice(0, 3), [0, 1]]] },
      { type: 'GeometryCollection', geometries: [] },
      { type: 'LineString', coordinates: Array.from({ length: 1001 }, (_, i) => [i / 1000, 0]) },
    ].map((geometry) => ({ ...good, geometry })),
  ];
  for (const body of wrong) {
    const answered = await at.ask('POST', '/closures', { as: dispatcher, body });
    expect(answered.status, JSON.stringify(body).slice(0, 200)).toBe(400);
    expect(answered.text.length).toBeGreaterThan(10);
  }
  expect((await at.ask('GET', '/closures', { as: dispatcher })).json()).toEqual([]);
  const { id } = await close({ from: 5000 });
  expect((await at.ask('PUT', `/closures/${id}`, { as: dispatcher, body: { till: 4000 } })).status).toBe(400);
  expect((await at.ask('GET', `/closures/${id}`, { as: dispatcher })).json()).toMatchObject({ from: 5000, till: null });
  await lift(id);
});

test('after a restart or a change of territory closures apply, and the networks of the used profiles are built', async () => {
  const { id } = await close();
  const [vehicle] = (await at.ask('GET', '/cars', { as: admin })).json();
  await at.ok('PUT', `/cars/${vehicle.id}`, { as: admin, body: { ...vehicle, profile: 'truck' } });
  // A consistent copy of a running station would be a backup; the data of a stopped one is simply its
  // directory.
  const data = `${scratch}/again`;
  await at.station.stop();
  cpSync(at.directory, data, { recursive: true });
  const again = await tryStation({ data, demo: true, demoSpeed: 0 });
  try {
    expect((await routeBetween(way.from, way.to, again)).closures).toEqual([id]);
    const as = again.station.accounts.grantControl();
    // Roads that vehicles use are made at the start, without anybody asking.
    const territory = `${data}/territory`;
    await expect
      .poll(() => profilesIn(join(territory, readFileSync(join(territory, 'current'), 'utf8').trim())), {
        timeout: Math.max(PATIENCE, 30_000),
      })
      .toContain('truck');
    expect(
      (await again.ask('POST', '/territory', { as, body: { path: DEMO_TOWN, name: 'The same again' } })).status,
    ).toBe(200);
    await expect
      .poll(async () => (await again.ask('GET', '/territory', { as })).json().name, {
        timeout: Math.max(PATIENCE, 30_000),
      })
      .toBe('The same again');
    expect((await routeBetween(way.from, way.to, again)).closures).toEqual([id]);
  } finally {
    await again.stop();
  }
});

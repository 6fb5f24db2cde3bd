import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { airDistance } from '../../../shared/geo/geometry.ts';
import { openTerritory } from '../../../server/geo/territory/index.ts';
import { tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';

/**
 * Points far from every road: on the main port they are not on this map, on the router port they go to the
 * nearest road.
 */

const TOWN = new URL('../../../resources/demo/town.osm.pbf', import.meta.url).pathname;
const PARIS = '48.8566,2.3522';
const data = mkdtempSync(join(tmpdir(), 'waypost-snap-'));
let at: TryStation;
let wide: TryStation;
const routerAddress = (): string => `http://127.0.0.1:${at.station.http.router!.port}`;
/** A road node, and points some kilometres north of all roads. */
let here: string;
let north: (kilometres: number) => string;

beforeAll(async () => {
  const territory = await openTerritory(join(data, 'territory'), { lookEvery: 0 });
  const {
    bounds: [west, south, east, top],
  } = await territory.import({ files: [TOWN] });
  await territory.close();
  at = await tryStation({ data, routerPort: 0 });
  const mapped = async (path: string): Promise<[number, number]> => {
    const answer = (await onRouter(path)) as { mapped_coordinate: [number, number] };
    return answer.mapped_coordinate;
  };
  const [lat, lon] = await mapped(`/locate?loc=${(south + top) / 2},${(west + east) / 2}`);
  here = `${lat},${lon}`;
  // The northernmost road, and what lies north of it.
  const edge = await mapped(`/nearest?loc=${top + 1},${lon}`);
  north = (kilometres) => `${(edge[0] + kilometres / 111.2263).toFixed(6)},${edge[1]}`;
});

afterAll(async () => {
  await at?.stop();
  await wide?.stop();
  rmSync(data, { recursive: true, force: true });
});

const onMain = (path: string): Promise<Record<string, unknown>> =>
  at.ok('GET', path) as Promise<Record<string, unknown>>;
const onRouter = async (path: string): Promise<Record<string, unknown>> => {
  const response = await fetch(routerAddress() + path);
  expect(response.status, path).toBe(200);
  return (await response.json()) as Record<string, unknown>;
};
/** Metres by air, roughly: the town is small beside them. */
const PARIS_FROM_HERE = (): number => {
  const [[lat, lon], [hereLat, hereLon]] = [PARIS, here].map((point) => point.split(',').map(Number)) as [
    number[],
    number[],
  ];
  return airDistance({ lat: lat!, lon: lon! }, { lat: hereLat!, lon: hereLon! });
};
const NOT_HERE = (point: number) => `Point ${point} is not on this map: there is no road within 5 km of it.`;

test('on the main port there is no way from Paris to the demo town; on the router port there is', async () => {
  expect(await onMain(`/viaroute?loc=${PARIS}&loc=${here}`)).toEqual({ status: 207, status_message: NOT_HERE(1) });
  expect(await onMain(`/viaroute?loc=${here}&loc=${PARIS}`)).toEqual({ status: 207, status_message: NOT_HERE(2) });
  expect(await onMain(`/viaroute?loc=${here}&loc=${PARIS}&loc=${here}`)).toEqual({
    status: 207,
    status_message: NOT_HERE(2),
  });
  expect(await onMain(`/nearest?loc=${PARIS}`)).toEqual({
    status: 207,
    status_message: NOT_HERE(1),
    mapped_coordinate: [],
    name: '',
    distance: expect.closeTo(PARIS_FROM_HERE(), -4),
  });
  expect(await onMain(`/locate?loc=${PARIS}`)).toEqual({
    status: 207,
    status_message: NOT_HERE(1),
    mapped_coordinate: [],
  });
  expect(await onMain(`/isochrone?loc=${PARIS}&minutes=5`)).toMatchObject({
    status: 207,
    status_message: NOT_HERE(1),
    features: [],
  });
  for (const question of [`viaroute?loc=${here}&`, 'nearest?', 'locate?', 'isochrone?minutes=5&']) {
    expect((await onRouter(`/${question}loc=${PARIS}`)).status, question).toBe(0);
  }
});

test('in a table only the rows and columns of points off the map are empty, and the answer names them', async () => {
  const NONE = 2147483647;
  interface Times {
    distance_table: number[][];
    distances: (number | null)[][];
  }
  const table = (await onMain(`/table?loc=${here}&loc=${PARIS}&loc=${north(1)}&distances=true`)) as unknown as Times;
  expect(table).toMatchObject({ status: 207, status_message: NOT_HERE(2) });
  const whole = (await onRouter(`/table?loc=${here}&loc=${north(1)}&distances=true`)) as unknown as Times;
  expect(whole).toMatchObject({ status: 0 });
  const [a, b] = [whole.distance_table, whole.distances];
  expect(table.distance_table).toEqual([
    [0, NONE, a[0]![1]],
    [NONE, NONE, NONE],
    [a[1]![0], NONE, 0],
  ]);
  expect(table.distances).toEqual([
    [0, null, b[0]![1]],
    [null, null, null],
    [b[1]![0], null, 0],
  ]);
  expect(await onMain(`/table?src=${PARIS}&dst=${here}`)).toMatchObject({ status: 207, distance_table: [[NONE]] });
});

test('a place as far as the limit from the nearest road is on this map, one beyond it is not; a hint needs no road near', async () => {
  expect(await onMain(`/nearest?loc=${north(4.99)}`)).toMatchObject({ status: 0, distance: expect.closeTo(4990, -1) });
  expect(await onMain(`/nearest?loc=${north(5.01)}`)).toMatchObject({
    status: 207,
    distance: expect.closeTo(5010, -1),
  });
  expect((await onMain(`/locate?loc=${north(5.01)}`)).status).toBe(207);
  const { hint_data } = await onRouter(`/viaroute?loc=${here}&loc=${north(8)}`);
  const { locations, checksum } = hint_data as { locations: string[]; checksum: number };
  expect((await onMain(`/viaroute?loc=${here}&loc=${north(8)}`)).status).toBe(207);
  const hinted = `loc=${here}&hint=${locations[0]}&loc=${north(8)}&hint=${locations[1]}`;
  expect((await onMain(`/viaroute?checksum=${checksum}&${hinted}`)).status).toBe(0);
});

test('the limit is a setting', async () => {
  await at.stop();
  wide = await tryStation({ data, 'router.snapLimit': 9000 });
  expect(await wide.ok('GET', `/nearest?loc=${north(8)}`)).toMatchObject({ status: 0 });
  const status_message = 'Point 1 is not on this map: there is no road within 9 km of it.';
  expect(await wide.ok('GET', `/nearest?loc=${north(10)}`)).toMatchObject({ status: 207, status_message });
});

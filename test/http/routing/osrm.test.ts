import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpListener } from '../../../server/http/listener/listen.ts';
import { readPolyline, startPlanner } from '../../../server/geo/routing/index.ts';
import type { Planner } from '../../../server/geo/routing/index.ts';
import { drawRoads } from '../../unit/geo/routing/town.ts';
import { bugs, serveAreaC } from './serve-routing.ts';

/** The services under the paths of OSRM 5, asked as its clients ask. */

const town = drawRoads(
  `
  a---b---c
  |   |   |
  d---e---f

  x---y
`,
  { ways: { abc: { name: 'High Street' }, def: { name: 'Low Street' }, xy: {} }, minComponent: 1 },
);

let directory: string;
let planner: Planner;
let server: HttpListener;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-osrm-'));
  await writeFile(join(directory, 'roads.bin'), town.bytes);
  planner = await startPlanner({ directory });
  server = await serveAreaC(planner, { snapLimit: 5000 });
});

afterAll(async () => {
  await server.stop();
  await planner.close();
  await rm(directory, { recursive: true });
  expect(bugs).toEqual([]);
});

const at = (...letters: string[]): string =>
  letters.map((letter) => `${town.at(letter).lon},${town.at(letter).lat}`).join(';');
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are looked into by name
async function ask(path: string): Promise<{ status: number; body: any; headers: Headers }> {
  const response = await fetch(server.address + path);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

test('a route is the one of /viaroute, with the geometry in the asked form', async () => {
  const { status, body, headers } = await ask(`/route/v1/driving/${at('a', 'f')}?steps=true&annotations=true`);
  expect([status, body.code]).toEqual([200, 'Ok']);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  const [lon, lat] = [town.at('a').lon, town.at('a').lat];
  expect(body.waypoints[0]).toEqual({
    hint: expect.any(String),
    distance: 0,
    name: expect.any(String),
    location: [lon, lat],
  });
  const [{ duration, distance, legs, weight_name, geometry }] = body.routes;
  const old = await ask(`/viaroute?loc=${lat},${lon}&loc=${town.at('f').lat},${town.at('f').lon}`);
  expect([Math.round(distance), Math.round(duration)]).toEqual([
    old.body.route_summary.total_distance,
    old.body.route_summary.total_time,
  ]);
  expect([weight_name, legs.length]).toEqual(['duration', 1]);
  expect(Object.keys(legs[0].annotation).sort()).toEqual([
    'datasources',
    'distance',
    'duration',
    'metadata',
    'speed',
    'weight',
  ]);
  // Five decimals by default.
  const [[firstLat, firstLon]] = readPolyline(geometry) as [[number, number]];
  expect([firstLat / 1e5, firstLon / 1e5]).toEqual([expect.closeTo(lat, 4), expect.closeTo(lon, 4)]);
  const line = await ask(`/route/v1/car/${at('a', 'f')}.json?geometries=geojson&overview=full`);
  expect(line.body.routes[0].geometry.coordinates[0]).toEqual([lon, lat]);
  expect(line.body.routes[0].legs[0].steps).toEqual([]);
  const none = await ask(`/route/v1/car/${at('a', 'f')}?overview=false&generate_hints=false&skip_waypoints=true`);
  expect(none.body).not.toHaveProperty('waypoints');
  expect(none.body.routes[0]).not.toHaveProperty('geometry');
  const encoded = `polyline6(${encodeURIComponent((await ask(`/route/v1/car/${at('a', 'f')}?geometries=polyline6`)).body.routes[0].geometry)})`;
  expect((await ask(`/route/v1/car/${encoded}?continue_straight=false`)).body.code).toBe('Ok');
});

test('hints, bearings and radiuses decide where a coordinate is', async () => {
  const beside = `${town.at('b').lon},${town.at('b').lat + 0.002}`;
  const first = await ask(`/route/v1/driving/${beside};${at('f')}`);
  expect(first.body.waypoints[0].distance).toBeCloseTo(222.4, 0);
  const hint: string = first.body.waypoints[0].hint;
  // A hint takes the place of the coordinate.
  const hinted = await ask(`/route/v1/driving/${at('d', 'f')}?hints=${hint};`);
  expect(hinted.body.waypoints[0].location).toEqual(first.body.waypoints[0].location);
  expect(await ask(`/route/v1/driving/${beside};${at('f')}?radiuses=100;unlimited`)).toMatchObject({
    status: 400,
    body: { code: 'NoSegment' },
  });
  const between = `${(town.at('b').lon + town.at('c').lon) / 2},${town.at('b').lat}`;
  const west = await ask(`/route/v1/driving/${between};${at('c')}?bearings=270,10;&steps=true`);
  expect(west.body.routes[0].legs[0].steps[0].maneuver.bearing_after).toBe(270);
});

test('a table has seconds and metres, and null where there is no way', async () => {
  const { body } = await ask(`/table/v1/driving/${at('a', 'c', 'x')}?annotations=duration,distance&sources=0;2`);
  expect(body).toMatchObject({
    code: 'Ok',
    durations: [
      [0, 20, null],
      [null, null, 0],
    ],
    distances: [
      [0, 200, null],
      [null, null, 0],
    ],
  });
  expect([body.sources.length, body.destinations.length]).toEqual([2, 3]);
  expect(Object.keys((await ask(`/table/v1/driving/${at('a', 'c')}`)).body)).not.toContain('distances');
});

test('the nearest roads come with their distances; a trip visits all; a track is matched', async () => {
  const near = await ask(`/nearest/v1/driving/${town.at('a').lon},${town.at('a').lat + 1}?number=2`);
  expect(near.body.waypoints).toHaveLength(2);
  expect(near.body.waypoints[0].distance).toBeCloseTo(111_226, -2);
  const trip = await ask(`/trip/v1/driving/${at('a', 'f', 'c', 'd')}?source=first`);
  const order = trip.body.waypoints.map(({ waypoint_index }: { waypoint_index: number }) => waypoint_index);
  expect([trip.body.code, order[0], Math.abs(order[1] - order[2])]).toEqual(['Ok', 0, 1]);
  const open = await ask(`/trip/v1/driving/${at('a', 'f', 'c', 'd')}?roundtrip=false`);
  expect(open.body.trips[0].legs).toHaveLength(3);
  expect(await ask(`/trip/v1/driving/${at('a', 'x')}`)).toMatchObject({ status: 400, body: { code: 'NoTrips' } });

  const off = (letter: string): string => `${town.at(letter).lon},${town.at(letter).lat + 0.00003}`;
  const track = ['a', 'b', 'c', 'f'].map(off).join(';');
  const matched = await ask(
    `/match/v1/driving/${track}?timestamps=0;10;20;30&radiuses=5;5;5;5&steps=true&overview=full`,
  );
  expect(matched.body.code).toBe('Ok');
  expect(matched.body.matchings).toHaveLength(1);
  expect(matched.body.matchings[0].distance).toBeCloseTo(300, -1);
  expect(matched.body.matchings[0].confidence).toBeGreaterThan(0.5);
  expect(matched.body.tracepoints.map((one: { waypoint_index: number }) => one.waypoint_index)).toEqual([0, 1, 2, 3]);
  expect(await ask(`/match/v1/driving/0,0;0.01,0`)).toMatchObject({ status: 400, body: { code: 'NoMatch' } });
});

test('what cannot be answered says why, with a code', async () => {
  const paris = '2.3522,48.8566';
  expect((await ask(`/route/v1/driving/${at('a')};${paris}`)).body).toEqual({
    code: 'NoSegment',
    message:
      'Could not find a matching segment for coordinate 1. Point 2 is not on this map: there is no road within 5 km of it.',
  });
  for (const [path, code] of [
    [`/route/v1/driving/${at('a', 'x')}`, 'NoRoute'],
    [`/route/v1/driving/${at('a')}`, 'InvalidOptions'],
    [`/route/v1/driving/${at('a', 'b')}?alternative=true`, 'InvalidQuery'],
    [`/route/v1/driving/${at('a', 'b')}?alternatives=maybe`, 'InvalidValue'],
    [`/route/v1/driving/${at('a', 'b')}?hints=;;`, 'InvalidOptions'],
    [`/route/v1/driving/${at('a', 'b')}?exclude=ferry`, 'InvalidValue'],
    [`/route/v1/driving/${at('a', 'b')}?annotations=nodes`, 'InvalidValue'],
    [`/route/v1/driving/${at('a', 'b', 'c')}?waypoints=0;1`, 'InvalidValue'],
    [`/route/v1/rocket/${at('a', 'b')}`, 'InvalidValue'],
    [`/route/v1/driving/200,1;1,1`, 'InvalidOptions'],
    [`/route/v1/driving/1,1;x,1`, 'InvalidQuery'],
    [`/route/v1/driving/polyline(%3F)`, 'InvalidQuery'],
    [`/route/v1/driving/${'1,1;'.repeat(500)}1,1`, 'TooBig'],
    [`/table/v1/driving/${at('a', 'b')}?sources=7`, 'InvalidOptions'],
    [`/match/v1/driving/${at('a', 'b')}?timestamps=5;4`, 'InvalidValue'],
    [`/nearest/v1/driving/${at('a')}?number=0`, 'InvalidValue'],
    [`/trip/v1/driving/${at('a', 'b')}?source=last`, 'InvalidValue'],
    [`/route/v1/driving/${at('a', 'b')}?hints=%ff;`, 'InvalidUrl'],
  ] as const) {
    const { status, body } = await ask(path);
    expect([path, status, body.code, typeof body.message]).toEqual([path, 400, code, 'string']);
  }
});

/** What the clients below need of a browser. */
class Request {
  status = 0;
  responseText = '';
  onload = (): void => {};
  onerror = (): void => {};
  #url = '';
  open(_: string, url: string): void {
    this.#url = url;
  }
  send(): void {
    void fetch(this.#url).then(async (response) => {
      this.responseText = await response.text();
      this.status = response.status;
      this.onload();
    }, this.onerror);
  }
  abort(): void {}
}

interface Instruction {
  type: string;
  road: string;
  text: string;
  distance: number;
}

test('Leaflet Routing Machine and osrm-text-instructions work unchanged', async () => {
  const load = createRequire(import.meta.url);
  const style = {};
  const document = { documentElement: { style }, createElement: () => ({ style, getContext: undefined }) };
  const browser = {
    XMLHttpRequest: Request,
    document,
    navigator: { userAgent: '', platform: '' },
    devicePixelRatio: 1,
  };
  const globals = { window: browser, document, location: new URL(server.address) };
  Object.assign(globalThis, globals);
  try {
    const OsrmRouter = load('leaflet-routing-machine/src/osrm-v1.js');
    const { latLng } = load('leaflet') as typeof import('leaflet');
    const router = new OsrmRouter({ serviceUrl: `${server.address}/route/v1` });
    const waypoints = ['a', 'e', 'c'].map((letter) => ({ latLng: latLng(town.at(letter).lat, town.at(letter).lon) }));
    const find = (): Promise<{ instructions: Instruction[]; coordinates: unknown[]; waypointIndices: number[] }[]> =>
      new Promise((resolve, reject) =>
        router.route(waypoints, (error: Error, routes: never) => (error ? reject(error) : resolve(routes))),
      );
    const [route] = await find();
    expect(route!.instructions.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['Head', 'WaypointReached', 'DestinationReached']),
    );
    expect(route!.instructions.at(-1)!.text).toMatch(/^You have arrived at your/);
    expect(route!.waypointIndices).toHaveLength(3);
    expect(route!.coordinates.length).toBeGreaterThan(3);
    // The second question sends the hints of the first.
    expect((await find())[0]!.instructions).toEqual(route!.instructions);

    const text = load('osrm-text-instructions')('v5');
    const { body } = await ask(`/route/v1/driving/${at('d', 'c')}?steps=true`);
    const steps: object[] = body.routes[0].legs[0].steps;
    const german = steps.map((step) => text.compile('de', step, { legCount: 1, legIndex: 0 }));
    expect(german.every((sentence) => sentence.length > 5)).toBe(true);
    expect(german.join(' ')).toMatch(/Low Street|High Street/);
    expect(german.at(-1)).toMatch(/Ziel/);
  } finally {
    for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
  }
});

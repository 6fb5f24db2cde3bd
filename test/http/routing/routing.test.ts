import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiOf } from '../../../server/http/app/openapi.ts';
import type { HttpListener } from '../../../server/http/listener/listen.ts';
import { routingRoutes } from '../../../server/http/routing/routing.ts';
import { encodePolyline, startPlanner } from '../../../server/geo/routing/index.ts';
import type { Planner } from '../../../server/geo/routing/index.ts';
import { roadsMaker } from '../../../server/geo/territory/roads/index.ts';
import { numbers, SEED } from '../../support/chance.ts';
import { drawExtract, drawRoads } from '../../unit/geo/routing/town.ts';
import { bugs, serveAreaC } from './serve-routing.ts';

/** c to e is slower, so that the quickest way from a to e is always by d. */
const town = drawRoads(
  `
  a---b---c
      |   |
      d---e

  x---y
`,
  { ways: { bde: { name: 'Lindenstraße "Ö"' }, ce: { maxspeed: '35' } }, minComponent: 1 },
);

let directory: string;
let planner: Planner;
let server: HttpListener;
let base: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-routing-'));
  await writeFile(join(directory, 'roads.bin'), town.bytes);
  planner = await startPlanner({ directory });
  server = await serveAreaC(planner, { tableLimit: 30 });
  base = server.address;
});

afterAll(async () => {
  await server.stop();
  await planner.close();
  await rm(directory, { recursive: true });
  expect(bugs).toEqual([]);
});

const loc = (letter: string): string => `loc=${town.at(letter).lat},${town.at(letter).lon}`;
const get = (path: string): Promise<Response> => fetch(base + path);
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are looked into by name
const json = async (path: string): Promise<any> => {
  const response = await get(path);
  expect(response.status, path).toBe(200);
  return response.json();
};

test('a malformed query is refused with the place where it went wrong', async () => {
  const vectors: [string, number][] = [
    ['/', 0],
    ['/?', 0],
    ['/viaroute?', 9],
    ['/viaroute?loc=', 9],
    ['/viaroute?loc=1', 9],
    ['/viaroute?loc=x', 9],
    ['/viaroute?loc=x,y', 9],
    ['/viaroute?loc=1,1,1', 17],
    ['/viaroute?loc=1,1&loc=', 17],
    ['/viaroute?loc=1,1&loc=1', 17],
    ['/viaroute?loc=1,1&loc=x', 17],
    ['/viaroute?loc=1,1&loc=1,1,1', 25],
    ['/viaroute?loc=1,1&loc=1,1&_=123', 25],
    ['/viaroute?loc=1,1&loc=1,1&alt=TRUE', 25],
    ['/viaroute?loc=1,1&loc=1,1&alt=1', 25],
    ['/viaroute?loc=1,1&loc=1,1&z=x', 25],
    ['/viaroute?loc=1,1&loc=1,1&z=1.5', 29],
    ['/viaroute?loc=1,1&loc=1,1&', 25],
    ['/viaroute?loc=1,1&loc=1,1&hint=a%20b', 32],
    ['/viaroute?loc=1, 1', 9],
  ];
  for (const [path, position] of vectors) {
    const response = await get(path);
    expect(response.status, path).toBe(400);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json(), path).toEqual({
      status: 400,
      status_message: `Query string malformed close to position ${position}`,
    });
  }
});

test('too few points, points off the globe and unknown services are bad requests', async () => {
  for (const path of [
    '/viaroute',
    '/viaroute?loc=1,1',
    '/table?loc=1,1',
    '/nearest',
    '/locate?z=3',
    '/viaroute?loc=91,1&loc=1,1',
    '/nearest?loc=1,-180.1',
    '/viaroute?loc=1,1&src=1,1',
    '/trip?loc=1,1',
  ]) {
    const response = await get(path);
    expect(response.status, path).toBe(400);
    expect(await response.json(), path).toEqual({ status: 400, status_message: 'Bad Request' });
  }
});

test('a route has the fields of the interface', async () => {
  const response = await get(`/viaroute?${loc('a')}&${loc('e')}&instructions=true&alt=false`);
  expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8');
  expect(response.headers.get('content-disposition')).toBe('inline; filename="response.json"');
  expect(response.headers.get('access-control-allow-methods')).toBe('GET');
  const reply = (await response.json()) as Record<string, unknown>;
  expect(reply).toMatchObject({
    status: 0,
    status_message: 'Found route between points',
    route_summary: { total_time: 30, start_point: 'ab', end_point: 'Lindenstraße "Ö"' },
    route_name: ['ab', 'Lindenstraße "Ö"'],
    via_indices: [0, 3],
    found_alternative: false,
    hint_data: { locations: [expect.any(String), expect.any(String)], checksum: town.roads.checksum },
  });
  const rows = reply.route_instructions as unknown[][];
  expect(rows[0]!.slice(0, 2)).toEqual(['10', 'ab']);
  expect(rows[0]![6]).toBe('E');
  expect(rows.at(-1)).toEqual(['15', '', 0, 3, 0, '0m', 'N', 0, 1]);
  expect(rows.reduce((sum, row) => sum + (row[4] as number), 0)).toBe(30);
});

test('an alternative has its own geometry, instructions, summary, names and indices, unless it is not wanted', async () => {
  const points = `${loc('a')}&${loc('e')}`;
  const reply = await json(`/viaroute?${points}&instructions=true&compression=false`);
  expect(reply).toMatchObject({
    found_alternative: true,
    alternative_summaries: [{ total_time: 30, start_point: 'ab', end_point: 'ce' }],
    alternative_indices: [0, 3],
    route_name: ['Lindenstraße "Ö"', ''],
  });
  expect(reply.alternative_geometries[0]).toHaveLength(4);
  expect(reply.alternative_instructions[0].map((row: unknown[]) => row[1])).toEqual(['ab', 'bc', 'ce', '']);
  const plain = await json(`/viaroute?${points}&alt=false`);
  expect(plain.found_alternative).toBe(false);
  expect(Object.keys(plain).filter((name) => name.startsWith('alternative'))).toEqual([]);
  expect((await json(`/viaroute?${points}&${loc('a')}`)).found_alternative).toBe(false);
});

test('options shape the answer', async () => {
  const points = `${loc('a')}&${loc('e')}`;
  expect((await json(`/viaroute?${points}&geometry=false`)).route_geometry).toBeUndefined();
  expect((await json(`/viaroute?${points}`)).route_instructions).toBeUndefined();
  const { route_geometry: pairs, via_points: via } = await json(`/viaroute?${points}&compression=false`);
  expect(pairs[0]).toEqual(via[0]);
  expect(pairs.at(-1)).toEqual([town.at('e').lat, town.at('e').lon]);
  expect((await json(`/viaroute?z=99&hl=de&geomformat=cmp&output=xml&${points}`)).status).toBe(0);
});

test('JSONP wraps whatever is answered with 200, and errors stay plain', async () => {
  const found = await get(`/viaroute?${loc('a')}&${loc('c')}&jsonp=app.on%5B0%5D`);
  expect(found.headers.get('content-type')).toBe('text/javascript; charset=UTF-8');
  expect(await found.text()).toMatch(/^app\.on\[0\]\(\{"status":0,.*\}\)$/s);
  expect(await (await get(`/viaroute?${loc('a')}&${loc('x')}&jsonp=f`)).text()).toBe(
    'f({"status":207,"status_message":"Cannot find route between points"})',
  );
  expect(await (await get(`/viaroute?${loc('a')}&jsonp=f`)).json()).toEqual({
    status: 400,
    status_message: 'Bad Request',
  });
});

test('GPX lists the points of the way and credits the map', async () => {
  const response = await get(`/viaroute?${loc('a')}&${loc('c')}&output=gpx`);
  expect(response.headers.get('content-type')).toBe('application/gpx+xml; charset=UTF-8');
  const text = await response.text();
  expect(text.match(/<rtept lat="-?\d+\.\d{6}" lon="-?\d+\.\d{6}">/g)).toHaveLength(3);
  expect(text).toContain('ODbL');
  expect(await (await get(`/viaroute?${loc('a')}&${loc('x')}&output=gpx`)).text()).toContain('<rte></rte>');
});

test('nearest and locate tell a point on a road and a node', async () => {
  const { lat, lon } = town.at('a');
  const beside = `loc=${lat + 0.0001},${lon + 0.0004}`;
  expect(await json(`/nearest?${beside}`)).toEqual({
    status: 0,
    mapped_coordinate: [lat, Math.round((lon + 0.0004) * 1e6) / 1e6],
    name: 'ab',
    distance: 11.1,
  });
  expect(await json(`/locate?${beside}`)).toEqual({ status: 0, mapped_coordinate: [lat, lon] });
  const { results } = await json(`/nearest?${beside}&num_results=3`);
  expect(results).toHaveLength(3);
  expect(results[0]['mapped coordinate']).toEqual([lat, Math.round((lon + 0.0004) * 1e6) / 1e6]);
  expect(results[0].distance).toBe(11.1);
});

test('a table has tenths of a second, and 2147483647 where there is no way', async () => {
  expect(await json(`/table?${loc('a')}&${loc('c')}&${loc('x')}`)).toEqual({
    status: 0,
    distance_table: [
      [0, 200, 2147483647],
      [200, 0, 2147483647],
      [2147483647, 2147483647, 0],
    ],
  });
});

test('a table gives lengths when they are asked for, and null where there is no way', async () => {
  const { distances } = await json(`/table?${loc('a')}&${loc('c')}&${loc('x')}&distances=true`);
  const { route_summary: summary } = await json(`/viaroute?${loc('a')}&${loc('c')}`);
  const length = summary.total_distance as number;
  expect(length).toBeGreaterThan(0);
  expect(distances).toEqual([
    [0, length, null],
    [length, 0, null],
    [null, null, 0],
  ]);
});

test('a table may have other rows than columns', async () => {
  const as = (name: string, letter: string): string => loc(letter).replace('loc', name);
  expect(await json(`/table?${as('src', 'a')}&${as('dst', 'c')}&${as('dst', 'a')}&${as('dst', 'x')}`)).toEqual({
    status: 0,
    distance_table: [[200, 0, 2147483647]],
  });
  expect(await json(`/table?${as('src', 'a')}&${loc('c')}`)).toEqual({ status: 0, distance_table: [[200]] });
  expect((await get(`/table?${as('src', 'a')}&${as('src', 'c')}`)).status).toBe(400);
});

test('u and uturns let the vehicle turn back', async () => {
  const middle = `loc=${town.at('b').lat},${town.at('b').lon + 0.0004}`;
  const time = async (options: string): Promise<number> =>
    (await json(`/viaroute?${options}`)).route_summary.total_time;
  const straight = await time(`${loc('a')}&${middle}&${loc('a')}`);
  expect(await time(`${loc('a')}&${middle}&u=true&${loc('a')}`)).toBeLessThan(straight);
  expect(await time(`uturns=true&${loc('a')}&${middle}&${loc('a')}`)).toBeLessThan(straight);
  expect(await time(`${loc('a')}&${middle}&${loc('a')}&uturns=true`)).toBeLessThan(straight);
  expect(await time(`${loc('a')}&${middle}&${loc('a')}&uturns=false`)).toBe(straight);
});

test('b sets the direction of travel at each point', async () => {
  const time = async (query: string): Promise<number> => (await json(`/viaroute?${query}`)).route_summary.total_time;
  const middle = `loc=${town.at('b').lat},${(town.at('b').lon + town.at('c').lon) / 2}`;
  expect(await time(`${middle}&b=90&${loc('b')}&b=0,180`)).toBeGreaterThan(
    await time(`${middle}&b=270&${loc('b')}&b=0,180`),
  );
  expect((await json(`/nearest?${middle}&b=0`)).name).toBe('Lindenstraße "Ö"');
  const one = await get(`/viaroute?${middle}&b=90&${loc('b')}`);
  expect([one.status, await one.json()]).toEqual([
    400,
    { status: 400, status_message: 'There are 1 directions (b) for 2 points.' },
  ]);
  for (const wrong of ['360', '-1', 'x', '', '1e1', '90.5', '90,181', '0999'])
    expect((await get(`/viaroute?${middle}&b=${wrong}&${loc('b')}&b=0`)).status, wrong).toBe(400);
  expect((await get('/viaroute?loc=1,1&b=360&loc=1,1')).status).toBe(400);
  expect((await json(`/table?${middle}&b=90&${loc('b')}&b=0,180`)).distance_table).toHaveLength(2);
});

test('locs takes all points as a polyline', async () => {
  const points = ['a', 'b', 'd'].map((letter): [number, number] => [town.at(letter).lat, town.at(letter).lon]);
  const line = encodeURIComponent(encodePolyline(points));
  expect(await json(`/viaroute?locs=${line}&instructions=true`)).toEqual(
    await json(`/viaroute?${loc('a')}&${loc('b')}&${loc('d')}&instructions=true`),
  );
  expect((await json(`/table?${loc('e')}&locs=${line}`)).distance_table).toHaveLength(3);
  for (const broken of ['_', 'A', '%5F%5F%5F%5F%5F%5F%5F%5F%5F%5F%5F%5FA', '_c%60%7C%40_upzA_']) {
    const response = await get(`/viaroute?locs=${broken}`);
    expect(await response.json(), broken).toEqual({
      status: 400,
      status_message: 'Query string malformed close to position 9',
    });
  }
  expect(
    (
      await get(
        `/viaroute?locs=${encodeURIComponent(
          encodePolyline([
            [91, 1],
            [1, 1],
          ]),
        )}`,
      )
    ).status,
  ).toBe(400);
});

test('hints put points back where they were, with the right checksum only', async () => {
  const first = await json(`/viaroute?${loc('a')}&${loc('e')}`);
  const [hint] = first.hint_data.locations;
  const elsewhere = `${loc('c')}&hint=${hint}&${loc('e')}`;
  expect((await json(`/viaroute?${elsewhere}&checksum=${first.hint_data.checksum}`)).via_points[0]).toEqual(
    first.via_points[0],
  );
  expect((await json(`/viaroute?${elsewhere}&checksum=1`)).via_points[0]).toEqual([town.at('c').lat, town.at('c').lon]);
  expect((await json(`/viaroute?${elsewhere}`)).via_points[0]).toEqual([town.at('c').lat, town.at('c').lon]);
  expect(
    (await json(`/viaroute?${loc('c')}&hint=nonsense&${loc('e')}&checksum=${first.hint_data.checksum}`)).via_points[0],
  ).toEqual([town.at('c').lat, town.at('c').lon]);
});

test('too many points are refused with the count and the limit', async () => {
  const many = (count: number): string => Array.from({ length: count }, () => loc('a')).join('&');
  expect((await get(`/viaroute?${many(25)}`)).status).toBe(200);
  expect(await (await get(`/viaroute?${many(26)}`)).json()).toEqual({
    status: 400,
    status_message: '26 points were given; at most 25 are allowed.',
  });
  expect((await get(`/table?${many(30)}`)).status).toBe(200);
  expect(await (await get(`/table?${many(31)}`)).json()).toEqual({
    status: 400,
    status_message: '31 points were given; at most 30 are allowed.',
  });
});

test('the interface description covers area C', () => {
  const { paths } = openApiOf(routingRoutes(planner), '1') as {
    paths: Record<string, { get: { parameters: { name: string }[] } }>;
  };
  expect(Object.keys(paths)).toEqual([
    ...['/locate', '/nearest', '/viaroute', '/table', '/isochrone'],
    ...['route', 'nearest', 'table', 'match', 'trip'].map((name) => `/${name}/v1/{profile}/{coordinates}`),
  ]);
  expect(paths['/viaroute']!.get.parameters.map(({ name }) => name)).toContain('instructions');
});

test('an isochrone is a GeoJSON feature for each time, the shortest first', async () => {
  const found = await json(`/isochrone?${loc('a')}&minutes=0.5,0.25,0.5`);
  expect(found).toMatchObject({
    status: 0,
    type: 'FeatureCollection',
    near: 75,
    mapped_coordinate: [town.at('a').lat, town.at('a').lon],
  });
  expect(found.features.map((feature: { properties: unknown }) => feature.properties)).toEqual([
    { minutes: 0.25 },
    { minutes: 0.5 },
  ]);
  const east = found.features.map(
    ({ geometry }: { geometry: { type: string; coordinates: [number, number][][][] } }) => {
      expect(geometry.type).toBe('MultiPolygon');
      const ring = geometry.coordinates[0]![0]!;
      expect(ring.at(-1)).toEqual(ring[0]);
      return (Math.max(...ring.map(([lon]) => lon)) - town.at('a').lon) * 111_226;
    },
  );
  // 150 m and, the road being over then, 200 m, and what lies around them.
  expect(Math.abs(east[0] - 225)).toBeLessThan(15);
  expect(Math.abs(east[1] - 275)).toBeLessThan(15);
  expect((await get(`/isochrone?${loc('a')}&minutes=1&jsonp=draw`)).headers.get('content-type')).toContain(
    'javascript',
  );
});

test('an isochrone without times, or with times beyond all bounds, is refused in words', async () => {
  for (const [query, message] of [
    ['', 'The driving times are missing: minutes=5,10,15.'],
    ['&minutes=1,2,3,4,5,6,7', '7 times were given in minutes; at most 6 are allowed.'],
    ['&minutes=0', 'minutes goes from 0.1 to 240.'],
    ['&minutes=5,241', 'minutes goes from 0.1 to 240.'],
    ['&minutes=5&profile=balloon', 'There is no vehicle profile balloon; there are car.'],
  ] as const) {
    const response = await get(`/isochrone?${loc('a')}${query}`);
    expect(response.status, query).toBe(400);
    expect(await response.json()).toEqual({ status: 400, status_message: message });
  }
  expect((await get('/isochrone?minutes=5')).status).toBe(400);
  expect((await get(`/isochrone?${loc('a')}&minutes=5,`)).status).toBe(400);
});

test('without a territory routing answers that there is none', async () => {
  const empty = await startPlanner();
  const bare = await serveAreaC(empty);
  const there = bare.address;
  const response = await fetch(`${there}/viaroute?${loc('a')}&${loc('c')}`);
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ status: 404, status_message: expect.stringContaining('No territory') });
  await bare.stop();
  await empty.close();
});

test('a profile that is not there is refused with the ones that are', async () => {
  expect((await get(`/viaroute?${loc('a')}&${loc('c')}&profile=car`)).status).toBe(200);
  expect(await (await get(`/viaroute?${loc('a')}&${loc('c')}&profile=balloon`)).json()).toEqual({
    status: 400,
    status_message: 'There is no vehicle profile balloon; there are car.',
  });
});

test('every service answers for the profile that is asked for', async () => {
  const drawn = drawExtract(
    `
    a---b---c
    |       |
    d-------e
  `,
    { ways: { abc: { highway: 'footway' } } },
  );
  const territory = await mkdtemp(join(directory, 'profiles-'));
  await roadsMaker({ minComponent: 1 })(drawn.roads, territory, () => {});
  const other = await startPlanner({ directory: territory });
  const bare = await serveAreaC(other);
  const there = bare.address;
  const at = (letter: string): string => `loc=${drawn.places.get(letter)!.lat},${drawn.places.get(letter)!.lon}`;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are looked into by name
  const ask = async (path: string): Promise<any> => (await fetch(`${there}${path}`)).json();
  expect((await ask(`/viaroute?${at('a')}&${at('c')}`)).route_summary.total_distance).toBe(400);
  expect((await ask(`/viaroute?${at('a')}&${at('c')}&profile=foot`)).route_summary.total_distance).toBe(200);
  expect((await ask(`/table?${at('a')}&${at('c')}&profile=foot`)).distance_table[0][1]).toBe(1440);
  expect((await ask(`/nearest?${at('b')}`)).name).not.toBe('abc');
  expect((await ask(`/nearest?${at('b')}&profile=foot`)).name).toBe('abc');
  const b = [drawn.places.get('b')!.lat, drawn.places.get('b')!.lon];
  expect((await ask(`/locate?${at('b')}`)).mapped_coordinate).not.toEqual(b);
  expect((await ask(`/locate?${at('b')}&profile=foot`)).mapped_coordinate).toEqual(b);
  expect((await ask(`/isochrone?${at('a')}&minutes=1&profile=foot`)).features).toHaveLength(1);
  expect(await ask(`/locate?${at('b')}&profile=balloon`)).toEqual({
    status: 400,
    status_message: 'There is no vehicle profile balloon; there are car, truck, emergency, foot.',
  });
  await bare.stop();
  await other.close();
});

test('no query gives a 5xx or stays without an answer', async () => {
  const random = numbers(SEED);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const values = [
    '1,1',
    '0.9995,1.0005',
    '90,180',
    '-90,-180',
    '1e2,1',
    '1e-300,1',
    '1e999,1',
    '.5,.5',
    '5.,5.',
    '+1,-0',
    'NaN,1',
    ',',
    '',
    'true',
    'false',
    '18',
    '-1',
    '99999999999999999999',
    '%00',
    '%F0%9F%9A%92',
    '%',
    '%zz',
    'a'.repeat(300),
    '1'.repeat(9000),
    '__proto__',
    'json',
    'gpx',
    'f',
    'constructor',
    '1,1&loc=1,1',
    '[0]',
    '5,10',
    '0.001',
    '1,2,3,4,5,6,7',
    '240,1',
    '90,10',
    '_c`|@_upzA',
  ];
  const names = [
    'loc',
    'loc',
    'loc',
    'z',
    'output',
    'jsonp',
    'checksum',
    'hint',
    'instructions',
    'alt',
    'geometry',
    'compression',
    'num_results',
    'profile',
    'hl',
    'token',
    'b',
    'u',
    'uturns',
    'src',
    'dst',
    'minutes',
    'locs',
    '__proto__',
    'toString',
  ];
  for (let i = 0; i < 600; i++) {
    const options = Array.from({ length: Math.floor(random() * 6) }, () => `${pick(names)}=${pick(values)}`);
    if (random() < 0.7) options.unshift('loc=1,1', 'loc=0.999,1.001');
    const path = `/${pick(['locate', 'nearest', 'viaroute', 'table', 'isochrone'])}?${options.join(pick(['&', '&', '&', '&&', '', ';']))}`;
    const response = await get(path);
    const body = await response.text();
    expect(response.status, `WAYPOST_SEED=${SEED}: ${path}: ${body}`).toBeLessThan(500);
    if (response.status === 400) expect(JSON.parse(body)).toMatchObject({ status: 400 });
  }
});

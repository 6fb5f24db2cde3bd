import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpListener } from '../../../server/http/listener/listen.ts';
import { startPlanner } from '../../../server/geo/routing/index.ts';
import type { Planner } from '../../../server/geo/routing/index.ts';
import { buildRoads } from '../../../server/geo/territory/roads/index.ts';
import { ExtractBuilder } from '../../../server/geo/territory/index.ts';
import { drawRoads, testbot } from '../../unit/geo/routing/town.ts';
import { bugs, serveAreaC } from './serve-routing.ts';

/** The formats of the answers, and the answers where there are no roads. */

// Straight roads, so that any thinning would leave out the nodes in the middle.
const town = drawRoads(
  `
  a-1-b---c---d

  x---y
`,
  { ways: { abcd: {}, xy: { name: 'Länge' } }, minComponent: 1 },
);

let directory: string;
const planners: Planner[] = [];
const servers: HttpListener[] = [];
let base: string;
/** Area C over an extract without any road. */
let roadless: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-forms-'));
  const open = async (bytes: Uint8Array): Promise<string> => {
    const there = await mkdtemp(join(directory, 'roads-'));
    await writeFile(join(there, 'roads.bin'), bytes);
    const planner = await startPlanner({ directory: there });
    const server = await serveAreaC(planner);
    planners.push(planner);
    servers.push(server);
    return server.address;
  };
  base = await open(town.bytes);
  roadless = await open(buildRoads(new ExtractBuilder().node(1, 1, 1).build(), { profile: testbot }).bytes);
});

afterAll(async () => {
  for (const server of servers) await server.stop();
  for (const planner of planners) await planner.close();
  await rm(directory, { recursive: true });
  expect(bugs).toEqual([]);
});

const loc = (letter: string): string => `loc=${town.at(letter).lat},${town.at(letter).lon}`;
const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(base + path, init);
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are looked into by name
const json = async (path: string): Promise<any> => (await ask(path)).json();

const SERVICES: Readonly<Record<string, string>> = {
  '/locate': loc('a'),
  '/nearest': loc('a'),
  '/viaroute': `${loc('a')}&${loc('d')}`,
  '/table': `${loc('a')}&${loc('d')}`,
  '/isochrone': `${loc('a')}&minutes=1`,
};

test('[1] every service answers without a token, with the right content type', async () => {
  for (const [service, query] of Object.entries(SERVICES)) {
    for (const [options, type, disposition] of [
      ['', 'application/json; charset=UTF-8', 'inline; filename="response.json"'],
      ['&jsonp=f', 'text/javascript; charset=UTF-8', 'inline; filename="response.js"'],
    ] as const) {
      const { status, headers } = await ask(`${service}?${query}${options}`);
      expect([status, headers.get('content-type'), headers.get('content-disposition')], service + options).toEqual([
        200,
        type,
        disposition,
      ]);
      expect(
        ['origin', 'methods', 'headers'].map((name) => headers.get(`access-control-allow-${name}`)),
        service + options,
      ).toEqual(['*', 'GET', 'X-Requested-With, Content-Type']);
    }
  }
  const { headers } = await ask(`/viaroute?${SERVICES['/viaroute']}&output=gpx`);
  expect(
    ['content-type', 'content-disposition', 'access-control-allow-origin'].map((name) => headers.get(name)),
  ).toEqual(['application/gpx+xml; charset=UTF-8', 'attachment; filename="route.gpx"', '*']);
});

test('[1.2] errors are JSON for everybody, whatever form was asked for', async () => {
  for (const [service, query] of Object.entries(SERVICES)) {
    for (const wrong of [
      `${service}?${query}&jsonp=f&z=`,
      `${service}?${query}&output=gpx&foo=1`,
      `${service}?jsonp=f`,
      `${service}x?${query}`,
    ]) {
      const response = await ask(wrong);
      expect(
        [
          response.status,
          response.headers.get('content-type')?.toLowerCase(),
          response.headers.get('access-control-allow-origin'),
        ],
        wrong,
      ).toEqual([400, 'application/json; charset=utf-8', '*']);
      expect(await response.json(), wrong).toEqual({ status: 400, status_message: expect.any(String) });
    }
  }
});

test('[1] HEAD has the headers of GET and nothing else', async () => {
  for (const [service, query] of Object.entries(SERVICES)) {
    const path = `${service}?${query}`;
    const [got, head] = [await ask(path), await ask(path, { method: 'HEAD' })];
    expect(
      [head.status, head.headers.get('content-type'), head.headers.get('content-length'), await head.text()],
      path,
    ).toEqual([200, got.headers.get('content-type'), got.headers.get('content-length'), '']);
  }
});

test('[1] a method other than GET is refused in the same format, with `Allow`', async () => {
  for (const [service, query] of Object.entries(SERVICES)) {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await ask(`${service}?${query}`, { method, body: query });
      expect(
        [response.status, response.headers.get('allow'), response.headers.get('access-control-allow-origin')],
        `${method} ${service}`,
      ).toEqual([405, 'GET, HEAD, OPTIONS', '*']);
      expect(await response.json()).toEqual({
        status: 405,
        status_message: `${method} is not supported at ${service}.`,
      });
    }
    expect((await ask(`${service}?${query}`, { method: 'OPTIONS' })).status, service).toBe(204);
  }
});

test('[9] JSONP is a call without a semicolon, on every service', async () => {
  for (const [service, query] of Object.entries(SERVICES)) {
    const [plain, call] = await Promise.all(
      [ask(`${service}?${query}`), ask(`${service}?${query}&jsonp=app.on%5B0%5D`)].map(async (response) =>
        (await response).text(),
      ),
    );
    expect(call, service).toBe(`app.on[0](${plain})`);
  }
});

test('[2.1] locate and nearest take the first of several points, and no notice of output', async () => {
  for (const service of ['/locate', '/nearest']) {
    const first = await json(`${service}?${loc('b')}`);
    expect(first.mapped_coordinate).toEqual([town.at('b').lat, town.at('b').lon]);
    expect(await json(`${service}?${loc('b')}&${loc('x')}&${loc('y')}&output=gpx`), service).toEqual(first);
  }
});

test('[2.1, 5] nearest lists as many roads as it is asked for, the closest first, each once', async () => {
  const names = async (count: string): Promise<string[]> =>
    (await json(`/nearest?${loc('b')}&num_results=${count}`)).results?.map(({ name }: { name: string }) => name);
  expect([await names('2'), await names('100')]).toEqual([
    ['abcd', 'Länge'],
    ['abcd', 'Länge'],
  ]);
  expect([await names('1'), await names('0'), await names('101'), await names('-1')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('[6, 9] GPX is a route of all points whatever the zoom, with nothing else in it', async () => {
  const text = await (
    await ask(`/viaroute?${loc('a')}&${loc('d')}&output=gpx&z=0&jsonp=f&instructions=true&geometry=false`)
  ).text();
  const points = [...'abcd']
    .map((letter) => `<rtept lat="${town.at(letter).lat.toFixed(6)}" lon="${town.at(letter).lon.toFixed(6)}"></rtept>`)
    .join('');
  const frame = (rte: string): string =>
    `<?xml version="1.0" encoding="UTF-8"?><gpx version="1.1" creator="Waypost" xmlns="http://www.topografix.com/GPX/1/1"><metadata><copyright author="OpenStreetMap contributors"><license>Data (c) OpenStreetMap contributors (ODbL)</license></copyright></metadata><rte>${rte}</rte></gpx>`;
  expect(text).toBe(frame(points));
  expect(await (await ask(`/viaroute?${loc('a')}&${loc('x')}&output=gpx`)).text()).toBe(frame(''));
  // Points on the way that are no nodes are missing; those that are nodes are there, once.
  for (const via of [['1'], ['b'], ['1', '1'], ['1', 'b', 'c']]) {
    const query = ['a', ...via, 'd'].map(loc).join('&');
    expect(await (await ask(`/viaroute?${query}&output=gpx`)).text(), via.join()).toBe(frame(points));
  }
  // At the first node of a road one turns back, at its last one too.
  for (const [letters, driven] of [
    ['bad', 'babcd'],
    ['cda', 'cdcba'],
  ] as const) {
    const rte = [...driven]
      .map(
        (letter) => `<rtept lat="${town.at(letter).lat.toFixed(6)}" lon="${town.at(letter).lon.toFixed(6)}"></rtept>`,
      )
      .join('');
    expect(await (await ask(`/viaroute?${[...letters].map(loc).join('&')}&output=gpx`)).text(), letters).toBe(
      frame(rte),
    );
  }
  const half = await (await ask(`/viaroute?${loc('1')}&${loc('1')}&${loc('b')}&output=gpx`)).text();
  expect(half.match(/<rtept [^>]*>/g)).toEqual(
    [town.at('1'), town.at('b')].map(({ lat, lon }) => `<rtept lat="${lat.toFixed(6)}" lon="${lon.toFixed(6)}">`),
  );
});

test('[7.1] where there is no way, there is nothing but that in the answer, and it is a success of HTTP', async () => {
  const response = await ask(`/viaroute?${loc('a')}&${loc('x')}&instructions=true`);
  expect([response.status, await response.json()]).toEqual([
    200,
    { status: 207, status_message: 'Cannot find route between points' },
  ]);
});

test('[7.2] a hint takes the place of its point, which must be on the globe all the same', async () => {
  const {
    hint_data: { locations, checksum },
  } = await json(`/viaroute?${loc('1')}&${loc('d')}`);
  expect(checksum).toBe(town.roads.checksum);
  expect(Number.isInteger(checksum) && checksum >= 0 && checksum <= 2147483647).toBe(true);
  for (const hint of locations) expect(hint).toMatch(/^[A-Za-z0-9_-]+$/);
  const anew = (options: string): string =>
    `/viaroute?loc=-80,170&hint=${locations[0]}&loc=80,-170&hint=${locations[1]}${options}`;
  expect((await json(anew(`&checksum=${checksum}`))).via_points).toEqual(
    [town.at('1'), town.at('d')].map(({ lat, lon }) => [lat, lon]),
  );
  expect((await json(anew(`&checksum=${checksum}`).replace('viaroute', 'table'))).distance_table).toEqual([
    [0, 250],
    [250, 0],
  ]);
  expect((await ask(anew(`&checksum=${checksum}`).replace('-80,170', '-91,170'))).status).toBe(400);
  // A checksum of other roads, and none.
  const far = (await json('/viaroute?loc=-80,170&loc=80,-170')).via_points;
  for (const options of [
    '',
    `&checksum=${checksum + 1}`,
    '&checksum=-1',
    '&checksum=0',
    '&checksum=99999999999999999999',
  ])
    expect((await json(anew(options))).via_points, options).toEqual(far);
});

test('[10] a table of two points at least, on its diagonal 0', async () => {
  expect(await json(`/table?${loc('a')}&${loc('a')}`)).toEqual({
    status: 0,
    distance_table: [
      [0, 0],
      [0, 0],
    ],
  });
  expect((await ask(`/table?${loc('a')}`)).status).toBe(400);
});

test('[10] a table of as many points as are allowed, anywhere on the globe, goes into an address with all its hints', async () => {
  const {
    hint_data: {
      locations: [hint],
      checksum,
    },
  } = await json(`/viaroute?${loc('a')}&${loc('b')}`);
  const points = (count: number): string =>
    Array.from({ length: count }, () => `loc=-89.99999912345678,-179.9999991234567&hint=${hint}`).join('&');
  const { distance_table: times } = await json(`/table?${points(500)}&checksum=${checksum}`);
  expect([times.length, times.every((row: number[]) => row.length === 500 && row.every((time) => time === 0))]).toEqual(
    [500, true],
  );
  expect(await json(`/table?${points(501)}&checksum=${checksum}`)).toEqual({
    status: 400,
    status_message: '501 points were given; at most 500 are allowed.',
  });
});

test('[4, 5] without any road there is nothing to locate, nothing near, no way and no time', async () => {
  const there = async (path: string): Promise<unknown> => {
    const response = await fetch(roadless + path);
    expect(response.status, path).toBe(200);
    return response.json();
  };
  expect(await there('/locate?loc=1,1')).toEqual({ status: 207, mapped_coordinate: [] });
  expect(await there('/nearest?loc=1,1')).toEqual({ status: 207, mapped_coordinate: [], name: '' });
  expect(await there('/nearest?loc=1,1&num_results=5&b=90')).toEqual({ status: 207, mapped_coordinate: [], name: '' });
  expect(await there('/viaroute?loc=1,1&loc=1,1')).toEqual({
    status: 207,
    status_message: 'Cannot find route between points',
  });
  expect(await there('/table?loc=1,1&loc=2,2&distances=true')).toEqual({
    status: 0,
    distance_table: [
      [2147483647, 2147483647],
      [2147483647, 2147483647],
    ],
    distances: [
      [null, null],
      [null, null],
    ],
  });
  expect(await there('/isochrone?loc=1,1&minutes=5')).toMatchObject({ type: 'FeatureCollection', features: [] });
});

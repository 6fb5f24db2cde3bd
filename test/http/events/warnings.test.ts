import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { openFeedServer } from '../../support/feed-server.ts';
import { alert, info, publication, record } from '../../unit/warnings/documents.ts';
import { listenAs } from '../live-client.ts';
import { tryStation, type TryStation } from '../try-station.ts';

const HOUR = 3_600_000;
const HAS_GDAL = existsSync('/usr/bin/ogr2ogr');
const iso = (time: number) => new Date(time).toISOString().replace(/\.\d+Z/, '+00:00');
const soon = iso(Date.now() + 6 * HOUR);

let at: TryStation;
let admin: string;
let dispatcher: string;
let viewer: string;
let feeds: Awaited<ReturnType<typeof openFeedServer>>;
/** West, south, east, north of the territory. */
let box: [number, number, number, number];

interface Warned {
  readonly id: number;
  readonly texts: { readonly headline: string; readonly event: string }[];
  readonly severity: string;
  readonly endedAt: number | null;
  readonly proposal: { readonly state: string; readonly closureIds: number[]; over: boolean; changed: boolean } | null;
}

beforeAll(async () => {
  at = await tryStation({ demo: true, demoSpeed: 0 });
  admin = at.station.accounts.grantControl();
  dispatcher = (await at.newUser('dora', 'Dispatcher')).token;
  viewer = (await at.newUser('viktor', 'Viewer')).token;
  box = (await at.ok('GET', '/territory', { as: admin })).bounds;
});
afterAll(() => at.stop());
beforeEach(async () => {
  feeds = await openFeedServer();
});
afterEach(async () => {
  for (const { id } of await at.ok('GET', '/warning-feeds', { as: admin }))
    await at.ok('DELETE', `/warning-feeds/${id}`, { as: admin });
  for (const { id } of await at.ok('GET', '/closures', { as: admin }))
    await at.ask('DELETE', `/closures/${id}`, { as: admin });
  await feeds.close();
});

const now = (query = ''): Promise<Warned[]> => at.ok('GET', `/warnings${query}`, { as: viewer });
const events = async () => (await now()).map(({ texts }) => texts[0]!.event);
const follow = async (path: string, fields: object = {}): Promise<{ id: number }> =>
  at.ok('POST', '/warning-feeds', {
    as: admin,
    body: { name: 'Weather', url: `${feeds.origin}${path}`, seconds: 3_600, ...fields },
  });
const stateOf = async (id: number) =>
  (await at.ok('GET', '/warning-feeds', { as: admin })).find((feed: { id: number }) => feed.id === id);
const read = (id: number) => eventually(async () => expect((await stateOf(id)).readAt).not.toBeNull());
/** Looks again, and waits until the publisher was asked and what it said was taken. */
async function lookAgain(id: number): Promise<void> {
  const [asked, { readAt }] = [feeds.asked.length, await stateOf(id)];
  await eventually(async () => {
    await at.ok('POST', `/warning-feeds/${id}/look`, { as: admin });
    expect(feeds.asked.length).toBeGreaterThan(asked);
    expect((await stateOf(id)).readAt).not.toBe(readAt);
  });
}
const areaHere = () => {
  const [west, south, east, north] = box;
  return `<areaDesc>Town</areaDesc><polygon>${south},${west} ${south},${east} ${north},${east} ${south},${west}</polygon>`;
};
const message = (identifier: string, event: string, more: Parameters<typeof alert>[0] = {}, fields: object = {}) =>
  alert({
    identifier,
    sent: '2026-11-28T05:00:00+00:00',
    infos: [info({ event, expires: soon, area: areaHere(), ...fields })],
    ...more,
  });
const atom = (...paths: string[]) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>Warnings</title>${paths
    .map((path) => `<entry><id>${path}</id><title>x</title><link type="application/cap+xml" href="${path}"/></entry>`)
    .join('')}</feed>`;

describe('a feed of CAP messages', () => {
  test('is followed: what it names holds, and what it lists no longer has ended', async () => {
    feeds.documents
      .set('/all', atom('/1', '/2'))
      .set('/1', message('1', 'Storm'))
      .set('/2', message('2', 'Flood', {}, { severity: 'Minor' }));
    const { id } = await follow('/all');
    await eventually(async () => expect(await events()).toEqual(['Storm', 'Flood']));
    expect(await stateOf(id)).toMatchObject({ format: 'atom', unreachable: false, problems: [], current: 2 });
    feeds.documents.set('/all', atom('/2'));
    await lookAgain(id);
    expect(await events()).toEqual(['Flood']);
    expect((await now('?ended=true'))[0]).toMatchObject({ texts: [{ event: 'Storm' }], endedAt: expect.any(Number) });
    expect(feeds.asked.filter(({ path }) => path === '/2')).toHaveLength(1);
  });

  test('costs its publisher no document while nothing changes', async () => {
    feeds.documents.set('/one', message('1', 'Storm'));
    const { id } = await follow('/one');
    await read(id);
    await lookAgain(id);
    const [first, ...others] = feeds.asked.map(({ status }) => status);
    expect([first, new Set(others)]).toEqual([200, new Set([304])]);
    expect(await events()).toEqual(['Storm']);
  });

  test('an update takes the place of a message, a cancel ends it, also when they come in another order', async () => {
    const references = 'met@weather.example,1,2026-11-28T05:00:00+00:00';
    feeds.documents.set('/all', atom('/1')).set('/1', message('1', 'Storm'));
    feeds.documents.set('/2', message('2', 'Heavy storm', { msgType: 'Update', references }));
    const { id } = await follow('/all');
    await eventually(async () => expect(await events()).toEqual(['Storm']));
    feeds.documents.set('/all', atom('/1', '/2'));
    await lookAgain(id);
    expect(await events()).toEqual(['Heavy storm']);
    // The station knows of the cancel first, and then of the message that it cancels.
    feeds.documents.set(
      '/3',
      message('3', 'x', { msgType: 'Cancel', references: 'met@weather.example,4,2026-11-28T05:00:00+00:00' }),
    );
    feeds.documents.set('/4', message('4', 'Fog'));
    feeds.documents.set('/all', atom('/2', '/3'));
    await lookAgain(id);
    feeds.documents.set('/all', atom('/2', '/4'));
    await lookAgain(id);
    expect(await events()).toEqual(['Heavy storm']);
  });

  test('that lists only the newest keeps what has an end', async () => {
    feeds.documents
      .set('/all', atom('/1', '/2'))
      .set('/1', message('1', 'Storm'))
      .set('/2', message('2', 'Fog', {}, { expires: '' }));
    const { id } = await follow('/all', { keepsUnlisted: true });
    await eventually(async () => expect((await events()).sort()).toEqual(['Fog', 'Storm']));
    feeds.documents.set('/all', atom());
    await lookAgain(id);
    expect(await events()).toEqual(['Storm']);
  });

  test('with a message that cannot be read keeps what it knows of it, and tries again', async () => {
    feeds.documents.set('/all', atom('/1', '/2')).set('/1', message('1', 'Storm'));
    const { id } = await follow('/all');
    await eventually(async () =>
      expect((await stateOf(id)).problems).toEqual([expect.stringMatching(/\/2: HTTP 404/)]),
    );
    expect(await events()).toEqual(['Storm']);
    feeds.documents.set('/2', message('2', 'Flood'));
    await lookAgain(id);
    expect(await events()).toEqual(['Storm', 'Flood']);
    expect((await stateOf(id)).problems).toEqual([]);
  });

  test('ends by the clock', async () => {
    feeds.documents.set('/one', message('1', 'Gust', {}, { expires: iso(Date.now() + 2_000) }));
    await follow('/one');
    await eventually(async () => expect(await events()).toEqual(['Gust']));
    await eventually(async () => expect(await events()).toEqual([]));
    await eventually(async () => expect((await now('?ended=true'))[0]).toMatchObject({ texts: [{ event: 'Gust' }] }));
  });

  test('brings what touches the territory, or is asked for', async () => {
    const far = '<areaDesc>Far coast</areaDesc><polygon>-50,-10 -50,-9 -49,-9 -50,-10</polygon>';
    feeds.documents.set('/one', message('1', 'Storm', {}, { area: far }));
    const { id } = await follow('/one');
    await read(id);
    expect(await events()).toEqual([]);
    await at.ok('PUT', `/warning-feeds/${id}`, { as: admin, body: { places: ['far coast'] } });
    await eventually(async () => expect(await events()).toEqual(['Storm']));
    await at.ok('PUT', `/warning-feeds/${id}`, { as: admin, body: { leastSeverity: 'extreme' } });
    await eventually(async () => expect(await events()).toEqual([]));
    await at.ok('PUT', `/warning-feeds/${id}`, {
      as: admin,
      body: { leastSeverity: 'minor', places: [], onlyTerritory: false },
    });
    await eventually(async () => expect(await events()).toEqual(['Storm']));
    await at.ok('PUT', `/warning-feeds/${id}`, { as: admin, body: { enabled: false } });
    expect(await events()).toEqual([]);
  });
});

describe('a publisher that does harm', () => {
  test('stalls, floods, answers errors or other documents: the station says so and goes on', async () => {
    const open: (() => void)[] = [];
    feeds.documents.set('/stalls', (_, response) => void open.push(() => response.end()));
    feeds.documents.set('/floods', (_, response) => {
      const flood = () => {
        while (!response.destroyed && response.write('<a>'.repeat(20_000)));
      };
      response.on('drain', flood);
      flood();
    });
    feeds.documents.set('/error', (_, response) => void response.writeHead(503).end('closed for today'));
    feeds.documents.set('/html', '<html><body>Sign in</body></html>');
    feeds.documents.set('/fine', message('1', 'Storm'));
    const ids = new Map<string, number>();
    for (const path of ['/stalls', '/floods', '/error', '/html', '/gone', '/fine'])
      ids.set(path, (await follow(path, { name: path })).id);
    await eventually(async () => expect(await events()).toEqual(['Storm']));
    const problem = async (path: string) => (await stateOf(ids.get(path)!)).problems[0];
    await eventually(async () => expect(await problem('/floods')).toMatch(/larger than 32 MB/));
    await eventually(async () => expect(await problem('/error')).toBe('HTTP 503: closed for today'));
    await eventually(async () => expect(await problem('/html')).toMatch(/cannot be read: .*html/));
    await eventually(async () => expect(await problem('/gone')).toMatch(/HTTP 404/));
    expect(await stateOf(ids.get('/stalls')!)).toMatchObject({ readAt: null, problems: [] });
    for (const end of open) end();
  });

  test('cannot make the station look into its own network, nor get the password of another host', async () => {
    const inside = await openFeedServer();
    inside.documents.set('/secret', message('1', 'Storm'));
    feeds.documents.set('/all', atom(`${inside.origin}/secret`));
    feeds.documents.set(
      '/moved',
      (_, response) => void response.writeHead(302, { Location: `${inside.origin}/secret` }).end(),
    );
    const [listed, moved] = [await follow('/all', { login: 'station', secret: 'pass' }), await follow('/moved')];
    for (const { id } of [listed, moved])
      await eventually(async () => expect((await stateOf(id)).problems[0]).toMatch(/inside the own network/));
    expect(inside.asked).toEqual([]);
    expect(feeds.asked[0]!.headers.authorization).toBe(`Basic ${Buffer.from('station:pass').toString('base64')}`);
    expect(JSON.stringify(await stateOf(listed.id))).not.toContain('pass');
    await inside.close();
  });
});

describe('an alarm', () => {
  const alarmsOf = async () =>
    (
      (await at.ok('GET', '/alarms', { as: admin })) as {
        rule: string;
        info: string;
        priority: number;
        state: string;
        goneAt: number | null;
      }[]
    )
      .filter(({ rule }) => rule === 'outside-warning')
      .filter(({ info: text }) => /Hail|Fog/.test(text))
      .map(({ info: text, priority, goneAt }) => [text, priority, goneAt === null]);

  test('tells of a warning that is severe enough, goes on with its update and ends with it', async () => {
    const references = 'met@weather.example,1,2026-11-28T05:00:00+00:00';
    feeds.documents
      .set('/all', atom('/1', '/9'))
      .set('/1', message('1', 'Hail'))
      .set('/9', message('9', 'Fog', {}, { severity: 'Minor' }));
    feeds.documents.set('/2', message('2', 'Hail goes on', { msgType: 'Update', references }));
    const { id } = await follow('/all', { alarmFrom: 'severe' });
    await eventually(async () => expect(await alarmsOf()).toEqual([['Hail on the coast', 2, true]]));
    feeds.documents.set('/all', atom('/2', '/9'));
    await lookAgain(id);
    expect(await alarmsOf()).toEqual([['Hail goes on on the coast', 2, true]]);
    feeds.documents.set('/all', atom('/9'));
    await lookAgain(id);
    await eventually(async () => expect((await alarmsOf()).filter(([, , lasts]) => lasts)).toEqual([]));
  });
});

describe('the roads of a message', () => {
  const [lon, lat] = [0, 1].map((index) => () => (box[index]! + box[index + 2]!) / 2) as [() => number, () => number];
  const display = () =>
    `<groupOfLocations xsi:type="Point"><pointByCoordinates><pointCoordinates><latitude>${lat()}</latitude><longitude>${lon()}</longitude></pointCoordinates></pointByCoordinates></groupOfLocations>`;
  const until = (time: number) =>
    `<validityStatus>active</validityStatus><validityTimeSpecification><overallEndTime>${iso(time)}</overallEndTime></validityTimeSpecification>`;
  const end = Math.floor(Date.now() / 1000) * 1000 + HOUR;
  const closed = (fields: object = {}) => publication(record({ location: display(), validity: until(end), ...fields }));
  const closures = async () =>
    (
      (await at.ok('GET', '/closures', { as: viewer })) as { id: number; name: string; till: number; factor: number }[]
    ).map(({ id, name, till, factor }) => ({ id, name, till, factor }));

  test('are closed when a dispatcher accepts, follow the message when it changes, and are lifted', async () => {
    feeds.documents.set('/roads', closed());
    const { id } = await follow('/roads');
    const [warning] = await eventually(async () => {
      const all = await now();
      expect(all).toHaveLength(1);
      return all;
    });
    expect(warning!.proposal).toMatchObject({ state: 'open', closureIds: [], factor: 0 });
    const path = `/warnings/${warning!.id}/closures`;
    expect((await at.ask('POST', path, { as: viewer, body: {} })).status).toBe(403);
    const accepted = await at.ok('POST', path, { as: dispatcher, body: {} });
    const [closureId] = accepted.proposal.closureIds;
    expect(accepted.proposal).toMatchObject({ state: 'accepted', over: false, changed: false });
    expect(await closures()).toEqual([{ id: closureId, name: 'Burst water main', till: end, factor: 0 }]);
    feeds.documents.set('/roads', closed({ validity: until(end + HOUR) }));
    await lookAgain(id);
    expect((await now())[0]!.proposal).toMatchObject({ state: 'accepted', changed: true });
    await at.ok('POST', path, { as: dispatcher, body: {} });
    expect(await closures()).toEqual([{ id: closureId, name: 'Burst water main', till: end + HOUR, factor: 0 }]);
    // It is over for its publisher: the closure stands until somebody lifts it.
    feeds.documents.set('/roads', publication(''));
    await lookAgain(id);
    expect((await now())[0]!.proposal).toMatchObject({ state: 'accepted', over: true });
    expect((await at.ask('DELETE', path, { as: dispatcher })).status).toBe(200);
    expect(await closures()).toEqual([]);
    expect(await now()).toEqual([]);
  });

  test('are left alone when somebody declines; a closure that is lifted by hand may be made again', async () => {
    feeds.documents.set('/roads', closed());
    await follow('/roads');
    const warning = await eventually(async () => (await now())[0]!.id);
    const path = `/warnings/${warning}/closures`;
    expect((await at.ok('DELETE', path, { as: dispatcher })).proposal.state).toBe('declined');
    const { proposal } = await at.ok('POST', path, { as: dispatcher, body: { factor: 0.3 } });
    expect(await closures()).toMatchObject([{ factor: 0.3 }]);
    await at.ask('DELETE', `/closures/${proposal.closureIds[0]}`, { as: dispatcher });
    expect((await now())[0]!.proposal).toMatchObject({ state: 'open', closureIds: [] });
    const both = await Promise.all([1, 2].map(() => at.ok('POST', path, { as: dispatcher, body: {} })));
    expect(both[0].proposal.closureIds).toEqual(both[1].proposal.closureIds);
    expect(await closures()).toHaveLength(1);
  });

  test('between two ends are those that the router finds', async () => {
    const [west, south, east, north] = box;
    const place = (share: number) => ({ lat: south + (north - south) * share, lon: west + (east - west) * share });
    const point = ({ lat: y, lon: x }: { lat: number; lon: number }) =>
      `<pointCoordinates><latitude>${y}</latitude><longitude>${x}</longitude></pointCoordinates>`;
    const location = `<groupOfLocations xsi:type="Linear"><tpegLinearLocation><to>${point(place(0.55))}</to><from>${point(place(0.45))}</from></tpegLinearLocation></groupOfLocations>`;
    feeds.documents.set('/roads', closed({ location }));
    await follow('/roads');
    const id = await eventually(async () => (await now())[0]!.id);
    await at.ok('POST', `/warnings/${id}/closures`, { as: dispatcher, body: {} });
    const [closure] = await at.ok('GET', '/closures', { as: viewer });
    expect(closure.geometry.coordinates.length).toBeGreaterThan(4);
    expect(
      (await at.ok('POST', '/closures/preview', { as: dispatcher, body: { geometry: closure.geometry } })).length,
    ).toBeGreaterThan(100);
  });

  test('of our own alerts come back as what they are', async () => {
    const key = await at.ok('POST', '/closures', {
      as: dispatcher,
      body: { name: 'Bridge', geometry: { type: 'Point', coordinates: [lon(), lat()] }, till: end },
    });
    const cap = (await at.ask('GET', `/alerts/${key.id}.cap`, { as: viewer })).text;
    feeds.documents.set('/alerts.atom', atom('/a.cap')).set('/a.cap', cap);
    await follow('/alerts.atom');
    await eventually(async () =>
      expect(await now()).toMatchObject([
        { texts: [{ headline: 'Bridge', event: 'Road closed' }], till: end, proposal: { factor: 0, state: 'open' } },
      ]),
    );
  });
});

test('consoles hear of warnings', async () => {
  const console = await listenAs(at, viewer);
  feeds.documents.set('/one', message('1', 'Storm'));
  await follow('/one');
  await console.hear(({ command }) => command === 'WARNINGS');
  console.socket.terminate();
});

test('a preview shows what a feed would bring, and writes nothing', async () => {
  feeds.documents.set('/all', atom('/1')).set('/1', message('1', 'Storm'));
  const preview = (body: object) => at.ask('POST', '/warning-feeds/preview', { as: admin, body });
  expect((await preview({ url: `${feeds.origin}/all` })).json()).toMatchObject({
    ...{ format: 'atom', ignored: 0, elsewhere: 0, problems: [] },
    warnings: [{ severity: 'severe', texts: [{ event: 'Storm' }] }],
  });
  expect(await now()).toEqual([]);
  expect((await preview({ url: `${feeds.origin}/none` })).text).toMatch(/HTTP 404/);
  for (const url of ['ftp://a.example/x', 'x', '', 'http://user:pass@a.example/'])
    expect([url, (await preview({ url })).status]).toEqual([url, 400]);
});

test('superusers alone set feeds; wrong ones are refused and nothing is left', async () => {
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['PUT', '/1'],
    ['DELETE', '/1'],
    ['POST', '/preview'],
  ] as const)
    expect(
      (await at.ask(method, `/warning-feeds${path}`, { as: dispatcher, ...(method !== 'GET' && { body: {} }) })).status,
      `${method} ${path}`,
    ).toBe(403);
  const good = { name: 'x', url: 'https://a.example/' };
  for (const wrong of [
    { name: '' },
    { url: 'file:///etc' },
    { seconds: 14 },
    { seconds: 86_401 },
    { orgId: 999_999 },
    { alarmFrom: 'awful' },
    { places: 'x' },
  ])
    expect(
      (await at.ask('POST', '/warning-feeds', { as: admin, body: { ...good, ...wrong } })).status,
      JSON.stringify(wrong),
    ).toBe(400);
  for (const path of ['/warning-feeds/999', '/warnings/999', '/warnings/999/closures'])
    expect((await at.ask('DELETE', path, { as: admin })).status, path).toBe(path === '/warnings/999' ? 405 : 404);
  expect(await at.ok('GET', '/warning-feeds', { as: admin })).toEqual([]);
});

test.skipIf(!HAS_GDAL)("GDAL's GeoRSS as Atom and as RSS", async () => {
  const [west, south, east, north] = box;
  const features = [
    { type: 'Point', coordinates: [(west + east) / 2, (south + north) / 2] },
    {
      type: 'LineString',
      coordinates: [
        [west, south],
        [east, north],
      ],
    },
    {
      type: 'Polygon',
      coordinates: [
        [
          [west, south],
          [east, south],
          [east, north],
          [west, south],
        ],
      ],
    },
  ].map((geometry, index) => ({ type: 'Feature', properties: { title: `Flood ${index}` }, geometry }));
  const input = JSON.stringify({ type: 'FeatureCollection', features });
  for (const [format, dialect] of [
    ['RSS', 'SIMPLE'],
    ['ATOM', 'SIMPLE'],
    ['RSS', 'W3C_GEO'],
  ] as const) {
    const file = join(at.directory, `${format}-${dialect}.xml`);
    const made = spawnSync(
      '/usr/bin/ogr2ogr',
      [
        '-f',
        'GeoRSS',
        '-dsco',
        `FORMAT=${format}`,
        '-dsco',
        `GEOM_DIALECT=${dialect}`,
        '-dsco',
        'USE_EXTENSIONS=YES',
        ...(dialect === 'W3C_GEO' ? ['-where', "title='Flood 0'"] : []),
        file,
        '/vsistdin/',
      ],
      { input },
    );
    expect(made.status, String(made.stderr)).toBe(0);
    feeds.documents.set(`/${format}-${dialect}`, readFileSync(file, 'utf8'));
    const preview = await at.ok('POST', '/warning-feeds/preview', {
      as: admin,
      body: { url: `${feeds.origin}/${format}-${dialect}` },
    });
    const shapes = preview.warnings.map(
      ({ texts, geometry }: { texts: { headline: string }[]; geometry: { type: string } }) => [
        texts[0]!.headline,
        geometry.type,
      ],
    );
    const all = features.map(({ properties, geometry }) => [properties.title, geometry.type]);
    expect([format, dialect, shapes]).toEqual([format, dialect, dialect === 'W3C_GEO' ? all.slice(0, 1) : all]);
  }
});

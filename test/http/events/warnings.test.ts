import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { openFeedServer } from '../../support/feed-server.ts';
import { listenAs } from '../live-client.ts';
import { atomOf as atom, iso, WarnedStation } from './warned-station.ts';

const HAS_GDAL = existsSync('/usr/bin/ogr2ogr');
const control = new WarnedStation();
const { now, events, follow, stateOf, read, lookAgain, message } = control;

describe('a feed of CAP messages', () => {
  test('is followed: what it names holds, and what it lists no longer has ended', async () => {
    control.feeds.documents
      .set('/all', atom('/1', '/2'))
      .set('/1', message('1', 'Storm'))
      .set('/2', message('2', 'Flood', {}, { severity: 'Minor' }));
    const { id } = await follow('/all');
    await read(id);
    expect(await events()).toEqual(['Storm', 'Flood']);
    expect(await stateOf(id)).toMatchObject({ format: 'atom', unreachable: false, problems: [], current: 2 });
    control.feeds.documents.set('/all', atom('/2'));
    await lookAgain(id);
    expect(await events()).toEqual(['Flood']);
    expect((await now('?ended=true'))[0]).toMatchObject({ texts: [{ event: 'Storm' }], endedAt: expect.any(Number) });
    expect(control.feeds.asked.filter(({ path }) => path === '/2')).toHaveLength(1);
  });

  test('costs its publisher no document while nothing changes', async () => {
    control.feeds.documents.set('/one', message('1', 'Storm'));
    const { id } = await follow('/one');
    await read(id);
    await lookAgain(id);
    const [first, ...others] = control.feeds.asked.map(({ status }) => status);
    expect([first, new Set(others)]).toEqual([200, new Set([304])]);
    expect(await events()).toEqual(['Storm']);
  });

  test('an update takes the place of a message, a cancel ends it, also when they come in another order', async () => {
    const references = 'met@weather.example,1,2026-11-28T05:00:00+00:00';
    control.feeds.documents.set('/all', atom('/1')).set('/1', message('1', 'Storm'));
    control.feeds.documents.set('/2', message('2', 'Heavy storm', { msgType: 'Update', references }));
    const { id } = await follow('/all');
    await eventually(async () => expect(await events()).toEqual(['Storm']));
    control.feeds.documents.set('/all', atom('/1', '/2'));
    await lookAgain(id);
    expect(await events()).toEqual(['Heavy storm']);
    // The station knows of the cancel first, and then of the message that it cancels.
    control.feeds.documents.set(
      '/3',
      message('3', 'x', { msgType: 'Cancel', references: 'met@weather.example,4,2026-11-28T05:00:00+00:00' }),
    );
    control.feeds.documents.set('/4', message('4', 'Fog'));
    control.feeds.documents.set('/all', atom('/2', '/3'));
    await lookAgain(id);
    control.feeds.documents.set('/all', atom('/2', '/4'));
    await lookAgain(id);
    expect(await events()).toEqual(['Heavy storm']);
  });

  test('that lists only the newest keeps what has an end', async () => {
    control.feeds.documents
      .set('/all', atom('/1', '/2'))
      .set('/1', message('1', 'Storm'))
      .set('/2', message('2', 'Fog', {}, { expires: '' }));
    const { id } = await follow('/all', { keepsUnlisted: true });
    await eventually(async () => expect((await events()).sort()).toEqual(['Fog', 'Storm']));
    control.feeds.documents.set('/all', atom());
    await lookAgain(id);
    expect(await events()).toEqual(['Storm']);
  });

  test('that lists only the newest ends what a message cancels', async () => {
    control.feeds.documents.set('/all', atom('/1')).set('/1', message('1', 'Storm'));
    const { id } = await follow('/all', { keepsUnlisted: true });
    await eventually(async () => expect(await events()).toEqual(['Storm']));
    const references = 'met@weather.example,1,2026-11-28T05:00:00+00:00';
    control.feeds.documents.set('/2', message('2', 'x', { msgType: 'Cancel', references })).set('/all', atom('/2'));
    await lookAgain(id);
    expect(await events()).toEqual([]);
  });

  test('keeps a warning whose message cannot be fetched again', async () => {
    const listed = (updated: string) => atom('/1').replace('<title>x', `<updated>${updated}</updated><title>x`);
    control.feeds.documents.set('/all', listed('2026-11-28T05:00:00Z')).set('/1', message('1', 'Storm'));
    const { id } = await follow('/all');
    await eventually(async () => expect(await events()).toEqual(['Storm']));
    control.feeds.documents.delete('/1');
    control.feeds.documents.set('/all', listed('2026-11-28T06:00:00Z'));
    await lookAgain(id);
    expect(await events()).toEqual(['Storm']);
    expect((await stateOf(id)).problems).toEqual([expect.stringMatching(/\/1: HTTP 404/)]);
  });

  test('with a message that cannot be read keeps what it knows of it, and tries again', async () => {
    control.feeds.documents.set('/all', atom('/1', '/2')).set('/1', message('1', 'Storm'));
    const { id } = await follow('/all');
    await eventually(async () =>
      expect((await stateOf(id)).problems).toEqual([expect.stringMatching(/\/2: HTTP 404/)]),
    );
    expect(await events()).toEqual(['Storm']);
    control.feeds.documents.set('/2', message('2', 'Flood'));
    await lookAgain(id);
    expect(await events()).toEqual(['Storm', 'Flood']);
    expect((await stateOf(id)).problems).toEqual([]);
  });

  test('ends by the clock', async () => {
    control.feeds.documents.set('/one', message('1', 'Gust', {}, { expires: iso(Date.now() + 2_000) }));
    await follow('/one');
    await eventually(async () => expect(await events()).toEqual(['Gust']));
    await eventually(async () => expect(await events()).toEqual([]));
    await eventually(async () => expect((await now('?ended=true'))[0]).toMatchObject({ texts: [{ event: 'Gust' }] }));
  });

  test('brings what touches the territory, or is asked for', async () => {
    const far = '<areaDesc>Far coast</areaDesc><polygon>-50,-10 -50,-9 -49,-9 -50,-10</polygon>';
    control.feeds.documents.set('/one', message('1', 'Storm', {}, { area: far }));
    const { id } = await follow('/one');
    await read(id);
    expect(await events()).toEqual([]);
    await control.at.ok('PUT', `/warning-feeds/${id}`, { as: control.admin, body: { places: ['far coast'] } });
    await eventually(async () => expect(await events()).toEqual(['Storm']));
    await control.at.ok('PUT', `/warning-feeds/${id}`, { as: control.admin, body: { leastSeverity: 'extreme' } });
    await eventually(async () => expect(await events()).toEqual([]));
    await control.at.ok('PUT', `/warning-feeds/${id}`, {
      as: control.admin,
      body: { leastSeverity: 'minor', places: [], onlyTerritory: false },
    });
    await eventually(async () => expect(await events()).toEqual(['Storm']));
    await control.at.ok('PUT', `/warning-feeds/${id}`, { as: control.admin, body: { enabled: false } });
    expect(await events()).toEqual([]);
  });
});

describe('a publisher that does harm', () => {
  test('stalls, floods, answers errors or other documents: the station says so and goes on', async () => {
    const open: (() => void)[] = [];
    control.feeds.documents.set('/stalls', (_, response) => void open.push(() => response.end()));
    control.feeds.documents.set('/floods', (_, response) => {
      const flood = () => {
        while (!response.destroyed && response.write('<a>'.repeat(20_000)));
      };
      response.on('drain', flood);
      flood();
    });
    control.feeds.documents.set('/error', (_, response) => void response.writeHead(503).end('closed for today'));
    control.feeds.documents.set('/html', '<html><body>Sign in</body></html>');
    control.feeds.documents.set('/fine', message('1', 'Storm'));
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
    control.feeds.documents.set('/all', atom(`${inside.origin}/secret`));
    control.feeds.documents.set(
      '/moved',
      (_, response) => void response.writeHead(302, { Location: `${inside.origin}/secret` }).end(),
    );
    const [listed, moved] = [await follow('/all', { login: 'station', secret: 'pass' }), await follow('/moved')];
    for (const { id } of [listed, moved])
      await eventually(async () => expect((await stateOf(id)).problems[0]).toMatch(/inside the own network/));
    expect(inside.asked).toEqual([]);
    expect(control.feeds.asked[0]!.headers.authorization).toBe(
      `Basic ${Buffer.from('station:pass').toString('base64')}`,
    );
    expect(JSON.stringify(await stateOf(listed.id))).not.toContain('pass');
    await inside.close();
  });
});

describe('an alarm', () => {
  const alarmsOf = async () =>
    (
      (await control.at.ok('GET', '/alarms', { as: control.admin })) as {
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
    control.feeds.documents
      .set('/all', atom('/1', '/9'))
      .set('/1', message('1', 'Hail'))
      .set('/9', message('9', 'Fog', {}, { severity: 'Minor' }));
    control.feeds.documents.set('/2', message('2', 'Hail goes on', { msgType: 'Update', references }));
    const { id } = await follow('/all', { alarmFrom: 'severe' });
    await eventually(async () => expect(await alarmsOf()).toEqual([['Hail on the coast', 2, true]]));
    control.feeds.documents.set('/all', atom('/2', '/9'));
    await lookAgain(id);
    expect(await alarmsOf()).toEqual([['Hail goes on on the coast', 2, true]]);
    control.feeds.documents.set('/all', atom('/9'));
    await lookAgain(id);
    await eventually(async () => expect((await alarmsOf()).filter(([, , lasts]) => lasts)).toEqual([]));
  });

  test('goes on while one of the messages that continue its warning holds', async () => {
    const references = 'met@weather.example,1,2026-11-28T05:00:00+00:00';
    const part = (name: string) => message(name, `Fog ${name}`, { msgType: 'Update', references });
    control.feeds.documents
      .set('/all', atom('/1'))
      .set('/1', message('1', 'Fog'))
      .set('/2', part('2'))
      .set('/3', part('3'));
    const { id } = await follow('/all');
    const lasting = async () => (await alarmsOf()).filter(([, , lasts]) => lasts).length;
    await eventually(async () => expect(await lasting()).toBe(1));
    control.feeds.documents.set('/all', atom('/2', '/3'));
    await lookAgain(id);
    expect(await lasting()).toBe(1);
    control.feeds.documents.set('/all', atom('/3'));
    await lookAgain(id);
    expect(await lasting()).toBe(1);
    control.feeds.documents.set('/all', atom());
    await lookAgain(id);
    await eventually(async () => expect(await lasting()).toBe(0));
  });
});

test('consoles hear of warnings', async () => {
  const console = await listenAs(control.at, control.viewer);
  control.feeds.documents.set('/one', message('1', 'Storm'));
  await follow('/one');
  await console.hear(({ command }) => command === 'WARNINGS');
  console.socket.terminate();
});

test('a preview shows what a feed would bring, and writes nothing', async () => {
  control.feeds.documents.set('/all', atom('/1')).set('/1', message('1', 'Storm'));
  const preview = (body: object) => control.at.ask('POST', '/warning-feeds/preview', { as: control.admin, body });
  expect((await preview({ url: `${control.feeds.origin}/all` })).json()).toMatchObject({
    ...{ format: 'atom', ignored: 0, elsewhere: 0, problems: [] },
    warnings: [{ severity: 'severe', texts: [{ event: 'Storm' }] }],
  });
  expect(await now()).toEqual([]);
  expect((await preview({ url: `${control.feeds.origin}/none` })).text).toMatch(/HTTP 404/);
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
      (
        await control.at.ask(method, `/warning-feeds${path}`, {
          as: control.dispatcher,
          ...(method !== 'GET' && { body: {} }),
        })
      ).status,
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
      (await control.at.ask('POST', '/warning-feeds', { as: control.admin, body: { ...good, ...wrong } })).status,
      JSON.stringify(wrong),
    ).toBe(400);
  for (const path of ['/warning-feeds/999', '/warnings/999', '/warnings/999/closures'])
    expect((await control.at.ask('DELETE', path, { as: control.admin })).status, path).toBe(
      path === '/warnings/999' ? 405 : 404,
    );
  expect(await control.at.ok('GET', '/warning-feeds', { as: control.admin })).toEqual([]);
});

test.skipIf(!HAS_GDAL)("GDAL's GeoRSS as Atom and as RSS", async () => {
  const [west, south, east, north] = control.box;
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
    const file = join(control.at.directory, `${format}-${dialect}.xml`);
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
    control.feeds.documents.set(`/${format}-${dialect}`, readFileSync(file, 'utf8'));
    const preview = await control.at.ok('POST', '/warning-feeds/preview', {
      as: control.admin,
      body: { url: `${control.feeds.origin}/${format}-${dialect}` },
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

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';

const HOUR = 3_600_000;
/** The elements in the order of the schema of CAP 1.2, as far as alerts of the station may have them. */
const ALERT = ['identifier', 'sender', 'sent', 'status', 'msgType', 'scope', 'info'];
const INFO = [
  ...['language', 'category', 'event', 'responseType', 'urgency', 'severity', 'certainty', 'effective', 'expires'],
  ...['senderName', 'headline', 'description', 'area'],
];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;
const NAME = 'Bridge <north> & "south"';
let at: TryStation;
let admin: string;
let key: string;
let now: number;
const ids: Record<string, number> = {};

beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  now = Math.floor(Date.now() / 1000) * 1000;
  const close = async (name: string, fields: object) => {
    const geometry = { type: 'Point', coordinates: [9.5, 47.1] };
    ids[name] = (await at.ok('POST', '/closures', { as: admin, body: { name, geometry, ...fields } })).id;
  };
  await close(NAME, { reason: 'Water main\nburst', from: now - HOUR, till: now + HOUR });
  const line = [
    [9.5, 47.1],
    [9.51, 47.1],
    [9.51, 47.11],
  ];
  await close('Road', { factor: 0.5, geometry: { type: 'LineString', coordinates: line } });
  const ring = [
    [9, 47],
    [9.1, 47],
    [9.1, 47.1],
    [9, 47],
  ];
  await close('Square', { geometry: { type: 'Polygon', coordinates: [ring] } });
  await close('Tomorrow', { from: now + 24 * HOUR });
  await close('Yesterday', { from: now - 48 * HOUR, till: now - 24 * HOUR });
  const body = { name: 'alerts', scopes: ['read'], expiresAt: null };
  key = (await at.ok('POST', '/auth/keys', { as: admin, body })).token;
});
afterAll(() => at.stop());

interface Read {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: Record<string, string>;
  text: string;
  readonly children: Read[];
}

/** The tree of a document. Throws for what is no XML. */
function treeOf(text: string): Read {
  const open: Read[] = [{ name: '', namespace: '', attributes: {}, text: '', children: [] }];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ local, uri, attributes }) => {
    const values = Object.fromEntries(Object.values(attributes).map((one) => [one.local, one.value]));
    const read: Read = { name: local, namespace: uri, attributes: values, text: '', children: [] };
    open.at(-1)!.children.push(read);
    open.push(read);
  });
  parser.on('text', (part) => (open.at(-1)!.text += part));
  parser.on('closetag', () => void open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  return open[0]!.children[0]!;
}

const child = (read: Read, name: string): Read => read.children.find((one) => one.name === name)!;
const textsOf = (read: Read) => Object.fromEntries(read.children.map(({ name, text }) => [name, text]));

async function alertOf(name: string): Promise<Read> {
  const { status, type, text } = await at.ask('GET', `/alerts/${ids[name]}.cap`, { as: key });
  expect([status, type]).toEqual([200, 'application/cap+xml; charset=utf-8']);
  return treeOf(text);
}

test.skipIf(!existsSync('/usr/bin/ogrinfo'))('GDAL reads the place of each entry as GeoRSS', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-georss-'));
  const file = join(directory, 'alerts.xml');
  writeFileSync(file, (await at.ask('GET', '/alerts.atom', { as: key })).text);
  const said = String(spawnSync('/usr/bin/ogrinfo', ['-ro', '-al', file]).stdout);
  rmSync(directory, { recursive: true });
  expect(said).toContain("using driver `GeoRSS' successful");
  expect([...said.matchAll(/^ {2}((?:POINT|LINESTRING|POLYGON) .*)$/gm)].map(([, place]) => place).sort()).toEqual([
    'LINESTRING (9.5 47.1,9.51 47.1,9.51 47.11)',
    'POINT (9.5 47.1)',
    'POLYGON ((9 47,9.1 47.0,9.1 47.1,9 47))',
  ]);
});

test('the feed lists what holds now, and each link leads to its alert', async () => {
  const { status, text, type } = await at.ask('GET', `/alerts.atom?token=${key}`);
  expect([status, type]).toEqual([200, 'application/atom+xml; charset=utf-8']);
  const entries = treeOf(text).children.filter(({ name }) => name === 'entry');
  expect(entries.map((entry) => child(entry, 'title').text)).toEqual([NAME, 'Road', 'Square']);
  for (const entry of entries) {
    const { href } = child(entry, 'link').attributes;
    const alert = treeOf((await at.ask('GET', new URL(href!).pathname, { as: key })).text);
    expect(child(child(alert, 'info'), 'headline').text).toBe(child(entry, 'title').text);
    expect(child(entry, 'id').text).toBe(`urn:waypost:${child(alert, 'identifier').text}`);
  }
});

test('an alert has the elements of CAP 1.2 in their order', async () => {
  const alert = await alertOf(NAME);
  expect([alert.name, alert.namespace]).toEqual(['alert', 'urn:oasis:names:tc:emergency:cap:1.2']);
  expect(alert.children.map(({ name }) => name)).toEqual(ALERT);
  const info = child(alert, 'info');
  expect(info.children.map(({ name }) => name)).toEqual(INFO);
  expect(textsOf(alert)).toMatchObject({
    identifier: expect.stringMatching(/^[^\s,<&]+$/),
    sender: expect.stringMatching(/^[^\s,<&]+$/),
    sent: expect.stringMatching(TIME),
    status: 'Actual',
    msgType: 'Alert',
    scope: 'Public',
  });
  expect(textsOf(info)).toMatchObject({
    category: 'Transport',
    event: 'Road closed',
    severity: 'Moderate',
    effective: new Date(now - HOUR).toISOString().replace('.000Z', '+00:00'),
    expires: new Date(now + HOUR).toISOString().replace('.000Z', '+00:00'),
    headline: NAME,
    description: 'Water main\nburst',
  });
  expect(textsOf(child(info, 'area'))).toEqual({ areaDesc: NAME, circle: '47.1,9.5 0.025' });
});

test('areas are closed rings of lat,lon; a line is 50 m wide', async () => {
  for (const name of ['Road', 'Square']) {
    const polygon = child(child(child(await alertOf(name), 'info'), 'area'), 'polygon').text;
    expect(polygon).toMatch(/^(-?\d+(\.\d+)?,-?\d+(\.\d+)? ){3,}-?\d+(\.\d+)?,-?\d+(\.\d+)?$/);
    const points = polygon.split(' ').map((pair) => pair.split(',').map(Number));
    expect(points[0]).toEqual(points.at(-1));
    for (const [lat, lon] of points) expect([Math.round(lat!), Math.round(lon! / 10)]).toEqual([47, 1]);
    if (name === 'Square') expect(polygon).toBe('47,9 47,9.1 47.1,9.1 47,9');
    // The line begins eastwards: its band begins and ends 25 m to the north and south of it.
    else expect(Math.abs(points[0]![0]! - points.at(-2)![0]!) * 111_195).toBeCloseTo(50, 0);
  }
});

test('the identifier stays while the closure is as it was, and changes with it', async () => {
  const first = textsOf(await alertOf('Square'));
  expect(first['sent']).toMatch(TIME);
  expect(Math.abs(Date.parse(first['sent']!) - now)).toBeLessThan(HOUR / 2);
  // The time of sending has seconds: in the next one it must be the same.
  await eventually(() => expect(Date.now()).toBeGreaterThan(Date.parse(first['sent']!) + 1000));
  expect(textsOf(await alertOf('Square'))).toEqual(first);
  const geometry = { type: 'Point', coordinates: [9.5, 47.1] };
  await at.ok('PUT', `/closures/${ids['Square']}`, { as: admin, body: { name: 'Square', geometry, reason: 'Fair' } });
  expect(child(await alertOf('Square'), 'identifier').text).not.toBe(first['identifier']);
});

test('what does not hold now is not there, and without a key there is nothing', async () => {
  for (const name of ['Tomorrow', 'Yesterday'])
    expect((await at.ask('GET', `/alerts/${ids[name]}.cap`, { as: key })).status).toBe(404);
  expect((await at.ask('GET', '/alerts.atom')).status).toBe(401);
  expect((await at.ask('GET', `/alerts/${ids[NAME]}.cap`)).status).toBe(401);
});

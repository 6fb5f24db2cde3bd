import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

const directory = mkdtempSync(join(tmpdir(), 'waypost-telemetry-http-'));
let station: TryStation;
let admin: string;
let key: string;

beforeAll(async () => {
  station = await tryStation({ data: directory });
  admin = await station.signIn();
  for (const glonassId of [101, 102])
    await station.ask('POST', '/cars', {
      as: admin,
      body: { name: `Van ${glonassId}`, glonassId, devimei: `35600000000010${glonassId % 100}` },
    });
  key = (
    await station.ask('POST', '/auth/keys', {
      as: admin,
      body: { name: 'trackers', scopes: ['telemetry'], expiresAt: null },
    })
  ).json().token;
});
afterAll(async () => {
  await station.stop();
  rmSync(directory, { recursive: true, force: true });
});

const NOON = Date.UTC(2026, 5, 1, 12);
const send = (body: unknown, as: string | undefined = key) => station.ask('POST', '/telemetry', { as, body });
const fix = (second: number, more: object = {}) => ({
  glonassId: 101,
  time: NOON + second * 1000,
  lat: 50 + second / 20_000,
  lon: 20,
  speed: 20,
  ...more,
});

test('one record or many, by glonassId or by imei, with the key of a program', async () => {
  expect((await send(fix(0))).json()).toEqual({ accepted: 1, duplicates: 0, quarantined: [] });
  const { glonassId: _none, ...byImei } = fix(10, { imei: '356000000000101' });
  expect((await send([fix(0), byImei, fix(20, { lat: 'x' }), { ...fix(20), glonassId: 555 }])).json()).toEqual({
    accepted: 1,
    duplicates: 1,
    quarantined: [
      { index: 2, reason: expect.stringContaining('lat') },
      { index: 3, reason: 'No vehicle has the device 555.' },
    ],
  });
});

test('a bad record alone is a 200; only a body that cannot be read is a 400', async () => {
  for (const record of [
    {},
    [null],
    [[]],
    [5],
    { glonassId: 'x' },
    [{ ...fix(30), time: 1e300 }],
    [{ ...fix(30), params: { deep: { er: 1 } } }],
    [{ ...fix(30), adc: ['x'] }],
  ]) {
    const answered = await send(record);
    expect(answered.status, JSON.stringify(record)).toBe(200);
    expect(answered.json()).toMatchObject({
      accepted: 0,
      quarantined: [{ index: 0, reason: expect.stringMatching(/./) }],
    });
  }
  for (const body of ['{', '"text"', '5', '[1,'])
    expect(
      (await station.ask('POST', '/telemetry', { as: key, body, headers: { 'content-type': 'application/json' } }))
        .status,
      body,
    ).toBe(400);
  expect((await send([])).json()).toEqual({ accepted: 0, duplicates: 0, quarantined: [] });
});

test('a long batch is taken in whole or not at all, and one that breaks off harms nobody', async () => {
  const batch = Array.from({ length: 4000 }, (_, i) =>
    fix(i / 100, {
      glonassId: 102,
      time: NOON + i,
      params: { note: 'long enough to be read in parts, as the batches of black boxes are' },
    }),
  );
  const json = JSON.stringify(batch);
  const sendText = (body: string) =>
    station.ask('POST', '/telemetry', { as: key, body, headers: { 'content-type': 'application/json' } });
  expect(await sendText(json.slice(0, -1))).toMatchObject({ status: 400, text: 'The body is not valid JSON.' });
  const { host } = new URL(station.station.address);
  const socket = connect(Number(host.split(':')[1]), '127.0.0.1');
  socket.write(
    `POST /telemetry HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json.slice(0, 300_000)}`,
    () => socket.destroy(),
  );
  await once(socket, 'close');
  expect((await sendText(json)).json()).toEqual({ accepted: 4000, duplicates: 0, quarantined: [] });
  expect((await send(batch)).json()).toEqual({ accepted: 0, duplicates: 4000, quarantined: [] });
});

test('who may send: keys for telemetry and administrators, nobody else', async () => {
  const viewer = await station.newUser('ivan', 'Viewer');
  const reading = (
    await station.ask('POST', '/auth/keys', { as: admin, body: { name: 'reader', scopes: ['read'], expiresAt: null } })
  ).json().token;
  expect((await send(fix(40), admin)).status).toBe(200);
  expect((await send(fix(41), viewer.token)).status).toBe(403);
  expect((await send(fix(41), reading)).status).toBe(403);
  expect((await station.ask('POST', '/telemetry', { body: fix(41) })).status).toBe(401);
  expect((await station.ask('GET', '/cars', { as: key })).status).toBe(403);
  expect((await station.ask('GET', '/telemetry/quarantine', { as: viewer.token })).status).toBe(403);
});

test('a sender speaks only for vehicles that the owner of its key may see', async () => {
  const roads = (await station.ask('POST', '/organizations', { as: admin, body: { name: 'Roads' } })).json();
  await station.ask('POST', '/cars', { as: admin, body: { name: 'Roller', glonassId: 201, organizationId: roads.id } });
  await station.ask('POST', '/rights', { as: admin, body: { name: 'Local administrator', admin: true } });
  const local = await station.newUser('olga', 'Local administrator', { organizationId: roads.id });
  expect((await send([fix(50), fix(50, { glonassId: 201 })], local.token)).json()).toMatchObject({
    accepted: 1,
    quarantined: [{ index: 0 }],
  });
});

test('the quarantine is read newest first and played again', async () => {
  const list = (await station.ask('GET', '/telemetry/quarantine?limit=2', { as: admin })).json();
  expect(list).toHaveLength(2);
  expect(list[0].id).toBeGreaterThan(list[1].id);
  expect(list[0]).toMatchObject({ source: 'http', reason: expect.any(String), time: expect.any(Number) });
  expect(() => JSON.parse(Buffer.from(list[0].raw, 'base64').toString())).not.toThrow();
  const replayed = (await station.ask('POST', '/telemetry/quarantine/replay', { as: admin, body: {} })).json();
  expect(replayed).toMatchObject({ accepted: 0, duplicates: 0 });
  expect(replayed.remaining).toBeGreaterThan(2);
  const quarantine = async (query: string) =>
    (await station.ask('GET', `/telemetry/quarantine${query}`, { as: admin })).json();
  expect(await quarantine('?limit=0')).toEqual(await quarantine(''));
});

test('many senders at once are all answered, and each record is there once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => send([fix(100 + index), fix(100 + index), fix(101 + index)])),
  );
  const sum = (field: 'accepted' | 'duplicates') =>
    answers.reduce((total, answered) => total + answered.json()[field], 0);
  expect(sum('accepted')).toBe(61);
  expect(sum('duplicates')).toBe(119);
});

test('last states, crew status and odometer survive a restart', async () => {
  const [before] = (await station.ask('GET', '/cars?glonassId=101', { as: admin })).json();
  await station.ask('PUT', `/cars/${before.id}/status`, { as: admin, body: { status: 8 } });
  const detail = (await station.ask('GET', `/cars/${before.id}`, { as: admin })).json();
  await station.stop();
  station = await tryStation({ data: directory });
  admin = await station.signIn();
  const after = (await station.ask('GET', `/cars/${before.id}`, { as: admin })).json();
  expect(after).toEqual(detail);
  expect(after.info.odometr).toBeGreaterThan(0);
  expect(after.unitStatus).toBe(8);
});

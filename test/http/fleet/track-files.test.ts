import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance } from '../../support/chance.ts';
import { tryStation, type TryStation } from '../try-station.ts';

const HAS_GDAL = existsSync('/usr/bin/ogr2ogr');
const NOON = Date.UTC(2026, 5, 1, 12);
const POINTS = 2_500;
let at: TryStation;
let admin: string;
let van: number;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-track-files-'));
  at = await tryStation();
  admin = await at.signIn();
  van = await newVehicle('Van <7> & "co"');
  const { glonassId } = await at.ok('GET', `/cars/${van}`, { as: admin });
  const body = Array.from({ length: POINTS }, (_, index) => ({
    glonassId,
    time: NOON + index * 1_000 + (index > 1_000 ? 3_600_000 : 0),
    lat: 47 + index / 100_000,
    lon: 9.5,
    speed: 36,
    direction: 0,
    height: 450,
  }));
  await at.ok('POST', '/telemetry', { as: admin, body });
});
afterAll(async () => {
  await at.stop();
  rmSync(directory, { recursive: true, force: true });
});

const newVehicle = async (name: string): Promise<number> =>
  (await at.ok('POST', '/cars', { as: admin, body: { name } })).id;
const span = `from=${NOON}&till=${NOON + 86_400_000}`;
const track = (id: number): Promise<{ time: number; lat: number; lon: number; speed: number; height: number }[]> =>
  at.ok('GET', `/cars/${id}/track?${span}`, { as: admin });
const exported = async (format: string): Promise<string> => {
  const { status, text } = await at.ask('GET', `/cars/${van}/track/${format}?${span}`, { as: admin });
  expect(status).toBe(200);
  return text;
};
const take = (id: number, body: string) =>
  at.ask('POST', `/cars/${id}/track`, {
    as: admin,
    body,
    headers: { 'content-type': 'application/octet-stream' },
  });

test.each([
  ['gpx', true],
  ['kml', false],
  ['geojson', true],
  ['csv', true],
])('%s: a track that went out comes in again as it was, once', async (format, keepsSpeed) => {
  const text = await exported(format);
  const other = await newVehicle(`Copy of ${format}`);
  expect((await take(other, text)).json()).toMatchObject({ points: POINTS, accepted: POINTS, quarantined: 0 });
  const fieldsOf = ({ time, lat, lon, height, speed }: Awaited<ReturnType<typeof track>>[number]) =>
    keepsSpeed ? { time, lat, lon, height, speed } : { time, lat, lon, height };
  expect((await track(other)).map(fieldsOf)).toEqual((await track(van)).map(fieldsOf));
  expect((await take(other, text)).json()).toMatchObject({ accepted: 0, duplicates: POINTS });
});

test.skipIf(!HAS_GDAL).each([
  ['gpx', 'track_points'],
  ['geojson', 'track'],
])('%s: GDAL reads every point', async (format, layer) => {
  const file = join(directory, `track.${format}`);
  writeFileSync(file, await exported(format));
  const { stdout } = spawnSync('/usr/bin/ogrinfo', ['-ro', '-so', file, layer]);
  expect(String(stdout)).toContain(`Feature Count: ${POINTS}`);
});

test.skipIf(!HAS_GDAL)('GPX that GDAL wrote is taken in', async () => {
  const lines = ['lat,lon,time,track_fid,track_seg_id'];
  for (let index = 0; index < 5; index++)
    lines.push(`47.${index},9.5,${new Date(NOON + index * 600_000).toISOString()},0,0`);
  writeFileSync(join(directory, 'points.csv'), lines.join('\n'));
  const file = join(directory, 'written.gpx');
  const options = ['-oo', 'X_POSSIBLE_NAMES=lon', '-oo', 'Y_POSSIBLE_NAMES=lat', '-oo', 'AUTODETECT_TYPE=YES'];
  const select = 'SELECT CAST(time AS timestamp) AS time, track_fid, track_seg_id FROM points';
  const { stderr } = spawnSync('/usr/bin/ogr2ogr', [
    ...['-f', 'GPX', file, join(directory, 'points.csv'), ...options],
    ...['-sql', select, '-nln', 'track_points', '-nlt', 'POINT'],
  ]);
  expect(existsSync(file), String(stderr)).toBe(true);
  const other = await newVehicle('From GDAL');
  expect((await take(other, readFileSync(file, 'utf8'))).json()).toMatchObject({ points: 5, accepted: 5 });
  expect((await track(other)).map(({ lat }) => lat)).toEqual([47, 47.1, 47.2, 47.3, 47.4]);
});

test.each([
  ['', 'no track'],
  ['hello', 'no track'],
  ['<html></html>', 'no track'],
  ['<gpx><trk>', 'cannot be read'],
  ['{"type":"FeatureCollection","features":[]}', 'both a time and a place'],
  ['{"type":', 'cannot be read'],
  ['time,lat,lon\r\nx,1,2\r\n', 'both a time and a place'],
  [`<gpx>${'<a>'.repeat(101)}`, 'too deep'],
])('the file %j is refused with its reason', async (text, reason) => {
  const { status, text: told } = await take(van, text);
  expect([status, told]).toEqual([400, expect.stringContaining(reason)]);
});

test('more than 200,000 points are too many; 300 bent files give no 5xx', async () => {
  const line = '2026-06-01T12:00:00Z,47,9\n';
  expect((await take(van, `time,lat,lon\n${line.repeat(200_001)}`)).status).toBe(413);
  const { next: random } = new Chance();
  const good = (await Promise.all(['gpx', 'kml', 'geojson', 'csv'].map(exported))).map((text) => text.slice(0, 1_500));
  const other = await newVehicle('Bent');
  for (let turn = 0; turn < 300; turn++) {
    const bent = [...good[turn % 4]!];
    for (let change = 0; change < 5; change++)
      bent[Math.floor(random() * bent.length)] = String.fromCharCode(32 + Math.floor(random() * 90));
    expect((await take(other, bent.join(''))).status).toBeLessThan(500);
  }
});

test('a vehicle that is not there has no track, and only administrators take tracks in', async () => {
  const { token } = await at.newUser('dora', 'Dispatcher');
  for (const path of ['gpx', 'csv'])
    expect((await at.ask('GET', `/cars/999999/track/${path}?${span}`, { as: admin })).status).toBe(404);
  expect((await at.ask('POST', `/cars/${van}/track`, { as: token, body: 'x' })).status).toBe(403);
});

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { tryStation, type TryStation } from '../../try-station.ts';

const GDAL = '/usr/bin/ogr2ogr';

// Debian's gdal-bin: `npm test` tries to get it; skipped where it cannot be had.
describe.skipIf(!existsSync(GDAL))('files that GDAL writes', () => {
  let station: TryStation;
  let admin: string;
  let directory: string;

  beforeAll(async () => {
    station = await tryStation();
    admin = await station.signIn();
    directory = mkdtempSync(join(tmpdir(), 'waypost-foreign-'));
  });
  afterAll(async () => {
    await station.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const write = (features: readonly object[], driver: string, extension: string, ...options: string[]) => {
    const [from, to] = [join(directory, 'from.geojson'), join(directory, `to.${extension}`)];
    writeFileSync(from, JSON.stringify({ type: 'FeatureCollection', features }));
    rmSync(to, { force: true });
    const { status, stderr } = spawnSync(GDAL, ['-f', driver, to, from, ...options], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return readFileSync(to);
  };
  const preview = async (kind: string, name: string, content: Buffer<ArrayBuffer>) => {
    const form = new FormData();
    form.append('file', new Blob([content]), name);
    const response = await fetch(`${station.station.address}/fileload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}` },
      body: form,
    });
    const [uuid] = ((await response.json()) as { data: string[] }).data;
    const { id, format, counts } = await station.ok('POST', '/imports/previews', { as: admin, body: { uuid, kind } });
    const { id: number } = await station.ok('POST', `/imports/previews/${id}/confirm`, { as: admin });
    await eventually(async () => expect((await imported(number)).state).toBe('done'));
    return { number, format, counts };
  };

  const imported = (number: number) => station.ok('GET', `/imports/${number}`, { as: admin });
  const undo = async (number: number) => {
    await station.ok('POST', `/imports/${number}/undo`, { as: admin });
    await eventually(async () => expect((await imported(number)).state).toBe('undone'));
  };

  const VEHICLES = [
    { name: 'Engine 1', glonassId: 71 },
    { name: 'Кран 2', glonassId: 72 },
    { name: 'A "quoted", name; with marks', glonassId: 73 },
  ].map((properties) => ({ type: 'Feature', properties, geometry: null }));

  test.each([
    ['XLSX', 'xlsx', 'xlsx', []],
    ['CSV', 'csv', 'csv', []],
    ['CSV', 'csv', 'csv', ['-lco', 'SEPARATOR=SEMICOLON', '-lco', 'WRITE_BOM=YES']],
    ['CSV', 'csv', 'csv', ['-lco', 'SEPARATOR=TAB', '-lco', 'LINEFORMAT=CRLF']],
  ])('%s: vehicles (.%s, %s, %j)', async (driver, extension, format, options) => {
    const content = write(VEHICLES, driver, extension, ...options);
    const seen = await preview('vehicles', `list.${extension}`, content);
    expect(seen).toMatchObject({ format, counts: { new: 3, changed: 0, same: 0, refused: 0 } });
    const vehicles = await station.ok('GET', '/cars', { as: admin });
    expect(
      vehicles.map(({ name, glonassId }: { name: string; glonassId: number }) => [name, glonassId]).sort(),
    ).toEqual(VEHICLES.map(({ properties: { name, glonassId } }) => [name, glonassId]).sort());
    await undo(seen.number);
  });

  const ROADS = ['Bridge', 'Набережная'].map((name, at) => ({
    type: 'Feature',
    properties: { name },
    geometry: {
      type: 'LineString',
      coordinates: [
        [14.5 + at, 35.9],
        [14.52 + at, 35.91],
        [14.53 + at, 35.92],
      ],
    },
  }));

  test.each([
    ['GeoJSON', 'geojson', 'geojson'],
    ['KML', 'kml', 'kml'],
    ['LIBKML', 'kml', 'kml'],
    ['LIBKML', 'kmz', 'kml'],
    ['GPX', 'gpx', 'gpx'],
  ])('%s: closures (.%s)', async (driver, extension, format) => {
    const seen = await preview('closures', `roads.${extension}`, write(ROADS, driver, extension));
    expect(seen).toMatchObject({ format, counts: { new: 2, changed: 0, same: 0, refused: 0 } });
    const closures = await station.ok('GET', '/closures', { as: admin });
    expect(closures.map(({ name, geometry }: { name: string; geometry: object }) => ({ name, geometry }))).toEqual(
      ROADS.map(({ properties: { name }, geometry }) => ({ name, geometry })),
    );
    await undo(seen.number);
  });
});

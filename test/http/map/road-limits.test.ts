import { glob, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RoadLimits } from '../../../shared/roads/road-limits.ts';
import { ExtractBuilder } from '../../../server/geo/territory/index.ts';
import { writePbf } from '../../town/pbf-writer.ts';
import { scratchDirectory } from '../../unit/geo/territory/extracts.ts';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** Speeding on the roads of the territory, which is replaced in the course of it. */
const scratch = scratchDirectory();
let station: TryStation;
let admin: string;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
});
afterAll(() => station.stop());

async function ok<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answered = await station.ask(method, path, { as: admin, body });
  if (answered.status !== 200) throw new Error(`${method} ${path}: ${answered.status} ${answered.text}`);
  return answered.json();
}

/** A road of six kilometres due east along 55°. */
async function importRoad(name: string, maxspeed: string): Promise<void> {
  const builder = new ExtractBuilder();
  for (let i = 0; i <= 6; i++) builder.node(i + 1, 55, 37 + i * 0.0157);
  builder.way(1, [1, 2, 3, 4, 5, 6, 7], { highway: 'primary', maxspeed });
  const path = join(scratch, `${name}.osm.pbf`);
  await writePbf(builder.build(), path);
  await ok('POST', '/territory', { path, name });
  await eventually(async () =>
    expect(await ok('GET', '/territory')).toMatchObject({ name, import: { state: 'done' } }),
  );
}
/** Eastwards on the road from a time on, a record every 10 s and 150 m: three with 54 km/h, two with 20. */
const driven = (start: number) =>
  [54, 54, 54, 20, 20].map((speed, i) => ({
    time: start + i * 10_000,
    lat: 55,
    lon: 37.01 + (i * 150) / 63_780,
    speed,
    direction: 90,
  }));
const speeding = (vehicleId: number) =>
  ok<{ dataFrom: number; data: { limit: number }; id: number }[]>('GET', `/events?types=5&cars=${vehicleId}`);

test('without a territory there are no limits to give out', async () => {
  const answered = await station.ask('GET', '/territory/limits', { as: admin });
  expect([answered.status, answered.text]).toEqual([404, 'No territory is loaded.']);
  expect((await station.ask('GET', '/territory/limits')).status).toBe(401);
});

test('the road’s limit counts, from the territory of the record’s own time', async () => {
  const { id, glonassId } = await ok<{ id: number; glonassId: number }>('POST', '/cars', {
    name: 'Van 1',
    glonassId: 501,
  });
  const send = (...records: object[]) =>
    ok(
      'POST',
      '/telemetry',
      records.map((record) => ({ glonassId, ...record })),
    );
  await importRoad('Forty', '40');
  const start = Date.now() - 3_600_000;
  await send(...driven(start));
  const [first] = await eventually(async () => {
    const found = await speeding(id);
    expect(found).toMatchObject([{ dataFrom: start, data: { limit: 40, top: 54 } }]);
    return found;
  });

  await importRoad('Sixty', '60');
  // Now the same drive is allowed …
  await send(...driven(Date.now() + 60_000));
  // … and what comes late from the time before is held against the roads of then.
  await send(...driven(start + 600_000), {
    ...driven(start)[1]!,
    time: start + 5_000,
    lon: driven(start)[1]!.lon - 75 / 63_780,
  });
  await eventually(async () =>
    expect((await speeding(id)).map(({ dataFrom }) => dataFrom).sort((a, b) => a - b)).toEqual([
      start,
      start + 600_000,
    ]),
  );
  expect((await speeding(id)).map((event) => event.id)).toContain(first!.id);
});

test('the limits are served as a file that the station can query; 404 for a territory without limits', async () => {
  const fetched = async () => {
    const answer = await fetch(`${station.station.address}/territory/limits`, {
      headers: { authorization: `Bearer ${admin}` },
    });
    return { status: answer.status, bytes: await answer.arrayBuffer() };
  };
  await importRoad('Thirty', '30');
  const { status, bytes } = await fetched();
  expect(status).toBe(200);
  expect(RoadLimits.from(bytes).at({ lat: 55, lon: 37.02 }, 90)).toBe(30);
  // One of an older program has no such file.
  for await (const file of glob('territory/*/limits.bin', { cwd: station.directory }))
    await rm(join(station.directory, file));
  expect((await fetched()).status).toBe(404);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { serve, type Served } from '../harness/served.ts';

/** A zone that is drawn late, and a `kill -9` before the tracks are computed again. */
const CARS = 60;
const POINTS = 1_000;
const SECOND = 1_000;

let directory: string;
let station: Served | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-edit-'));
});
afterEach(async () => {
  await station?.end('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

const start = async () => (station = await serve(directory));
const visits = async (vehicles: readonly number[]) =>
  (await station!.ask<{ carId: number }[]>('GET', `/events?types=6&limit=1000&cars=${vehicles.join(',')}`)).length;

test('a backdated edit that was acknowledged is in the events of all tracks, whatever came in between', async () => {
  const begun = Date.now() - 24 * 3_600_000;
  await start();
  const vehicles: number[] = [];
  for (let i = 0; i < CARS; i++) {
    const { id } = await station!.ask<{ id: number }>('POST', '/cars', { name: `Car ${i}`, glonassId: 1000 + i });
    vehicles.push(id);
    const records = Array.from({ length: POINTS }, (_, n) => ({
      glonassId: 1000 + i,
      time: begun + n * 20 * SECOND,
      lat: 55,
      lon: 37 + n * 0.0005,
      speed: 6,
      direction: 90,
    }));
    await station!.ask('POST', '/telemetry', records);
  }
  // Every vehicle has its stretches worked out: it left the depot's side of the town.
  const settled = () => {
    const file = new DatabaseSync(join(directory, 'station.db'), { readOnly: true });
    try {
      return file.prepare('SELECT count(DISTINCT vehicle) AS count FROM event_checkpoints').get()!['count'];
    } finally {
      file.close();
    }
  };
  await eventually(() => expect(settled()).toBe(CARS));
  expect(await visits(vehicles)).toBe(0);

  const onDisk = () => {
    const file = new DatabaseSync(join(directory, 'station.db'), { readOnly: true });
    const { needs } = file.prepare('SELECT count(*) AS needs FROM event_needs').get() as { needs: number };
    const { known } = file
      .prepare(
        'SELECT count(*) AS known FROM "station.events.0" WHERE deleted = 0 AND json_extract(data, \'$.type\') = 6',
      )
      .get() as { known: number };
    file.close();
    return { needs, known };
  };
  // A kill that comes too late proves nothing: then another zone is drawn.
  let zones = 0;
  let wasInTime = false;
  while (!wasInTime && zones < 5) {
    await station!.ask('POST', '/geozones', {
      name: `Depot ${zones}`,
      geometry: { type: 'Point', coordinates: [37.1 + zones / 20, 55] },
      radius: 1000,
      validFrom: begun,
    });
    await station!.end('SIGKILL');
    zones++;
    const { needs, known } = onDisk();
    wasInTime = needs === 1 && known < zones * CARS;

    await start();
    await eventually(async () => expect(await visits(vehicles)).toBe(zones * CARS));
    await eventually(() => expect(onDisk().needs).toBe(0));
  }
  expect(wasInTime).toBe(true);
});

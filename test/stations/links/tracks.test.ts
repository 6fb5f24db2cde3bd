import { expect, test } from 'vitest';
import { drive, send, storedTrack, trackLength } from '../harness/driving.ts';
import { areEqual, pair, startStations, type TestStation } from '../harness/linked.ts';

const HOUR = 3_600_000;
const REPORTS = ['mileage', 'stops', 'fuel', 'speeding'];

async function vehicleAt(station: TestStation, glonassId: number): Promise<number> {
  return (await station.ask<{ id: number }>('POST', '/cars', { name: `Van ${glonassId}`, glonassId })).id;
}

/** What operators see of a vehicle's past: playback, events, reports, and its sums. */
async function past(station: TestStation, vehicleId: number, from: number, till: number): Promise<unknown> {
  const span = `from=${from}&till=${till}`;
  const reports = REPORTS.map((kind) =>
    station.ask<{ madeAt?: unknown }>('GET', `/reports/${kind}?${span}&cars=${vehicleId}&tz=UTC`).then((report) => {
      const { madeAt: _, ...rest } = report;
      return rest;
    }),
  );
  const car = await station.ask<Record<string, unknown>>('GET', `/cars/${vehicleId}`);
  return {
    track: await station.ask('GET', `/cars/${vehicleId}/track?${span}`),
    events: await station.ask('GET', `/events?${span}&cars=${vehicleId}&limit=500`),
    reports: await Promise.all(reports),
    sums: [car['odometr'], car['motohours']],
  };
}

/** Waits until the track of a vehicle is the same at both stations, and everything that follows from it. */
async function areTracksEqual(a: TestStation, b: TestStation, vehicleId: number, from: number): Promise<void> {
  await expect.poll(() => trackLength(b, vehicleId)).toEqual(trackLength(a, vehicleId));
  expect(storedTrack(b, vehicleId)).toEqual(storedTrack(a, vehicleId));
  const till = Date.now() + HOUR;
  await expect
    .poll(async () => {
      await areEqual([a, b]);
      return past(b, vehicleId, from, till);
    })
    .toEqual(await past(a, vehicleId, from, till));
}

test('[sync 72] the track of a vehicle is at the other station, with the same reports, events and sums', async () => {
  const [depot, centre] = (await startStations(2)) as [TestStation, TestStation];
  const id = await vehicleAt(depot, 12);
  const began = Date.now() - 3 * HOUR;
  await send(depot, drive(12, began, 900));
  await pair(depot, centre, { from: { tracks: { days: 7 } }, to: { tracks: { days: 7 } } });
  await areTracksEqual(depot, centre, id, began - HOUR);
  expect(storedTrack(centre, id)).toHaveLength(900);
  const found = (await past(centre, id, began - HOUR, Date.now())) as { events: object[]; reports: object[] };
  expect(found.events.length).toBeGreaterThan(5);
  expect(JSON.stringify(found.reports)).toContain('Van 12');

  // Live: new positions arrive while the vehicle drives.
  await send(depot, drive(12, began + 900 * 5_000, 30));
  await areTracksEqual(depot, centre, id, began - HOUR);
  expect(storedTrack(centre, id)).toHaveLength(930);
});

test('[sync 80] a transfer that kills interrupt goes on where it was, and late positions follow', async () => {
  const [depot, centre] = (await startStations(2)) as [TestStation, TestStation];
  const id = await vehicleAt(depot, 12);
  const began = Date.now() - 12 * HOUR;
  await send(depot, drive(12, began, 6_000));
  const cable = await pair(depot, centre, { from: { tracks: { days: 7 } }, to: { tracks: { days: 7 } } });
  cable.rate = 30_000;
  const there = () => storedTrack(centre, id).length;
  let before = 0;
  for (const killed of [centre, depot]) {
    await expect.poll(there).toBeGreaterThan(before);
    await killed.end('SIGKILL');
    before = there();
    expect(before).toBeLessThan(6_000);
    await killed.start();
  }
  cable.rate = undefined;
  await expect.poll(() => trackLength(centre, id)).toEqual(trackLength(depot, id));
  await send(depot, drive(12, began - HOUR, 100));
  await expect.poll(there).toBe(6_100);
  expect(storedTrack(centre, id)).toEqual(storedTrack(depot, id));
});

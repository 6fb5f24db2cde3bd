import { expect, test } from 'vitest';
import { follow } from '../harness/command-line.ts';
import { drive, send, storedTrack, trackLength } from '../harness/driving.ts';
import { areEqual, startStations, type TestStation } from '../harness/linked.ts';

const HOUR = 3_600_000;

test('[sync 92] [sync 94] a standby has the tracks, works out no events, and goes on with both when it leads', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const began = Date.now() - 2 * HOUR;
  const records = drive(12, began, 1000);
  const { id } = await a.ask<{ id: number }>('POST', '/cars', { name: 'Van 12', glonassId: 12 });
  await send(a, records.slice(0, 300));
  const cable = await follow(b, a);
  await send(a, records.slice(300, 600));
  const eventsAt = (station: TestStation) =>
    station.ask<object[]>('GET', `/events?from=${began - HOUR}&till=${Date.now() + HOUR}&cars=${id}&limit=500`);
  await expect.poll(() => trackLength(b, id)).toEqual(trackLength(a, id));
  await expect.poll(async () => (await eventsAt(a)).length).toBeGreaterThan(5);
  await areEqual([a, b]);
  expect(await eventsAt(b)).toEqual(await eventsAt(a));
  expect(storedTrack(b, id)).toEqual(storedTrack(a, id));
  const before = (await eventsAt(b)).length;

  await a.end('SIGKILL');
  await b.ask('POST', '/standby/promotion', { confirm: 'Station 1' });
  await send(b, records.slice(600));
  await expect.poll(async () => (await eventsAt(b)).length).toBeGreaterThan(before + 3);
  expect(storedTrack(b, id)).toHaveLength(1000);

  await a.start();
  cable.join();
  await expect.poll(() => trackLength(a, id)).toEqual(trackLength(b, id));
  await areEqual([a, b]);
  expect(storedTrack(a, id)).toEqual(storedTrack(b, id));
  await expect
    .poll(async () => {
      await areEqual([a, b]);
      return eventsAt(a);
    })
    .toEqual(await eventsAt(b));
  const types = (events: readonly object[]) => events.map((event) => JSON.stringify(event));
  const all = types(await eventsAt(b));
  expect(new Set(all).size).toBe(all.length);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Point } from '../../../server/tracking/events/index.ts';
import { NOON, wildDay } from '../../unit/tracking/events/drive.ts';
import { SEED, numbers } from '../../support/chance.ts';
import { times } from '../../support/long.ts';
import { serve, type Served } from '../harness/served.ts';

/**
 * A day of traffic as it comes in from the field, and the same day as it was: the events are the same.
 */
const VEHICLES = times(40, 200);
const POINTS = times(250, 2500);
const LATE = 0.05;
const TWICE = 0.02;
const BROKEN = 0.02;
/** Records in one request, and requests under way at once. */
const BATCH = 250;
const LANES = 4;
const HOUR = 3_600_000;

type Arrival = Omit<Point, 'fixed'> & { glonassId: number; gpsCount: number };

let directories: string[];
const running = new Set<Served>();
beforeEach(() => {
  directories = ['clean', 'stormy'].map((name) => mkdtempSync(join(tmpdir(), `waypost-day-${name}-`)));
});
afterEach(async () => {
  for (const station of running) await station.end('SIGKILL');
  running.clear();
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

async function start(directory: string): Promise<Served> {
  const station = await serve(directory);
  running.add(station);
  return station;
}

async function end(station: Served, signal: NodeJS.Signals): Promise<void> {
  running.delete(station);
  await station.end(signal);
}

/** What each vehicle recorded, in the order of time: four drives through a day that ended two hours ago. */
function dayOf(vehicle: number, shift: number): Arrival[] {
  return wildDay(SEED + vehicle, POINTS).map(({ fixed, time, ...point }, i) => ({
    ...point,
    time: time + shift + Math.floor((i * 4) / POINTS) * 4 * HOUR,
    glonassId: 1000 + vehicle,
    gpsCount: fixed ? 9 : 1,
  }));
}

/** The same surroundings at both stations, with the same ids: zones, a sensor or two for each vehicle. */
async function furnish(station: Served, from: number): Promise<number[]> {
  const zone = (name: string, geometry: object, more: object) =>
    station.ask('POST', '/geozones', { name, geometry, validFrom: from, ...more });
  await zone('Depot', { type: 'Point', coordinates: [37, 55] }, { radius: 400, speedLimit: 20 });
  await zone(
    'Embankment',
    {
      type: 'LineString',
      coordinates: [
        [36.97, 54.995],
        [37, 54.994],
        [37.03, 54.997],
      ],
    },
    { width: 120 },
  );
  const vehicles: number[] = [];
  for (let vehicle = 0; vehicle < VEHICLES; vehicle++) {
    const { id } = await station.ask<{ id: number }>('POST', '/cars', {
      name: `Car ${vehicle}`,
      glonassId: 1000 + vehicle,
    });
    vehicles.push(id);
    await station.ask('POST', '/sensors', {
      carId: id,
      name: 'Ignition',
      type: 'ignition',
      input: { kind: 'input', index: 0 },
      validFrom: from,
    });
    if (vehicle % 4 === 0)
      await station.ask('POST', '/sensors', {
        carId: id,
        name: 'Tank',
        type: 'fuel',
        input: { kind: 'adc', index: 0 },
        calibration: [
          [0, 0],
          [1000, 100],
        ],
        validFrom: from,
      });
  }
  return vehicles;
}

function batchesOf<T>(records: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(records.length / BATCH) }, (_, i) => records.slice(i * BATCH, (i + 1) * BATCH));
}

/** Late, twice and broken ones among them, in the order in which they arrive. */
function asTheyArrive(records: readonly Arrival[], random: () => number): object[] {
  const arrivals = records.map((record) => ({
    record: record as object,
    at: record.time + (random() < LATE ? random() * 6 * HOUR : random() * 5_000),
  }));
  for (const record of records) {
    if (random() < TWICE) arrivals.push({ record, at: record.time + random() * 12 * HOUR });
    if (random() < BROKEN) arrivals.push({ record: broken(record, random), at: record.time });
  }
  return arrivals.sort((a, b) => a.at - b.at).map(({ record }) => record);
}

function broken(record: Arrival, random: () => number): object {
  const wrongs: object[] = [
    { lat: 'north' },
    { lat: 123 },
    { time: undefined },
    { time: -1 },
    { speed: -5 },
    { adc: 'none' },
    { params: { deep: { er: 1 } } },
  ];
  return { ...record, ...wrongs[Math.floor(random() * wrongs.length)] };
}

/**
 * Sends batches side by side; kills the station when so many are acknowledged and others under way. Gives
 * what was acknowledged.
 */
async function send(station: Served, batches: readonly object[][], killAfter = Infinity): Promise<Set<object[]>> {
  const acknowledged = new Set<object[]>();
  let next = 0;
  let killed: Promise<void> | undefined;
  const lane = async () => {
    while (next < batches.length) {
      const batch = batches[next++]!;
      try {
        await station.ask('POST', '/telemetry', batch);
      } catch (error) {
        if (killed) return;
        throw error;
      }
      acknowledged.add(batch);
      if (acknowledged.size >= killAfter) killed ??= end(station, 'SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await killed;
  return acknowledged;
}

/** Resolves when every record has its events, and the last silence is noticed. */
async function settled(station: Served): Promise<void> {
  for (;;) {
    const waiting = /^waypost_events_waiting (\d+)$/m.exec(await station.ask<string>('GET', '/metrics'))![1];
    const silent =
      waiting === '0'
        ? (await station.ask<{ dataTill: number | null }[]>('GET', '/events?types=2&limit=1000')).filter(
            ({ dataTill }) => dataTill === null,
          ).length
        : 0;
    if (silent === VEHICLES) return;
    await pause(250);
  }
}

async function eventsOf(station: Served): Promise<Map<number, object>> {
  const events = new Map<number, object>();
  for (let after = ''; ;) {
    const page = await station.ask<({ id: number; reason: string } & Record<string, unknown>)[]>(
      'GET',
      `/events?limit=1000${after}`,
    );
    for (const { reason: _why, ...event } of page) events.set(event.id, event);
    if (page.length < 1000) return events;
    after = `&after=${page.at(-1)!.id}`;
  }
}

async function missing(
  station: Served,
  vehicles: readonly number[],
  acknowledged: Iterable<object[]>,
  valid: ReadonlySet<object>,
): Promise<string[]> {
  const wanted = new Map<number, Set<number>>();
  for (const batch of acknowledged) {
    for (const record of batch) {
      if (!valid.has(record)) continue;
      const { glonassId, time } = record as Arrival;
      wanted.set(glonassId, (wanted.get(glonassId) ?? new Set()).add(time));
    }
  }
  const lost: string[] = [];
  for (const [glonassId, times] of wanted) {
    const track = await station.ask<{ time: number }[]>(
      'GET',
      `/cars/${vehicles[glonassId - 1000]}/track?from=0&till=${Date.now()}`,
    );
    const there = new Set(track.map(({ time }) => time));
    for (const time of times) if (!there.has(time)) lost.push(`${glonassId} at ${time}`);
  }
  return lost;
}

test(`a day of ${VEHICLES} vehicles with late, doubled and broken records and two kills gives the events of the clean day (WAYPOST_SEED=${SEED})`, async () => {
  const random = numbers(SEED);
  const latest = Math.max(...Array.from({ length: VEHICLES }, (_, vehicle) => dayOf(vehicle, 0).at(-1)!.time));
  const shift = Date.now() - 2 * HOUR - latest;
  const days = Array.from({ length: VEHICLES }, (_, vehicle) => dayOf(vehicle, shift));
  const inOrder = days.flat().sort((a, b) => a.time - b.time);
  const valid = new Set<object>(inOrder);
  const from = NOON + shift - 24 * HOUR;

  const clean = await start(directories[0]!);
  let stormy = await start(directories[1]!);
  const [, vehicles] = await Promise.all([furnish(clean, from), furnish(stormy, from)]);
  const cleanly = send(clean, batchesOf(inOrder)).then(() => settled(clean));

  const batches = batchesOf(asTheyArrive(inOrder, random));
  const acknowledged = new Set<object[]>();
  for (const kill of [1, 2]) {
    const left = batches.filter((batch) => !acknowledged.has(batch));
    for (const batch of await send(stormy, left, Math.floor((batches.length * kill) / 3) - acknowledged.size))
      acknowledged.add(batch);
    stormy = await start(directories[1]!);
    expect(await missing(stormy, vehicles, acknowledged, valid)).toEqual([]);
  }
  // What got no answer is sent again, as trackers do.
  for (const batch of await send(
    stormy,
    batches.filter((one) => !acknowledged.has(one)),
  ))
    acknowledged.add(batch);
  expect(acknowledged.size).toBe(batches.length);
  expect(await missing(stormy, vehicles, acknowledged, valid)).toEqual([]);

  await Promise.all([cleanly, settled(stormy)]);
  const [expected, found] = [await eventsOf(clean), await eventsOf(stormy)];
  expect(expected.size).toBeGreaterThan(VEHICLES * 20);
  expect([...found.keys()].filter((id) => !expected.has(id))).toEqual([]);
  expect([...expected.keys()].filter((id) => !found.has(id))).toEqual([]);
  for (const [id, event] of expected) expect(found.get(id)).toEqual(event);
  const wrong = new Set(
    batches
      .flat()
      .filter((record) => !valid.has(record))
      .map((record) => JSON.stringify(record)),
  );
  expect(wrong.size).toBeGreaterThan(100);
  expect((await stormy.ask<unknown[]>('GET', '/telemetry/quarantine?limit=1000')).length).toBe(
    Math.min(1000, wrong.size),
  );
}, 400_000);

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { TestStation } from '../harness/test-station.ts';
import { wialonRecord, WialonDevice, type DeviceRecord } from './wialon-device.ts';

/** ms of a device's clock between two records. */
export const STEP = 10_000;
/** ms: many records and processes share the machine with other tests. */
const PATIENCE = 120_000;
/** ms that a record may take while all devices are replayed. */
const A_RECORD = 200;

/** Drives for 40 records and stands for 25; two of twenty records change places, as after a gap in the network. */
export function stopAndGo(from: number, vehicle: number): (at: number) => DeviceRecord {
  return (sent) => {
    const at = sent % 20 === 5 ? sent + 10 : sent % 20 === 15 ? sent - 10 : sent;
    const phase = (at + 7 * vehicle) % 65;
    const driven = Math.floor((at + 7 * vehicle) / 65) * 40 + Math.min(phase, 40);
    return wialonRecord({ time: from + at * STEP, north: driven * 100, speed: phase < 40 ? 36 : 0 });
  };
}

export interface StoredEvent extends Readonly<Record<string, unknown>> {
  readonly vehicleId: number;
  readonly bySilence: boolean;
  readonly hlc: { readonly base: string };
}

export function storedEvents(station: TestStation, withSilence: boolean): StoredEvent[] {
  const sql = new DatabaseSync(join(station.directory, 'station.db'), { readOnly: true });
  try {
    return sql
      .prepare('SELECT data FROM "station.events.0" WHERE deleted = 0 ORDER BY key')
      .all()
      .map(({ data }) => JSON.parse(data as string) as StoredEvent)
      .filter(({ bySilence }) => withSilence || !bySilence);
  } finally {
    sql.close();
  }
}

/** What a station knows of an event that it lacks: who withdrew it, and when. */
function withdrawalOf(station: TestStation, key: string): unknown {
  const sql = new DatabaseSync(join(station.directory, 'station.db'), { readOnly: true });
  try {
    return sql.prepare('SELECT deleted, data FROM "station.events.0" WHERE key = ?').get(key);
  } finally {
    sql.close();
  }
}

/** The events of a station, without what says when and why they were stored. */
function eventsOf(station: TestStation, withSilence: boolean): string[] {
  return storedEvents(station, withSilence).map(({ hlc: _hlc, revisedAt: _revisedAt, reason: _reason, ...event }) =>
    JSON.stringify(event),
  );
}

/** What a station has less and more than one that had every record in order. */
export function differingEvents(station: TestStation, clean: TestStation, withSilence: boolean) {
  const [here, there] = [eventsOf(station, withSilence), eventsOf(clean, withSilence)];
  const [hereSet, thereSet] = [new Set(here), new Set(there)];
  return {
    missing: there
      .filter((event) => !hereSet.has(event))
      .map((event) => ({ event, here: withdrawalOf(station, (JSON.parse(event) as { key: string }).key) })),
    surplus: here.filter((event) => !thereSet.has(event)),
  };
}

/** Sends what a device got confirmed to a port of another station, in the order of its times. */
export async function replayInOrder(
  device: WialonDevice,
  record: (at: number) => DeviceRecord,
  port: number,
): Promise<void> {
  const sent = device.confirmed.map((time, at) => ({ time, line: record(at).line })).sort((a, b) => a.time - b.time);
  if (sent.length === 0) return;
  const replaying = new WialonDevice(device.imei, [port], (at) => sent[Math.min(at, sent.length - 1)]!, 0, 0);
  await expect
    .poll(() => replaying.confirmed.length, { interval: 20, timeout: PATIENCE + sent.length * A_RECORD })
    .toBeGreaterThanOrEqual(sent.length);
  await replaying.stop();
}

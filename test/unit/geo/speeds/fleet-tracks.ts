import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ZonedTime } from '../../../../shared/zoned-time.ts';
import { Learner, type TrackUpdate } from '../../../../server/geo/speeds/learner.ts';
import { openTelemetry, type Telemetry } from '../../../../server/tracking/telemetry/index.ts';
import type { Roads } from '../../../../server/geo/territory/roads/index.ts';
import { drive, type DriveHabits, type TrueDrive } from '../routing/drives.ts';

export const ZONE = new ZonedTime('Europe/Malta');

/** Positions as devices send them. */
export interface Sent {
  readonly vehicle: number;
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number;
  readonly direction: number;
}

/** A fleet whose positions go through the real telemetry into a real `tracks.db`, and a learner over them. */
export class FleetTracks {
  readonly directory = mkdtempSync(join(tmpdir(), 'waypost-speeds-'));
  readonly roads: Roads;
  readonly telemetry: Telemetry;
  readonly #heard = new Map<number, number>();
  now = Date.UTC(2026, 4, 18, 12);
  learner: Learner;
  /** Positions that were new. */
  accepted = 0;

  constructor(roads: Roads) {
    this.roads = roads;
    this.telemetry = openTelemetry({
      directory: this.directory,
      now: () => this.now,
      findVehicle: ({ glonassId }) => (glonassId === undefined ? undefined : { id: glonassId }),
      publish: () => {},
      tracksChanged: (spans) => {
        for (const { vehicleId, from } of spans)
          this.#heard.set(vehicleId, Math.min(from, this.#heard.get(vehicleId) ?? Infinity));
      },
    });
    mkdirSync(join(this.directory, 'territory'));
    this.settle(roads);
    this.learner = this.#start();
  }

  /** Puts roads where the learner reads them. */
  settle(roads: Roads): void {
    writeFileSync(join(this.directory, 'territory', 'roads.bin'), new Uint8Array(roads.buffer));
  }

  async send(positions: readonly Sent[]): Promise<void> {
    for (let i = 0; i < positions.length; i += 1000) {
      const { accepted } = await this.telemetry.ingest(
        positions.slice(i, i + 1000).map(({ vehicle, ...fix }) => ({ glonassId: vehicle, ...fix, gpsCount: 9 })),
        'test',
      );
      this.accepted += accepted;
    }
  }

  /** Looks through all that has come. */
  learn(): void {
    const heard = [...this.#heard].map(([vehicle, from]): TrackUpdate => ({ vehicle, from }));
    this.#heard.clear();
    for (const step of this.learner.learn(heard, this.now)) void step;
  }

  /** As if the process had ended, and begun again. */
  restart(): void {
    this.learner.close();
    this.learner = this.#start();
  }

  /** Every passage as it is stored. */
  passages(): { road: number; time: number; tenths: number }[] {
    const db = new DatabaseSync(join(this.directory, 'speeds.db'), { readOnly: true });
    const rows = db.prepare('SELECT road, time, tenths FROM passages ORDER BY road, time, tenths').all();
    db.close();
    return rows.map((row) => ({ ...row })) as never;
  }

  async close(): Promise<void> {
    this.learner.close();
    await this.telemetry.close();
    rmSync(this.directory, { recursive: true });
  }

  #start(): Learner {
    const learner = new Learner({
      tracks: join(this.directory, 'tracks.db'),
      book: join(this.directory, 'speeds.db'),
      zone: ZONE,
    });
    learner.open(join(this.directory, 'territory'));
    return learner;
  }
}

/** What a vehicle sends that drives so, and how it did. */
export function sentOn(
  roads: Roads,
  vehicle: number,
  arcs: readonly number[],
  random: () => number,
  habits: DriveHabits,
): { sent: Sent[]; truth: TrueDrive } {
  const truth = drive(roads, arcs, random, habits);
  const sent = truth.fixes.map(({ time, lat, lon, course }) => ({
    vehicle,
    time: Math.round(time),
    lat,
    lon,
    speed: 40,
    direction: course ?? 0,
  }));
  return { sent, truth };
}

/** It stands where it arrived, long enough to have parked. */
export function parked(last: Sent): Sent[] {
  return [10, 100, 200, 300].map((seconds) => ({ ...last, time: last.time + seconds * 1000, speed: 0 }));
}

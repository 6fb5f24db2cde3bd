import { join } from 'node:path';
import { TrackFile } from '../../../server/tracking/telemetry/tracks/index.ts';
import type { TestStation } from './test-station.ts';

/** A record of the device of vehicle 12, as `POST /telemetry` takes it. */
export interface Sent {
  readonly glonassId: number;
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number;
  readonly direction: number;
  readonly height: number;
  readonly gpsCount: number;
  readonly inputs: number;
  readonly adc: readonly number[];
  readonly params: Readonly<Record<string, number | string | boolean>>;
}

/** A drive: north for a while, a halt, on with turns; one position each `step` ms. */
export function drive(glonassId: number, from: number, count: number, step = 5_000): Sent[] {
  return Array.from({ length: count }, (_, at) => {
    const phase = at % 60;
    const stands = phase > 40;
    const run = Math.floor(at / 60) * 40 + Math.min(phase, 40);
    return {
      glonassId,
      time: from + at * step,
      lat: 35.8 + run * 0.0006,
      lon: 14.5 + Math.floor(run / 10) * 0.0008,
      speed: stands ? 0 : 48 + (at % 7),
      direction: run % 10 === 0 ? 90 : 0,
      height: 20,
      gpsCount: 9,
      inputs: stands ? 0 : 1,
      adc: [12.5 + (at % 3)],
      params: { hdop: 1, ...(at % 50 === 49 && { power_cut: true }) },
    };
  });
}

export async function send(station: TestStation, records: readonly Sent[]): Promise<void> {
  for (let at = 0; at < records.length; at += 500) await station.ask('POST', '/telemetry', records.slice(at, at + 500));
}

type Row = Readonly<Record<string, unknown>>;

/** All columns of a track as they are on disk. */
export function storedTrack(station: TestStation, vehicleId: number, from = 0): Row[] {
  const file = new TrackFile(join(station.directory, 'tracks.db'));
  try {
    return [...file.pages(vehicleId, from, Number.MAX_SAFE_INTEGER)].flat().map((point) => ({ ...point }));
  } finally {
    file.close();
  }
}

/** The number of points and the sum of their times: enough to wait for. */
export function trackLength(station: TestStation, vehicleId: number): unknown {
  const track = storedTrack(station, vehicleId);
  return { points: track.length, times: track.reduce((sum, { time }) => sum + Number(time), 0) };
}

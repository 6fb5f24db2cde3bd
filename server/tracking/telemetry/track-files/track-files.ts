import type { Vehicle } from '../../../../shared/records/index.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import { WorkerClient } from '../../../platform/threads/worker-client.ts';
import type { Sender } from '../quarantine/quarantine-quota.ts';
import type { IngestResult } from '../ingest/ingest-result.ts';
import type { ValidRecord } from '../records/fix.ts';
import { NUMBERS_OF_POINT } from './read-track-file.ts';

/** Records stored in one step: about a millisecond of the event loop. */
const STEP = 500;
const HANG = 60_000;

/** Outcome for the points of a file. */
export interface TakenTrack {
  readonly points: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly quarantined: number;
}

type IngestPoints = (vehicleId: number, records: readonly ValidRecord[], sender: Sender) => Promise<IngestResult>;

/** Takes in tracks from files. */
export class TrackFiles {
  readonly #thread: WorkerClient<Uint8Array>;
  readonly #ingest: IngestPoints;

  constructor(ingest: IngestPoints, warn?: (message: string) => void) {
    this.#ingest = ingest;
    this.#thread = new WorkerClient({
      script: siblingUrl(import.meta.url, './track-file.worker'),
      name: 'The reader of tracks',
      maxWaiting: 4,
      hangTimeout: HANG,
      warn,
    });
  }

  /** Resolves when every point is on disk. A file that is taken in twice adds nothing. */
  async take(vehicle: Pick<Vehicle, 'id' | 'glonassId'>, bytes: Uint8Array, sender: Sender): Promise<TakenTrack> {
    const { id, glonassId } = vehicle;
    const points = await this.#thread.request<Float64Array>(bytes);
    const counts = { points: points.length / NUMBERS_OF_POINT, accepted: 0, duplicates: 0, quarantined: 0 };
    for (let first = 0; first < points.length; first += STEP * NUMBERS_OF_POINT) {
      const records = recordsOf(points.subarray(first, first + STEP * NUMBERS_OF_POINT), glonassId);
      const taken = await this.#ingest(id, records, sender);
      counts.accepted += taken.accepted;
      counts.duplicates += taken.duplicates;
      counts.quarantined += taken.quarantined.length;
    }
    return counts;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

function recordsOf(points: Float64Array, glonassId: number): ValidRecord[] {
  const records: ValidRecord[] = [];
  for (let at = 0; at < points.length; at += NUMBERS_OF_POINT) {
    const [time, lat, lon, speed, direction, height] = points.subarray(at, at + NUMBERS_OF_POINT);
    records.push({
      ...{ glonassId, time: time!, lat: lat!, lon: lon! },
      ...(speed! >= 0 && { speed: Math.round(speed! * 1000) / 1000 }),
      ...(Number.isFinite(direction) && { direction: direction! }),
      ...(Number.isFinite(height) && { height: height! }),
    });
  }
  return records;
}

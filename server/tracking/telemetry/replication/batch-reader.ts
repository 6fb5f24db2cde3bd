import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { LastState } from '../../../../shared/fleet/last-state.ts';
import { storedState } from '../tracks/packed-states.ts';
import type { Sums } from '../tracks/state.ts';
import { PointReader } from '../tracks/point-reader.ts';
import { LAST_BELIEVED, WHOLE_POINTS } from '../months/point-selection.ts';
import type { StoredPoint } from '../tracks/stored-point.ts';
import { packPoints } from './packed-points.ts';
import { spansSince, type Spans } from './spans.ts';
import { storedSpans, type TrackChunk } from './unsent-points.ts';

/** A vehicle whose track is sent, from a time on (epoch ms). */
export interface SentVehicle {
  readonly id: number;
  readonly since: number;
}

/** Sums of a vehicle's drives up to its last plausible point. */
export type SumsAt = { readonly vehicleId: number; readonly time: number } & Sums;

export type BatchQuestion =
  | { readonly kind: 'batch'; readonly link: number; readonly vehicles: readonly SentVehicle[] }
  | { readonly kind: 'count'; readonly link: number; readonly vehicles: readonly SentVehicle[] };

/** Unsent parts of tracks, and their content. */
export interface ReadBatch {
  readonly chunks: readonly TrackChunk[];
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of vehicles that have nothing left to send after this batch. */
  readonly sums: readonly SumsAt[];
  /** Vehicles of which more is unsent. */
  readonly unfinished: readonly number[];
}

/** Points of a batch, and of one vehicle in it, so that a long track holds up no other. */
const MOST_POINTS = 2_000;
const MOST_OF_ONE = 500;
/** Characters of readings, after which no further vehicle joins the batch. */
const MOST_TEXT = 200_000;
/** The highest number of points that is counted; a larger one is reported as this. */
const MOST_COUNTED = 1_000_000;

/** Reads unsent points of tracks on its own connection, for the thread that sends them. */
export class BatchReader {
  readonly #db: DatabaseSync;
  readonly #unsent: StatementSync;
  readonly #reader: PointReader;
  readonly #state: StatementSync;

  constructor(file: string) {
    this.#db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    this.#db.exec('PRAGMA query_only=1; PRAGMA cache_size=-8000');
    this.#unsent = this.#db.prepare('SELECT spans FROM track_unsent WHERE link=? AND vehicle=?');
    this.#reader = new PointReader(this.#db, file, { mayWait: true });
    this.#state = this.#db.prepare('SELECT state FROM states WHERE vehicle=?');
  }

  answer(question: BatchQuestion): ReadBatch | number {
    // One snapshot: the sums are those after the points.
    this.#db.exec('BEGIN');
    try {
      return question.kind === 'count' ? this.#waiting(question) : this.#read(question);
    } finally {
      this.#db.exec('COMMIT');
    }
  }

  close(): void {
    this.#reader.close();
    this.#db.close();
  }

  #read({ link, vehicles }: BatchQuestion): ReadBatch {
    const chunks: TrackChunk[] = [];
    const points: StoredPoint[] = [];
    const sums: SumsAt[] = [];
    const unfinished: number[] = [];
    let characters = 0;
    for (const vehicle of vehicles) {
      let room = characters >= MOST_TEXT ? 0 : Math.min(MOST_OF_ONE, MOST_POINTS - points.length);
      let isDone = true;
      const spans = this.#spans(link, vehicle);
      for (let at = 0; at < spans.length && isDone; at += 2) {
        const [from, until] = [spans[at]!, spans[at + 1]!];
        const page: StoredPoint[] = this.#reader.read(vehicle.id, WHOLE_POINTS, { from, until, limit: room + 1 });
        isDone = page.length <= room;
        if (!isDone) page.pop();
        room -= page.length;
        for (const point of page) {
          characters += point.extra.length;
          points.push(point);
        }
        const isOpen = until === Number.MAX_SAFE_INTEGER;
        const last = isDone && !isOpen ? until : page.at(-1)?.time;
        if (last !== undefined) chunks.push({ vehicleId: vehicle.id, from, until: last, count: page.length });
      }
      const state = isDone ? this.#stateOf(vehicle.id) : undefined;
      if (!isDone) unfinished.push(vehicle.id);
      else if (state && state.time > 0 && chunks.at(-1)?.vehicleId === vehicle.id) {
        const { time, odometer, engineStop, engineMove } = state;
        sums.push({ vehicleId: vehicle.id, time, odometer, engineStop, engineMove });
      }
    }
    return { chunks, bytes: packPoints(points), sums, unfinished };
  }

  #waiting({ link, vehicles }: BatchQuestion): number {
    let left = MOST_COUNTED;
    for (const vehicle of vehicles) {
      const spans = this.#spans(link, vehicle);
      for (let at = 0; at < spans.length && left > 0; at += 2)
        left -= this.#reader.count(vehicle.id, spans[at]!, spans[at + 1]!, left);
    }
    return MOST_COUNTED - left;
  }

  /**
   * The unsent spans from `since` on. The plausible point before it comes along: it decides about the first jump,
   * the first speed and places that are missing.
   */
  #spans(link: number, { id, since }: SentVehicle): Spans {
    const spans = storedSpans(this.#unsent.get(link, id));
    if (since <= 0) return spans;
    const [anchor] = this.#reader.read(id, LAST_BELIEVED, { until: since - 1, limit: 1 });
    return spansSince(spans, anchor?.time ?? since);
  }

  #stateOf(vehicleId: number): LastState | undefined {
    const row = this.#state.get(vehicleId);
    return row && storedState(row['state'] as Uint8Array | string);
  }
}

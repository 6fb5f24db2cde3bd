import { randomInt } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ALWAYS, hasTime, withoutSpan, withSpans, withTime, type Spans } from './spans.ts';

/** A part of a track: all of its points between two times, both inclusive. */
export interface TrackChunk {
  readonly vehicleId: number;
  readonly from: number;
  readonly until: number;
  readonly count: number;
}

/** A batch on its way to another station. */
interface Sending {
  readonly token: number;
  /** Times of points that were stored since the batch was begun, by vehicle. */
  readonly added: Map<number, Spans>;
}

/**
 * Points that other stations have not confirmed: for each link and vehicle, spans of time. A vehicle without
 * a row was never sent, so all of it is unsent. The open end of the last span holds all live points, so only
 * late points change a row. The writer of tracks calls it within its transactions.
 */
export class UnsentPoints {
  readonly #db: DatabaseSync;
  readonly #one: StatementSync;
  readonly #save: StatementSync;
  readonly #readers = new Map<number, string>();
  readonly #known = new Map<number, Map<number, Spans>>();
  readonly #changed = new Map<number, Set<number>>();
  readonly #sendings = new Map<number, Sending>();
  /** Of this thread: sends that an earlier thread began are not confirmed to this one. */
  #lastToken = randomInt(2 ** 40);

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#one = db.prepare('SELECT spans FROM track_unsent WHERE link=? AND vehicle=?');
    this.#save = db.prepare('INSERT OR REPLACE INTO track_unsent (link, vehicle, spans) VALUES (?,?,?)');
    this.restore();
  }

  /** Reads what is on disk: at a start, or after a rollback. */
  restore(): void {
    this.#readers.clear();
    this.#known.clear();
    this.#changed.clear();
    for (const { link, name } of this.#db.prepare('SELECT link, name FROM track_readers').all())
      this.#readers.set(link as number, name as string);
  }

  /** Another store of tracks behind the link has nothing that the earlier one confirmed. */
  setReader(link: number, name: string): void {
    if (this.#readers.get(link) === name) return;
    this.#removeReader(link);
    this.#db.prepare('INSERT INTO track_readers (link, name) VALUES (?,?)').run(link, name);
    this.#readers.set(link, name);
  }

  /** All other links are gone. */
  keepReaders(links: readonly number[]): void {
    for (const link of [...this.#readers.keys()]) if (!links.includes(link)) this.#removeReader(link);
  }

  #removeReader(link: number): void {
    this.#db.prepare('DELETE FROM track_readers WHERE link=?').run(link);
    this.#db.prepare('DELETE FROM track_unsent WHERE link=?').run(link);
    this.#readers.delete(link);
    for (const maps of [this.#known, this.#changed, this.#sendings]) maps.delete(link);
  }

  /** A batch with points of these vehicles is about to be read. Returns its token. */
  begin(link: number, vehicleIds: readonly number[]): number {
    const token = ++this.#lastToken;
    this.#sendings.set(link, { token, added: new Map(vehicleIds.map((id) => [id, []])) });
    return token;
  }

  /**
   * A point was stored.
   * @param from the link that brought it, or undefined
   */
  added(vehicleId: number, time: number, from: number | undefined): void {
    for (const link of this.#readers.keys()) {
      if (link === from) continue;
      const added = this.#sendings.get(link)?.added;
      const since = added?.get(vehicleId);
      if (since) added!.set(vehicleId, withTime(since, time));
      const spans = this.#spans(link, vehicleId);
      if (!hasTime(spans, time)) this.#set(link, vehicleId, withTime(spans, time));
    }
  }

  /** The other station has stored these parts. False when the batch is not the one that was begun last. */
  sent(link: number, token: number, chunks: readonly TrackChunk[]): boolean {
    const sending = this.#sendings.get(link);
    if (sending?.token !== token) return false;
    this.#sendings.delete(link);
    for (const { vehicleId, from, until } of chunks) {
      const left = withoutSpan(this.#spans(link, vehicleId), from, until);
      this.#set(link, vehicleId, withSpans(left, sending.added.get(vehicleId) ?? ALWAYS));
    }
    return true;
  }

  /** Both stations have the same points in this part. */
  isEqual(link: number, { vehicleId, from, until }: TrackChunk): void {
    if (this.#readers.has(link)) this.#set(link, vehicleId, withoutSpan(this.#spans(link, vehicleId), from, until));
  }

  /** Writes what changed. */
  flush(): void {
    for (const [link, vehicleIds] of this.#changed)
      for (const id of vehicleIds) this.#save.run(link, id, JSON.stringify(this.#spans(link, id)));
    this.#changed.clear();
  }

  #spans(link: number, vehicleId: number): Spans {
    let known = this.#known.get(link);
    if (!known) this.#known.set(link, (known = new Map()));
    let spans = known.get(vehicleId);
    if (!spans) known.set(vehicleId, (spans = storedSpans(this.#one.get(link, vehicleId))));
    return spans;
  }

  #set(link: number, vehicleId: number, spans: Spans): void {
    this.#known.get(link)!.set(vehicleId, spans);
    const changed = this.#changed.get(link);
    if (changed) changed.add(vehicleId);
    else this.#changed.set(link, new Set([vehicleId]));
  }
}

/** The spans of a row of `track_unsent`. */
export function storedSpans(row: Record<string, unknown> | undefined): Spans {
  return row ? (JSON.parse(row['spans'] as string) as number[]) : ALWAYS;
}

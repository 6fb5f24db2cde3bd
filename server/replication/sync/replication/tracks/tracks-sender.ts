import { z } from 'zod';
import type { ChannelAnswer, Channel } from '../../types.ts';
import { tracksSince } from './tracks-limit.ts';
import type { CarriedVehicle, TrackChunk, TrackPart, TracksRoom } from './tracks-room.ts';

export interface TracksSenderOptions {
  readonly channel: Channel;
  readonly tracks: TracksRoom;
  /** Whether the link carries the track of a vehicle. */
  carries(vehicleId: number): boolean;
  now(): number;
}

/** Request of the other station: the store that reads, and how much it has stored of the last batch. */
export interface TracksRequest {
  readonly reader: string;
  readonly stored: { readonly token: number; readonly skipped: readonly number[] } | null;
}

/** The next parts of tracks; `token` is null when nothing is unsent. */
export interface TracksAnswer extends Omit<TrackPart, 'bytes'> {
  readonly token: number | null;
  /** Points that wait here, this batch included. */
  readonly waiting: number;
}

const RequestShape = z.object({
  reader: z.string().min(1).max(100),
  stored: z.object({ token: z.int(), skipped: z.array(z.int()).max(10_000) }).nullable(),
});

/** Vehicles of one batch. */
const AT_ONCE = 200;
/** ms between two counts of unsent points. */
const COUNT_EVERY = 10_000;
/** ms until vehicles that the other station did not know are sent again. */
const SKIPPED_FOR = 15_000;

/**
 * Gives the other station of a connection the points of tracks that it does not have, one batch at a time,
 * when it asks. What it has stored is noted on disk, so the next connection continues from there.
 */
export class TracksSender {
  readonly #options: TracksSenderOptions;
  /** Vehicles that may have unsent points, those that wait longest first. */
  readonly #pending = new Set<number>();
  #reader: string | undefined;
  #sent: { readonly token: number; readonly chunks: readonly TrackChunk[] } | undefined;
  /** The other station knows that nothing is pending. */
  #isAwaited = false;
  #waiting = 0;
  #countedAt = -Infinity;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #stops: (() => void)[];
  #closed = false;

  constructor(options: TracksSenderOptions) {
    this.#options = options;
    const { channel, tracks } = options;
    channel.handle('tracks', (body) => this.#answer(body));
    this.#stops = [
      tracks.watch((vehicleIds, link) => {
        if (link !== channel.link.id) this.#add(vehicleIds);
      }),
      channel.link.onSettings(() => this.refill()),
    ];
    this.refill();
  }

  /** Call it when the scope of the link may have changed. */
  refill(): void {
    this.#countedAt = -Infinity;
    this.#add(this.#options.tracks.vehicles());
  }

  close(): void {
    this.#closed = true;
    for (const stop of this.#stops) stop();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #add(vehicleIds: Iterable<number>): void {
    for (const id of vehicleIds) this.#pending.add(id);
    if (!this.#isAwaited || this.#pending.size === 0) return;
    this.#isAwaited = false;
    this.#options.channel.notify('tracks.more', {});
  }

  async #answer(body: unknown): Promise<ChannelAnswer<TracksAnswer>> {
    const { reader, stored } = RequestShape.parse(body);
    const { channel, tracks, now } = this.#options;
    const link = channel.link.id;
    if (this.#reader !== reader) {
      await tracks.setReader(link, reader);
      this.#reader = reader;
      this.refill();
    }
    if (stored) await this.#confirm(stored.token, new Set(stored.skipped));
    else this.#giveUp();
    const since = tracksSince(channel.link, now());
    while (since !== undefined && this.#pending.size > 0 && !this.#closed) {
      const vehicles = this.#nextVehicles(since);
      const { token, chunks, sums, bytes, unfinished } = await tracks.read(link, vehicles).catch((error: unknown) => {
        for (const { id } of vehicles) this.#pending.add(id);
        throw error;
      });
      for (const id of unfinished) this.#pending.add(id);
      if (chunks.length === 0) continue;
      this.#sent = { token, chunks };
      const points = chunks.reduce((sum, { count }) => sum + count, 0);
      const waiting = points + (await this.#count(since, points));
      channel.link.report({ tracksOut: waiting });
      return { body: { token, chunks, sums, waiting }, bytes: Buffer.from(bytes.buffer) };
    }
    this.#isAwaited = true;
    channel.link.report({ tracksOut: 0 });
    return { body: { token: null, chunks: [], sums: [], waiting: 0 } };
  }

  #nextVehicles(since: number): CarriedVehicle[] {
    const vehicles: CarriedVehicle[] = [];
    for (const id of this.#pending) {
      this.#pending.delete(id);
      if (this.#options.carries(id)) vehicles.push({ id, since });
      if (vehicles.length >= AT_ONCE) break;
    }
    return vehicles;
  }

  async #confirm(token: number, skipped: ReadonlySet<number>): Promise<void> {
    const sent = this.#sent;
    if (sent?.token !== token) return this.#giveUp();
    const { channel, tracks } = this.#options;
    const chunks = sent.chunks.filter(({ vehicleId }) => !skipped.has(vehicleId));
    if (!(await tracks.confirm(channel.link.id, token, chunks))) return this.#giveUp();
    this.#sent = undefined;
    if (skipped.size === 0) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#add(skipped);
    }, SKIPPED_FOR);
    timer.unref();
    this.#timers.add(timer);
  }

  /** The last batch is not there: its vehicles are read again. */
  #giveUp(): void {
    for (const { vehicleId } of this.#sent?.chunks ?? []) this.#pending.add(vehicleId);
    this.#sent = undefined;
  }

  /** Counts the points that wait besides the last batch. Runs now and then: a long backlog has millions. */
  async #count(since: number, read: number): Promise<number> {
    const { channel, tracks, carries } = this.#options;
    if (this.#pending.size === 0) return (this.#waiting = 0);
    this.#waiting = Math.max(0, this.#waiting - read);
    if (performance.now() - this.#countedAt < COUNT_EVERY) return this.#waiting;
    this.#countedAt = performance.now();
    const vehicles = [...this.#pending].filter((id) => carries(id)).map((id) => ({ id, since }));
    const counted = await tracks.count(channel.link.id, vehicles);
    const inBatch = this.#sent!.chunks.reduce(
      (sum, { vehicleId, count }) => sum + (this.#pending.has(vehicleId) ? count : 0),
      0,
    );
    return (this.#waiting = Math.max(0, counted - inBatch));
  }
}

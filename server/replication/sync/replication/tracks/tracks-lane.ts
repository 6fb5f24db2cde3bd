import { z } from 'zod';
import { Refusal } from '../../../../../shared/refusal.ts';
import type { Channel } from '../../types.ts';
import { tracksSince } from './tracks-limit.ts';
import { TracksSender, type TracksAnswer, type TracksRequest } from './tracks-sender.ts';
import type { TrackPart, TracksRoom } from './tracks-room.ts';

export interface TracksLaneOptions {
  readonly channel: Channel;
  readonly tracks: TracksRoom;
  /** Names the data of this station: it changes with a restored backup. */
  epoch(): string;
  carries(vehicleId: number): boolean;
  /** Whether this station has the record of a vehicle. */
  knows(vehicleId: number): boolean;
  /** Records go first: tracks wait while this is false. */
  isQuiet(): boolean;
  now(): number;
  warn(message: string): void;
}

/** ms between two rounds when nothing waits, so that points of a driving fleet travel in batches. */
const EVERY = 1_000;
/** ms until a failed request is repeated, and until it is looked whether records still come in pages. */
const RETRY = 5_000;
const LOOK_AGAIN = 250;

const id = z.int().min(0);
const amount = z.number().min(0);
const AnswerShape = z.object({
  token: z.int().nullable(),
  waiting: z.int().min(0),
  chunks: z.array(z.object({ vehicleId: id, from: id, until: id, count: z.int().min(0).max(100_000) })).max(10_000),
  sums: z
    .array(z.object({ vehicleId: id, time: id, odometer: amount, engineStop: amount, engineMove: amount }))
    .max(10_000),
});

/**
 * Tracks of vehicles over one connection, in both directions. Each station asks for one batch after the other and
 * confirms it when it is on disk.
 */
export class TracksLane {
  readonly #options: TracksLaneOptions;
  readonly #sender: TracksSender;
  readonly #stops: (() => void)[];
  #stored: TracksRequest['stored'] = null;
  #running: Promise<void> | undefined;
  #begun = false;
  #wake: (() => void) | undefined;
  #isMoreTold = false;
  #closed = false;

  constructor(options: TracksLaneOptions) {
    this.#options = options;
    const { channel } = options;
    this.#sender = new TracksSender(options);
    channel.onNotify('tracks.more', () => this.#ask());
    this.#stops = [channel.link.onSettings(() => this.#ask())];
  }

  /** This station has the vehicles. */
  begin(): void {
    this.#begun = true;
    this.#ask();
  }

  /** Call it when the scope of the link may have changed. */
  refill(): void {
    this.#sender.refill();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wake?.();
    for (const stop of this.#stops) stop();
    this.#sender.close();
    await this.#running;
  }

  get #isWanted(): boolean {
    const { channel, now } = this.#options;
    return !this.#closed && !channel.link.settings.readOnly && tracksSince(channel.link, now()) !== undefined;
  }

  #ask(): void {
    this.#isMoreTold = true;
    if (!this.#begun || this.#running || !this.#isWanted) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isMoreTold) this.#ask();
    });
  }

  /** Asks until nothing waits at the other station. */
  async #run(): Promise<void> {
    const { channel, isQuiet } = this.#options;
    this.#isMoreTold = false;
    while (this.#isWanted) {
      if (!isQuiet()) {
        await this.#pause(LOOK_AGAIN);
        continue;
      }
      try {
        if (!(await this.#round())) break;
      } catch (error) {
        this.#stored = null;
        if (this.#closed) return;
        channel.link.report({ error: `Tracks could not be read: ${(error as Error).message}` });
        if (!(error instanceof Refusal)) this.#options.warn(`Tracks could not be read: ${(error as Error).message}`);
        await this.#pause(RETRY);
      }
    }
    await this.#pause(EVERY);
  }

  /** False when nothing waits. */
  async #round(): Promise<boolean> {
    const { channel, tracks, epoch } = this.#options;
    const request: TracksRequest = { reader: `${tracks.name}/${epoch()}`, stored: this.#stored };
    const { body, bytes } = await channel.request<TracksAnswer>('tracks', request);
    this.#stored = null;
    const { token, waiting, ...part } = AnswerShape.parse(body);
    if (token === null) {
      channel.link.report({ tracksIn: 0 });
      return false;
    }
    channel.link.report({ tracksIn: waiting });
    this.#stored = { token, skipped: await this.#take({ ...part, bytes: bytes ?? new Uint8Array() }) };
    return true;
  }

  /** Resolves when the points are on disk, with the vehicles that were left out. */
  async #take(part: TrackPart): Promise<number[]> {
    const { channel, tracks, carries, knows, warn } = this.#options;
    const told = new Set(part.chunks.map(({ vehicleId }) => vehicleId));
    const taken = [...told].filter((vehicleId) => knows(vehicleId) && carries(vehicleId));
    if (taken.length > 0) {
      const { refused, conflicts } = await tracks.take(channel.link.id, part, taken);
      const { name } = channel.peer;
      if (refused > 0) warn(`${name} sent ${refused} points of tracks that no station stores. They are left out.`);
      if (conflicts > 0)
        warn(`${name} has ${conflicts} points of tracks with another content than those of the same time here.`);
    }
    return [...told].filter((vehicleId) => !taken.includes(vehicleId));
  }

  /** Ends early when the lane is closed. */
  #pause(ms: number): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

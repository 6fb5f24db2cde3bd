import { z } from 'zod';
import type { LastState } from '../../../../shared/fleet/last-state.ts';
import { VehicleState } from '../../../../shared/records/index.ts';
import type { Channel } from '../types.ts';

/** The part of `Fleet.states` that the lane needs. */
export interface LastStatesRoom {
  all(): Iterable<LastState>;
  get(vehicleId: number): LastState | undefined;
  takeFromPeer(states: readonly LastState[]): void;
  watch(listener: (changed: readonly LastState[]) => void): () => void;
}

export interface StatesLaneOptions {
  readonly channel: Channel;
  readonly states: LastStatesRoom;
  /** Whether the link carries the state of a vehicle. */
  carries(vehicleId: number): boolean;
  now(): number;
}

const AT_ONCE = 300;
/** ms between two rounds of telling. */
const EVERY = 500;
/** ms that the time of a state may be ahead of the clock. */
const MAX_AHEAD = 86_400_000;

const State = VehicleState.omit({ key: true, hlc: true });
const StatesShape = z.object({ states: z.array(State).max(1000) });

/**
 * Last states of vehicles over one connection: each vehicle's latest, at most one round in half a second,
 * only changed ones that the other station does not know. It begins when the other station has the vehicles.
 */
export class StatesLane {
  readonly #options: StatesLaneOptions;
  readonly #dirty = new Set<number>();
  /** Versions that the other station sent last: they are not sent back to it. */
  readonly #theirs = new Map<number, string>();
  #telling = false;
  #timer: NodeJS.Timeout | undefined;
  #lastRound = -Infinity;
  #wanted = false;
  #closed = false;
  readonly #stopWatching: () => void;

  constructor(options: StatesLaneOptions) {
    this.#options = options;
    const { channel, states } = options;
    channel.handle('states', (body) => {
      this.#take(body);
      return { body: {} };
    });
    channel.onNotify('states.begin', () => {
      this.#wanted = true;
      for (const { id } of states.all()) this.#dirty.add(id);
      this.#schedule();
    });
    this.#stopWatching = states.watch((changed) => {
      for (const { id } of changed) this.#dirty.add(id);
      this.#schedule();
    });
  }

  /** This station has the vehicles: the other one may begin. */
  begin(): void {
    this.#options.channel.notify('states.begin', {});
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#stopWatching();
  }

  #schedule(): void {
    if (this.#closed || !this.#wanted || this.#telling || this.#timer || this.#dirty.size === 0) return;
    this.#timer = setTimeout(() => void this.#round(), Math.max(0, this.#lastRound + EVERY - performance.now()));
    this.#timer.unref();
  }

  async #round(): Promise<void> {
    this.#timer = undefined;
    this.#lastRound = performance.now();
    this.#telling = true;
    const { channel, states, carries } = this.#options;
    const ids = [...this.#dirty];
    this.#dirty.clear();
    try {
      for (let at = 0; at < ids.length && !this.#closed; at += AT_ONCE) {
        const told = ids.slice(at, at + AT_ONCE).flatMap((id) => {
          const state = states.get(id);
          return state && carries(id) && this.#theirs.get(id) !== versionOf(state) ? [state] : [];
        });
        // The answer confirms the arrival, so that a slow link is not filled with outdated states.
        if (told.length > 0) await channel.request('states', { states: told }, { urgent: true });
        else await new Promise((resolve) => setImmediate(resolve));
      }
    } catch {
      for (const id of ids) this.#dirty.add(id);
      this.#lastRound = performance.now();
    } finally {
      this.#telling = false;
      this.#schedule();
    }
  }

  #take(body: unknown): void {
    const { states, carries, now, channel } = this.#options;
    if (channel.link.settings.readOnly) return;
    const latest = now() + MAX_AHEAD;
    const taken = StatesShape.parse(body).states.filter(
      ({ id, time, unitStatusSince }) => carries(id) && time <= latest && unitStatusSince <= latest,
    );
    for (const state of taken) this.#theirs.set(state.id, versionOf(state));
    states.takeFromPeer(taken);
  }
}

function versionOf({ time, storedAt, unitStatus, unitStatusSince }: LastState): string {
  return `${time} ${storedAt} ${unitStatus} ${unitStatusSince}`;
}

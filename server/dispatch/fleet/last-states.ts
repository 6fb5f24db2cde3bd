import { mergeStates, unknownState, withFixOf, type LastState } from '../../../shared/fleet/last-state.ts';
import type { VehicleState } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { Emitter } from '../../platform/emitter.ts';
import type { Records } from '../../store/types.ts';

export interface LastStatesOptions {
  /** Milliseconds between two rounds of saving. */
  every?: number;
  /** The most states saved in one round. */
  perRound?: number;
  log?(level: 'ERROR', message: string): void;
}

/**
 * The last state of every vehicle. While the station runs, memory is authoritative.
 *
 * Positions are in `tracks.db` before they arrive here. The collection serves linked stations and follows
 * at its own pace, longest-waiting vehicle first: with 5,000 vehicles at one fix a second, a write per fix
 * would take a core. A crew status set by a dispatcher exists only in the collection, so it is saved before
 * the answer.
 */
export class LastStates {
  readonly #records: Records<VehicleState>;
  readonly #states = new Map<number, LastState>();
  /** As telemetry last reported them. */
  readonly #reported = new Map<number, LastState>();
  /** Times of fixes that telemetry took back, for vehicles not saved since. */
  readonly #takenBack = new Map<number, number>();
  readonly #unsaved = new Set<number>();
  readonly #emitter = new Emitter<[changed: readonly LastState[]]>();
  readonly #perRound: number;
  readonly #log: LastStatesOptions['log'];
  readonly #timer: NodeJS.Timeout;
  readonly #stopWatching: () => void;
  #saving: Promise<void> = Promise.resolve();

  constructor(records: Records<VehicleState>, { every = 1000, perRound = 200, log }: LastStatesOptions = {}) {
    this.#records = records;
    this.#perRound = perRound;
    this.#log = log;
    for (const record of records.all()) this.#states.set(record.id, stateOf(record));
    this.#stopWatching = records.watch((changes) =>
      this.#learn(changes.filter((change) => !change.deleted).map((change) => stateOf(change.record))),
    );
    this.#timer = setInterval(() => this.#saveRound(), every);
    this.#timer.unref();
  }

  /** Undefined: the vehicle never sent a record. */
  get(vehicleId: number): LastState | undefined {
    return this.#states.get(vehicleId);
  }

  /**
   * States from telemetry. An older state changes nothing, unless telemetry reported the current one: a late
   * record may show that the vehicle was never there.
   */
  take(states: readonly LastState[]): void {
    const changed = this.#learn(states, (known, state) => {
      const reported = this.#reported.get(state.id);
      const isOfNow = reported !== undefined && known.time === reported.time && known.storedAt === reported.storedAt;
      return isOfNow && state.time < reported.time && state.storedAt > reported.storedAt;
    });
    for (const state of states) this.#reported.set(state.id, state);
    for (const { id } of changed) this.#unsaved.add(id);
  }

  /** States from a linked station: the later one wins, as in any merge. */
  takeFromPeer(states: readonly LastState[]): void {
    for (const { id } of this.#learn(states)) this.#unsaved.add(id);
  }

  all(): IterableIterator<LastState> {
    return this.#states.values();
  }

  /** Resolves when the status is on disk. */
  async setUnitStatus(vehicleId: number, status: number, now: number): Promise<LastState> {
    const known = this.#states.get(vehicleId) ?? unknownState(vehicleId);
    // Two changes in one millisecond need different times, or a merge would lose the later one.
    const next: LastState = { ...known, unitStatus: status, unitStatusSince: Math.max(now, known.unitStatusSince + 1) };
    this.#learn([next]);
    await this.#save(next);
    return this.#states.get(vehicleId)!;
  }

  /** Called at once with every change, several per call. Returns the unsubscription. */
  watch(listener: (changed: readonly LastState[]) => void): () => void {
    return this.#emitter.on(listener);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopWatching();
    this.#emitter.clear();
    await this.#saving;
    while (this.#unsaved.size > 0) await this.#saveSome(1000);
  }

  #learn(
    states: readonly LastState[],
    takesBack: (known: LastState, state: LastState) => boolean = () => false,
  ): LastState[] {
    const changed: LastState[] = [];
    for (const state of states) {
      const known = this.#states.get(state.id);
      const isBack = known !== undefined && takesBack(known, state);
      if (isBack) this.#takenBack.set(state.id, known.time);
      const merged = !known ? state : isBack ? withFixOf(known, state) : mergeStates(known, state);
      if (merged === known) continue;
      this.#states.set(state.id, merged);
      changed.push(merged);
    }
    if (changed.length > 0) this.#emitter.emit(changed);
    return changed;
  }

  #saveRound(): void {
    this.#saving = this.#saving
      .then(() => this.#saveSome(this.#perRound))
      .catch((error: unknown) => this.#log?.('ERROR', `Last states were not saved: ${String(error)}`));
  }

  async #saveSome(count: number): Promise<void> {
    const ids = [...this.#unsaved].slice(0, count); // a Set keeps insertion order
    for (const id of ids) this.#unsaved.delete(id);
    await Promise.all(ids.map((id) => this.#save(this.#states.get(id)!)));
  }

  async #save(state: LastState): Promise<void> {
    const takenBack = this.#takenBack.get(state.id);
    this.#takenBack.delete(state.id);
    if (!this.#records.get(state.id)) {
      try {
        await this.#records.insert(state);
        return;
      } catch (error) {
        // Another insert was faster, perhaps of a linked station. It may not be committed yet, so it is not read here.
        if (!(error instanceof Refusal && error.code === 'record.exists')) throw error;
      }
    }
    await this.#records.change(state.id, (record) => {
      const saved = stateOf(record);
      const merged = saved.time === takenBack ? withFixOf(saved, state) : mergeStates(saved, state);
      return merged === saved ? record : { ...record, ...merged };
    });
  }
}

function stateOf({ hlc: _hlc, key: _key, ...state }: VehicleState): LastState {
  return state;
}

import { isStamp, MAX_AHEAD, millisecondsOf } from '../../../shared/merge/stamps.ts';
import type { EventRecord } from '../../../shared/records/index.ts';
import { eventOf, type Revised, type VehicleEvent } from '../events/index.ts';
import type { Store } from '../../store/types.ts';
import { takeRecords } from '../../replication/sync/region/index.ts';
import type { TakenStep } from './revision-log.ts';

interface StoreStepsOptions {
  readonly store: Store;
  /** Whether states of the computation are kept to continue from: a worker does so. */
  readonly keepsCheckpoints: boolean;
  /** Called with the difference to the stored events, when it is on disk. */
  revised(revised: Revised): void;
  now(): number;
  warn(message: string): void;
}

/** Stores steps of the log. The same step twice is one: of a record the latest stamps win. */
export function storeSteps(options: StoreStepsOptions): (steps: readonly TakenStep[]) => Promise<void> {
  const { store, keepsCheckpoints, now, warn } = options;
  return async (steps) => {
    for (const { entry } of steps)
      // Later it is taken in: nothing after it may be stored before.
      if (isStamp(entry.stamp) && millisecondsOf(entry.stamp) - now() > MAX_AHEAD)
        throw new Error('The clock of an event worker is ahead of that of this program.');
    const texts = steps.flatMap(({ entry: { events, withdrawn } }) => [
      ...events.map((text) => ({ text, isDeleted: false })),
      ...withdrawn.map((text) => ({ text, isDeleted: true })),
    ]);
    const differences = new Differences(store);
    if (texts.length > 0) {
      differences.before(texts);
      await takeRecords(store, 'events', texts, now(), warn);
    }
    const checkpoints = steps.flatMap(({ entry }) => entry.checkpoints);
    if (keepsCheckpoints && checkpoints.length > 0) await writeCheckpoints(store, checkpoints);
    for (const revised of differences.after()) options.revised(revised);
  };
}

async function writeCheckpoints(store: Store, checkpoints: TakenStep['entry']['checkpoints']): Promise<void> {
  await store.writePlain((sql) => {
    const put = sql.prepare('INSERT OR REPLACE INTO event_checkpoints (vehicle, time, states) VALUES (?, ?, ?)');
    const drop = sql.prepare('DELETE FROM event_checkpoints WHERE vehicle = ? AND time = ?');
    for (const [vehicle, time, states] of checkpoints)
      if (states === null) drop.run(vehicle, time);
      else put.run(vehicle, time, states);
  });
}

/** The changes that steps make to the events here, by vehicle. */
class Differences {
  readonly #records;
  readonly #before = new Map<number, EventRecord | undefined>();

  constructor(store: Store) {
    this.#records = store.records('events');
  }

  before(texts: readonly { readonly text: string }[]): void {
    for (const { text } of texts) {
      const { id } = JSON.parse(text) as { id: number };
      this.#before.set(id, this.#records.get(id));
    }
  }

  after(): Revised[] {
    const byVehicle = new Map<
      number,
      { reason: string; created: VehicleEvent[]; changed: VehicleEvent[]; withdrawn: VehicleEvent[] }
    >();
    for (const [id, before] of this.#before) {
      const after = this.#records.get(id);
      const one = after ?? before;
      if (!one || (before && after?.revisedAt === before.revisedAt)) continue;
      const { vehicleId, reason } = one;
      const its = byVehicle.get(vehicleId) ?? { reason, created: [], changed: [], withdrawn: [] };
      byVehicle.set(vehicleId, its);
      (after ? (before ? its.changed : its.created) : its.withdrawn).push(eventOf(one));
    }
    return [...byVehicle].map(([vehicleId, revised]) => ({ vehicleId, ...revised }));
  }
}

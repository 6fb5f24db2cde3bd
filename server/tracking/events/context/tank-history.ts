import type { TankEntry } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Fleet } from '../../../dispatch/fleet/index.ts';
import type { Records, Store } from '../../../store/types.ts';

interface TankHistoryOptions {
  readonly store: Store;
  readonly fleet: Fleet;
  now(): number;
  report(error: unknown): void;
}

/** Keeps the tanks of vehicles over time: the current data of their models apply from now on. */
export class TankHistory {
  readonly #entries: Records<TankEntry>;
  readonly #options: TankHistoryOptions;
  readonly #stops: (() => void)[];
  #saving: Promise<unknown> = Promise.resolve();

  constructor(options: TankHistoryOptions) {
    const { store, fleet } = options;
    this.#options = options;
    this.#entries = store.kind<TankEntry>('fleet', 'tank');
    this.#stops = [
      store.records('vehicles').watch((changes) => this.#note(changes.map(({ record }) => record.id))),
      fleet.models.mirror.watch(
        (model) =>
          model &&
          this.#note(
            fleet
              .all()
              .filter(({ modelId }) => modelId === model.id)
              .map(({ id }) => id),
          ),
      ),
    ];
    const noteAll = () => this.#note(fleet.all().map(({ id }) => id));
    this.#stops.push(store.onReadOnly(noteAll));
    noteAll();
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    await this.#saving;
  }

  #note(vehicleIds: readonly number[]): void {
    const { fleet, store, now } = this.#options;
    if (store.readOnly !== undefined) return;
    for (const id of vehicleIds) {
      const vehicle = fleet.get(id);
      const litres = (vehicle && fleet.models.mirror.get(vehicle.modelId)?.maxTank) ?? 0;
      const known = this.#entries.get(id);
      if (!vehicle || (known ? known.versions.at(-1)!.litres === litres : litres === 0)) continue;
      const draft = {
        id,
        kind: 'tank' as const,
        name: 'tank',
        isDeleted: false,
        organizationId: vehicle.organizationId,
      };
      const written = known
        ? this.#entries.change(id, (entry) =>
            entry.versions.at(-1)!.litres === litres
              ? entry
              : { ...entry, versions: [...entry.versions, { validFrom: now(), litres }] },
          )
        : this.#entries.insert({ ...draft, versions: [{ validFrom: 0, litres }] });
      this.#saving = Promise.all([
        this.#saving,
        written.catch((error: unknown) => isSecond(error) || this.#options.report(error)),
      ]);
    }
  }
}

/** If the first note is made twice at once, the earlier one stays. */
function isSecond(error: unknown): boolean {
  return error instanceof Refusal && error.kind === 'conflict';
}

import { stampOf } from '../../../../shared/merge/merge.ts';
import { millisecondsOf, stationPartOf, type Stamp } from '../../../../shared/merge/stamps.ts';
import type { MergeRecord, Task } from '../../../../shared/records/index.ts';
import { activeUnit, activeUnits } from '../../../../shared/tasks/units.ts';
import type { Store } from '../../../store/index.ts';
import { Mutex } from '../../../platform/mutex.ts';
import { mergeRecords, report } from './reported.ts';
import type { SpanningRule } from './rule-runner.ts';

/** Raises and ends the alarm that a vehicle is on two tasks. */
export interface VehicleAlarms {
  raise(twice: { vehicleId: number; organizationId: number; situation: string; since: number }): Promise<void>;
  end(situation: string, at: number): Promise<void>;
}

interface VehicleOnTwoTasksOptions {
  readonly store: Store;
  /** Which open tasks each vehicle is a unit of. */
  readonly activeUnits: { tasksOf(vehicleId: number): readonly number[] };
  readonly alarms: VehicleAlarms;
  now(): number;
  report(error: unknown): void;
}

/**
 * Two stations sent one vehicle to two tasks: both stay, an alarm reports it, and it is listed in merges
 * until the vehicle is released from one of the two.
 */
export class VehicleOnTwoTasks implements SpanningRule {
  readonly collections = ['tasks'] as const;
  readonly #options: VehicleOnTwoTasksOptions;
  readonly #open = new Map<number, MergeRecord>();
  readonly #turns = new Mutex();
  readonly #stops: (() => void)[];

  constructor(options: VehicleOnTwoTasksOptions) {
    this.#options = options;
    const { store } = options;
    for (const row of store.sql
      .prepare(`SELECT data FROM ${store.table('merges')} WHERE deleted = 0 AND resolved = ''`)
      .iterate())
      this.#note(JSON.parse(row['data'] as string) as MergeRecord);
    this.#stops = [
      mergeRecords(store).watch((changes) => changes.forEach(({ record }) => this.#note(record))),
      store.records('tasks').watch((changes) => {
        const tasks = new Set(changes.map(({ record }) => record.id));
        for (const merge of this.#open.values())
          if (tasks.has(merge.taskId) || tasks.has(merge.otherId)) this.#inTurn(() => this.#resolveIfReleased(merge));
      }),
    ];
  }

  async restore(_collection: string, changes: readonly { readonly record: object }[]): Promise<void> {
    const { store, activeUnits: active } = this.#options;
    const tasks = store.records('tasks');
    for (const { record } of changes) {
      const task = tasks.get((record as Task).id);
      if (!task) continue;
      for (const { vehicleId } of activeUnits(task))
        for (const id of active.tasksOf(vehicleId)) {
          const other = tasks.get(id);
          if (other && id !== task.id && activeUnit(other, vehicleId)) await this.#found(task, other, vehicleId);
        }
    }
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.#turns.run(() => Promise.resolve());
  }

  #inTurn(work: () => Promise<void>): void {
    this.#turns.run(work).catch((error: unknown) => this.#options.report(error));
  }

  async #found(a: Task, b: Task, vehicleId: number): Promise<void> {
    const { store, alarms } = this.#options;
    const stamps = new Map([a, b].map((task) => [task, sendingOf(task, vehicleId)]));
    // One station that sends a vehicle to two tasks does so knowingly.
    if (stationPartOf(stamps.get(a)!) === stationPartOf(stamps.get(b)!)) return;
    const [earlier, later] = stamps.get(a)! < stamps.get(b)! ? [a, b] : [b, a];
    await report(store, `vehicle-twice|${vehicleId}|${stamps.get(earlier)!}|${stamps.get(later)!}`, {
      recordCollection: 'tasks',
      recordKey: later.key,
      recordId: later.id,
      taskId: later.id,
      field: 'assignedVehicleId',
      rule: 'vehicle-twice',
      otherId: earlier.id,
      kept: { value: vehicleId, stamp: stamps.get(later)! },
      lost: { value: vehicleId, stamp: stamps.get(earlier)! },
    });
    const organizationId = store.records('vehicles').get(vehicleId)?.organizationId ?? later.organizationId;
    await alarms.raise({
      vehicleId,
      organizationId,
      situation: situationOf(later.id, earlier.id, vehicleId),
      since: millisecondsOf(stamps.get(later)!),
    });
  }

  #note(merge: MergeRecord): void {
    if (merge.rule !== 'vehicle-twice') return;
    if (merge.resolved === '') {
      this.#open.set(merge.id, merge);
      this.#inTurn(() => this.#resolveIfReleased(merge));
    } else if (this.#open.delete(merge.id)) this.#inTurn(() => this.#end(merge));
  }

  async #resolveIfReleased(merge: MergeRecord): Promise<void> {
    const { store, now } = this.#options;
    const [task, other] = [merge.taskId, merge.otherId].map((id) => store.records('tasks').get(id));
    // Tasks may arrive after the decision about them.
    if (!task || !other) return;
    const vehicleId = merge.kept.value as number;
    if (activeUnit(task, vehicleId) && activeUnit(other, vehicleId)) return;
    // First the alarm: after a crash in between, the open merge brings us here again.
    await this.#end(merge);
    await mergeRecords(store).change(merge.id, (record) =>
      record.resolved === '' ? { ...record, resolved: 'kept', resolvedAt: now() } : record,
    );
  }

  #end({ taskId, otherId, kept }: MergeRecord): Promise<void> {
    return this.#options.alarms.end(situationOf(taskId, otherId, kept.value as number), this.#options.now());
  }
}

/** The stamp with which a vehicle was sent to a task; a lead without an entry has that of the lead. */
function sendingOf({ hlc, units }: Task, vehicleId: number): Stamp {
  const [key] = Object.keys(units ?? {}).filter(
    (one) => units![one]!.vehicleId === vehicleId && units![one]!.clearAt === 0,
  );
  return stampOf(hlc, key === undefined ? 'assignedVehicleId' : `units.${key}.sentAt`);
}

function situationOf(laterId: number, earlierId: number, vehicleId: number): string {
  return `vehicle-twice:${vehicleId}:${laterId}:${earlierId}`;
}

import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import { keyOf, kindKeyOf } from '../../../../shared/ids.ts';
import type { Task } from '../../../../shared/records/index.ts';
import { fold } from '../../../../shared/text/fold.ts';
import { ASSIGNED } from '../../../../shared/tasks/status.ts';
import { hasNotArrived } from '../../../../shared/fleet/unit-status.ts';
import type { ReplicaRecords } from '../replica/schemas.ts';
import { useLive } from './live.ts';
import { useTasks } from './tasks.ts';

export type VehicleRecord = ReplicaRecords['vehicles'];

/** One line of the vehicles panel. */
export interface VehicleRow {
  readonly vehicle: VehicleRecord;
  /** Single-digit unit status; undefined: not known. */
  readonly status: number | undefined;
  /** When the last position was taken, epoch ms; undefined: never seen. */
  readonly seenAt: number | undefined;
  /** km/h */
  readonly speed: number;
  readonly task: Task | undefined;
}

/** Positions change many times a second; a list that is read has time. */
const LIST_EVERY_MS = 1_000;

/** One for all comparisons: to make one costs a hundred times as much as to ask it. */
const NAMES = new Intl.Collator(undefined, { numeric: true });

/** Vehicles with their current state. */
export const useVehicles = defineStore('vehicles', () => {
  const { records, positions } = useLive();
  const tasks = useTasks();
  const tick = ref(0);
  let waiting = false;
  positions.watch(() => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      tick.value++;
    }, LIST_EVERY_MS);
  });

  const all = computed(() => {
    void records.vehicles.version.value;
    return [...records.vehicles.values()]
      .filter((vehicle) => !vehicle.isDeleted)
      .sort((one, other) => NAMES.compare(one.name, other.name));
  });
  const byGlonassId = computed(() => new Map(all.value.map((vehicle) => [vehicle.glonassId, vehicle])));
  const taskOf = computed(() => {
    const serving = new Map<number, Task>();
    for (const task of tasks.open)
      if (task.assignedVehicleId && task.status === ASSIGNED) serving.set(task.assignedVehicleId, task);
    return serving;
  });
  const rows = computed<readonly VehicleRow[]>(() => (void tick.value, all.value.map(rowOf)));
  /** Statuses set here that have not come back from the station yet, by vehicle id. */
  const ahead = shallowRef<ReadonlyMap<number, number>>(new Map());

  function rowOf(vehicle: VehicleRecord): VehicleRow {
    const fix = positions.legs.get(vehicle.glonassId)?.fix;
    return {
      vehicle,
      status: ahead.value.get(vehicle.id) ?? fix?.unitStatus,
      seenAt: fix?.data,
      speed: fix?.speed ?? 0,
      task: taskOf.value.get(vehicle.id),
    };
  }

  /**
   * The task at which a vehicle has not arrived, so that it cannot have this status yet. Since when it has
   * its status only the station knows.
   */
  function barredBy(vehicleId: number, status: number): Task | undefined {
    const row = rows.value.find(({ vehicle }) => vehicle.id === vehicleId);
    return row?.task &&
      hasNotArrived({ unitStatus: row.status, unitStatusSince: Infinity }, status, row.task.statusSince)
      ? row.task
      : undefined;
  }

  function setAhead(id: number, status: number): void {
    ahead.value = new Map(ahead.value).set(id, status);
    setTimeout(() => (ahead.value = new Map([...ahead.value].filter(([other]) => other !== id))), 4_000);
  }

  const byId = (id: number) => records.vehicles.get(keyOf(id));
  const nameOf = (id: number) => (id ? byId(id)?.name : undefined);
  const driverNames = (vehicle: VehicleRecord) =>
    vehicle.driverIds
      .map((id) => records.fleet.get(kindKeyOf('driver', id))?.name)
      .filter((name) => name !== undefined);
  const groupName = (vehicle: VehicleRecord) =>
    vehicle.groupId ? records.fleet.get(kindKeyOf('group', vehicle.groupId))?.name : undefined;

  /** What a vehicle is found by, folded once and not at every letter that is typed. */
  const foundBy = computed(
    () => (
      void records.fleet.version.value,
      new Map(
        all.value.map((vehicle) => [
          vehicle.id,
          fold([vehicle.name, vehicle.plate, groupName(vehicle), ...driverNames(vehicle)].join(' ')),
        ]),
      )
    ),
  );

  /** Rows whose call sign, plate, driver or group has all words of `query`, whatever the alphabet. */
  function search(query: string): readonly VehicleRow[] {
    const wanted = fold(query).split(/\s+/).filter(Boolean);
    if (wanted.length === 0) return rows.value;
    return rows.value.filter(({ vehicle }) => wanted.every((word) => foundBy.value.get(vehicle.id)!.includes(word)));
  }

  return { all, rows, byGlonassId, byId, nameOf, driverNames, groupName, search, rowOf, barredBy, setAhead, tick };
});

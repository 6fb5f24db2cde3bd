import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import { keyOf, kindKeyOf } from '../../../../shared/ids.ts';
import type { StoredUnit, Task, VehicleKind } from '../../../../shared/records/index.ts';
import { fold } from '../../../../shared/text/fold.ts';
import { AT_BASE, FREE } from '../../../../shared/fleet/unit-status.ts';
import { activeUnits, isFinished } from '../../../../shared/tasks/units.ts';
import type { ReplicaRecords } from '../replica/schemas.ts';
import { useLive } from './live.ts';
import { useTasks } from './tasks.ts';

export type VehicleRecord = ReplicaRecords['vehicles'];

/** One line of the vehicles panel. */
export interface VehicleRow {
  readonly vehicle: VehicleRecord;
  /** Single-digit unit status; undefined: not known. */
  readonly status: number | undefined;
  /** epoch ms; undefined: not known */
  readonly statusSince: number | undefined;
  /** When the last position was taken, epoch ms; undefined: never seen. */
  readonly seenAt: number | undefined;
  /** km/h */
  readonly speed: number;
  readonly task: Task | undefined;
  /** Its role at that task. */
  readonly unit: StoredUnit | undefined;
}

/** Whether its crew is free at a task that nobody has closed yet: the task does not keep it. */
export function isFreeAtTask({ unit }: Pick<VehicleRow, 'unit'>): boolean {
  return unit !== undefined && isFinished(unit);
}

export function isFreeVehicle(row: Pick<VehicleRow, 'status' | 'unit'>): boolean {
  return (row.status === FREE || row.status === AT_BASE) && (row.unit === undefined || isFreeAtTask(row));
}

/** Positions change many times a second; a list that is read has time. */
const LIST_EVERY_MS = 1_000;

/** One for all comparisons: to make one costs a hundred times as much as to ask it. */
const NAMES = new Intl.Collator(undefined, { numeric: true });

function isLater(unit: StoredUnit, known: StoredUnit): boolean {
  return isFinished(unit) === isFinished(known) ? unit.sentAt >= known.sentAt : isFinished(known);
}

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
  /** Records are replaced, never changed, so the units of one need to be found only once. */
  const unitsKnown = new WeakMap<Task, readonly StoredUnit[]>();
  function unitsOn(task: Task): readonly StoredUnit[] {
    let units = unitsKnown.get(task);
    if (!units) unitsKnown.set(task, (units = activeUnits(task)));
    return units;
  }
  /** The task that each vehicle serves: of several the one it was sent to last, unless it is free again. */
  const serving = computed(() => {
    const found = new Map<number, { task: Task; unit: StoredUnit }>();
    for (const task of tasks.open)
      for (const unit of unitsOn(task)) {
        const known = found.get(unit.vehicleId)?.unit;
        if (!known || isLater(unit, known)) found.set(unit.vehicleId, { task, unit });
      }
    return found;
  });
  const rows = computed<readonly VehicleRow[]>(() => (void tick.value, all.value.map(rowOf)));
  /** Statuses set here that have not come back from the station yet, by vehicle id. */
  const ahead = shallowRef<ReadonlyMap<number, { readonly status: number; readonly since: number }>>(new Map());

  function rowOf(vehicle: VehicleRecord): VehicleRow {
    const fix = positions.legs.get(vehicle.glonassId)?.fix;
    const served = serving.value.get(vehicle.id);
    const set = ahead.value.get(vehicle.id);
    return {
      vehicle,
      status: set?.status ?? fix?.unitStatus,
      statusSince: set?.since ?? fix?.unitStatusSince,
      seenAt: fix?.data,
      speed: fix?.speed ?? 0,
      task: served?.task,
      unit: served?.unit,
    };
  }

  /** The task by which the station bars this status of a vehicle: it was sent there and has not arrived. */
  function barredBy(vehicleId: number, status: number): Pick<Task, 'id' | 'title'> | undefined {
    const vehicle = byId(vehicleId);
    const fix = vehicle && positions.legs.get(vehicle.glonassId)?.fix;
    if (fix?.sentTo === undefined || fix.allowedStatuses?.includes(status) !== false) return undefined;
    return { id: fix.sentTo, title: tasks.byId(fix.sentTo)?.title ?? '' };
  }

  function setAhead(id: number, status: number): void {
    ahead.value = new Map(ahead.value).set(id, { status, since: Date.now() });
    setTimeout(() => (ahead.value = new Map([...ahead.value].filter(([other]) => other !== id))), 4_000);
  }

  const byId = (id: number) => records.vehicles.get(keyOf(id));
  const nameOf = (id: number) => (id ? byId(id)?.name : undefined);
  const driverNames = (vehicle: VehicleRecord) =>
    vehicle.driverIds
      .map((id) => records.fleet.get(kindKeyOf('driver', id))?.name)
      .filter((name) => name !== undefined);
  const kindOf = (vehicle: VehicleRecord) =>
    vehicle.kindId
      ? (records.fleet.get(kindKeyOf('vehicleKind', vehicle.kindId)) as VehicleKind | undefined)
      : undefined;
  /** The drawing of each vehicle by its id. A map reads thousands in every frame. */
  const glyphs = computed(
    () => (
      void records.fleet.version.value,
      new Map(all.value.map((one) => [one.id, kindOf(one)?.glyph ?? 'truck'] as const))
    ),
  );
  const groupName = (vehicle: VehicleRecord) =>
    vehicle.groupId ? records.fleet.get(kindKeyOf('group', vehicle.groupId))?.name : undefined;

  /** The search text of a vehicle, folded once and not at each typed letter. */
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

  /** Rows whose call sign, plate, driver or group contains all words of `query`, in any alphabet. */
  function search(query: string): readonly VehicleRow[] {
    const wanted = fold(query).split(/\s+/).filter(Boolean);
    if (wanted.length === 0) return rows.value;
    return rows.value.filter(({ vehicle }) => wanted.every((word) => foundBy.value.get(vehicle.id)!.includes(word)));
  }

  return {
    all,
    rows,
    byGlonassId,
    byId,
    nameOf,
    driverNames,
    groupName,
    kindOf,
    glyphs,
    unitsOn,
    search,
    rowOf,
    barredBy,
    setAhead,
    tick,
  };
});

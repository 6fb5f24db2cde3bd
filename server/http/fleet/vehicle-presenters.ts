import { z } from 'zod';
import type { LastState } from '../../../shared/fleet/last-state.ts';
import type { Vehicle } from '../../../shared/records/index.ts';
import type { StatusJudgement } from '../../dispatch/tasks/index.ts';
import { engineHours, kmNextTo, type Ran, type VehicleView } from '../../dispatch/fleet/index.ts';

const id = z.int();
const idOrNone = z.int().nullable();
const number = z.number().nullable();
/** epoch ms; null: never */
const instant = z.int().nullable();

export const CarItem = z
  .object({
    id,
    name: z.string(),
    glonassId: id,
    view: z.boolean(),
    lastUpdate: instant,
    projectPoints: z.boolean(),
    onService: z.boolean(),
    iconStandard: z.boolean(),
    iconIndex: z.int(),
    toDelete: z.boolean(),
    markId: idOrNone,
    modelId: idOrNone,
    groupId: idOrNone,
    speed: number,
    direction: number,
    lat: number,
    lon: number,
    carNo: z.string(),
    organizationId: id,
    isStopped: z.boolean(),
    tagsIds: z.array(id),
    kindId: idOrNone,
    capabilityIds: z.array(id),
    unitStatus: idOrNone,
    unitStatusSince: instant,
  })
  .meta({ id: 'CarItem' });

/** A list item (B2), with the crew's status. */
export function presentCar({ vehicle, state }: VehicleView): z.input<typeof CarItem> {
  const { lastUpdate, speed, direction, lat, lon } = presentPosition(state);
  return {
    id: vehicle.id,
    name: vehicle.name,
    glonassId: vehicle.glonassId,
    view: vehicle.view,
    lastUpdate,
    projectPoints: vehicle.projectPoints,
    onService: vehicle.onService,
    iconStandard: vehicle.iconStandard,
    iconIndex: vehicle.iconIndex,
    toDelete: vehicle.isDeleted,
    markId: vehicle.makeId || null,
    modelId: vehicle.modelId || null,
    groupId: vehicle.groupId || null,
    speed,
    direction,
    lat,
    lon,
    carNo: vehicle.plate,
    organizationId: vehicle.organizationId,
    isStopped: state.stopped,
    tagsIds: vehicle.tagIds,
    kindId: vehicle.kindId || null,
    capabilityIds: vehicle.capabilityIds ?? [],
    ...presentCrew(state),
  };
}

const Named = z.object({ id, name: z.string() });

export const CarDetail = z
  .object({
    id,
    name: z.string(),
    glonassId: id,
    view: z.boolean(),
    group: z
      .object({ id, name: z.string(), notes: z.string(), extGroup: z.string(), view: z.boolean(), organizationId: id })
      .nullable(),
    groupId: idOrNone,
    lastUpdate: instant,
    projectPoints: z.boolean(),
    onService: z.boolean(),
    devphone: z.string(),
    devimei: z.string(),
    iconStandard: z.boolean(),
    iconIndex: z.int(),
    toDelete: z.boolean(),
    info: z.object({
      id: z.object({ glonassId: id, data: instant }),
      speed: number,
      direction: number,
      height: number,
      odometr: z.number(),
      gpsCount: z.int().nullable(),
      glonassCount: z.int().nullable(),
      sysData: instant,
      wayid: idOrNone,
      lat: number,
      lon: number,
    }),
    carInfo: z.object({
      carId: id,
      mark: Named.nullable(),
      model: Named.extend({
        mark: Named.nullable(),
        expenseOn100km: number,
        maxTank: number,
        motohoursStop: number,
        motohoursMove: number,
        markId: idOrNone,
      }).nullable(),
      kmNextTo: number,
      carNo: z.string(),
      notes: z.string(),
    }),
    stopped: z.object({
      carId: id,
      stoped: z.boolean(),
      stopedBegin: instant,
      stopEvent: idOrNone,
      stopNew: z.boolean(),
    }),
    tags: z.array(Named.extend({ color: z.string() })),
    motohours: z.object({ carId: id, stop: z.number(), move: z.number() }),
    markId: idOrNone,
    modelId: idOrNone,
    hasPic: z.boolean(),
    driversIds: z.array(id),
    tagsIds: z.array(id),
    kindId: idOrNone,
    capabilityIds: z.array(id),
    organizationId: id,
    profile: z.string(),
    customFields: z.record(z.string(), z.unknown()),
    direction: number,
    speed: number,
    unitStatus: idOrNone,
    unitStatusSince: instant,
  })
  .meta({ id: 'CarDetail' });

/** The whole vehicle (B2). The password of its device never leaves the station. */
export function presentCarDetail({
  vehicle,
  state,
  ran,
  group,
  make,
  model,
  tags,
  customFields,
}: VehicleView): z.input<typeof CarDetail> {
  const { lastUpdate, speed, direction, lat, lon } = presentPosition(state);
  const known = state.time > 0;
  return {
    id: vehicle.id,
    name: vehicle.name,
    glonassId: vehicle.glonassId,
    view: vehicle.view,
    group: group
      ? {
          id: group.id,
          name: group.name,
          notes: group.notes,
          extGroup: group.extGroup,
          view: group.view,
          organizationId: group.organizationId,
        }
      : null,
    groupId: vehicle.groupId || null,
    lastUpdate,
    projectPoints: vehicle.projectPoints,
    onService: vehicle.onService,
    devphone: vehicle.phone,
    devimei: vehicle.imei,
    iconStandard: vehicle.iconStandard,
    iconIndex: vehicle.iconIndex,
    toDelete: vehicle.isDeleted,
    info: {
      id: { glonassId: vehicle.glonassId, data: lastUpdate },
      speed,
      direction,
      height: known ? state.height : null,
      odometr: kilometres(state.odometer),
      gpsCount: known ? state.gpsCount : null,
      glonassCount: known ? state.glonassCount : null,
      sysData: known ? state.storedAt : null,
      wayid: null,
      lat,
      lon,
    },
    carInfo: presentCarInfo(vehicle, ran, make, model),
    stopped: {
      carId: vehicle.id,
      stoped: state.stopped,
      stopedBegin: state.stopped ? state.stoppedSince : null,
      stopEvent: null,
      stopNew: false,
    },
    tags: tags.map(({ id, name, color }) => ({ id, name, color })),
    motohours: { carId: vehicle.id, ...engineHours(vehicle, ran) },
    markId: vehicle.makeId || null,
    modelId: vehicle.modelId || null,
    hasPic: vehicle.picture !== null,
    driversIds: vehicle.driverIds,
    tagsIds: vehicle.tagIds,
    kindId: vehicle.kindId || null,
    capabilityIds: vehicle.capabilityIds ?? [],
    organizationId: vehicle.organizationId,
    profile: vehicle.profile,
    customFields,
    direction,
    speed,
    ...presentCrew(state),
  };
}

function presentCarInfo(
  vehicle: Vehicle,
  ran: Ran,
  make: VehicleView['make'],
  model: VehicleView['model'],
): z.input<typeof CarDetail>['carInfo'] {
  const named = make ? { id: make.id, name: make.name } : null;
  return {
    carId: vehicle.id,
    mark: named,
    model: model
      ? {
          id: model.id,
          name: model.name,
          mark: make?.id === model.makeId ? named : null,
          expenseOn100km: model.expenseOn100km,
          maxTank: model.maxTank,
          motohoursStop: model.engineHoursStop,
          motohoursMove: model.engineHoursMove,
          markId: model.makeId || null,
        }
      : null,
    kmNextTo: kmNextTo(vehicle, ran),
    carNo: vehicle.plate,
    notes: vehicle.notes,
  };
}

function presentPosition(state: LastState): {
  lastUpdate: number | null;
  speed: number | null;
  direction: number | null;
  lat: number | null;
  lon: number | null;
} {
  if (state.time === 0) return { lastUpdate: null, speed: null, direction: null, lat: null, lon: null };
  return { lastUpdate: state.time, speed: state.speed, direction: state.direction, lat: state.lat, lon: state.lon };
}

function presentCrew(state: LastState): { unitStatus: number | null; unitStatusSince: number | null } {
  return state.unitStatusSince > 0
    ? { unitStatus: state.unitStatus, unitStatusSince: state.unitStatusSince }
    : { unitStatus: null, unitStatusSince: null };
}

/** Rounds to three decimals. */
function kilometres(length: number): number {
  return Math.round(length * 1000) / 1000;
}

export const CarUpdate = z
  .object({
    data: z.int().meta({ description: 'The time of the fix, epoch ms' }),
    direction: z.number(),
    glonassId: id,
    lat: z.number(),
    lon: z.number(),
    speed: z.number(),
    sysData: z.int().meta({ description: 'The time of storage, epoch ms' }),
    isStopped: z.boolean(),
    unitStatus: z.int().optional(),
    unitStatusSince: z.int().optional(),
    allowedStatuses: z.array(z.int()).readonly().optional().meta({ description: 'Left out: all' }),
    sentTo: z.int().optional().meta({ description: 'The task to which the vehicle is sent' }),
  })
  .meta({ id: 'CarUpdate' });

/** A record of CAR_UPDATES. */
export function presentUpdate(
  vehicle: Pick<Vehicle, 'glonassId'>,
  state: LastState,
  { allowed, sentTo }: Pick<StatusJudgement, 'allowed' | 'sentTo'>,
): z.input<typeof CarUpdate> {
  return {
    data: state.time,
    direction: state.direction,
    glonassId: vehicle.glonassId,
    lat: state.lat,
    lon: state.lon,
    speed: state.speed,
    sysData: state.storedAt,
    isStopped: state.stopped,
    ...(state.unitStatusSince > 0 ? { unitStatus: state.unitStatus, unitStatusSince: state.unitStatusSince } : {}),
    // Left out where every status is allowed, which is most vehicles.
    ...(sentTo ? { allowedStatuses: allowed, sentTo: sentTo.id } : {}),
  };
}

export const UnitStatusAnswer = z
  .object({
    unitStatus: idOrNone,
    unitStatusSince: instant,
    allowedStatuses: z.array(z.int()),
    answeredStatus: z.int(),
    sentTo: idOrNone,
  })
  .meta({ id: 'UnitStatus' });

export function presentUnitStatus(
  { state }: VehicleView,
  { allowed, answered, sentTo }: StatusJudgement,
): z.input<typeof UnitStatusAnswer> {
  return {
    ...presentCrew(state),
    allowedStatuses: [...allowed],
    answeredStatus: answered,
    sentTo: sentTo?.id ?? null,
  };
}

import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Caller } from '../../access/accounts/index.ts';
import {
  kmNextTo,
  type Fleet,
  type VehicleFilter,
  type VehicleOrder,
  type VehicleView,
} from '../../dispatch/fleet/index.ts';
import type { Files } from '../../dispatch/files/index.ts';
import type { TaskUnits } from '../../dispatch/tasks/index.ts';
import type { Telemetry } from '../../tracking/telemetry/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import {
  CarDetail,
  CarItem,
  presentCar,
  presentCarDetail,
  presentUnitStatus,
  UnitStatusAnswer,
} from './vehicle-presenters.ts';
import { Done } from './drivers.ts';
import {
  bodyId,
  pathId,
  queryFlag,
  queryId,
  queryIds,
  queryInstant,
  queryNumber,
  queryText,
  textUpTo,
} from '../request/fields.ts';
import { releasePicture, servePng, uploadedPicture } from '../files/pictures.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import { JsonStream, route, type DeclaredRoute } from '../app/route.ts';

const short = textUpTo(100);
const idOrNone = z.union(
  [z.null().transform(() => 0), bodyId],
  fieldRule('field.type', { expected: 'a whole number or null' }),
);
const ids = z.array(bodyId).max(1000);
const reference = z.object({ id: idOrNone.optional() }).nullish();

/**
 * The body of a vehicle: flat as in POST, or a whole object as it was read. Absent fields, and null for texts
 * and flags, stay unchanged. If a field appears in two places (`markId` and `carInfo.mark.id`), the value
 * that differs from the stored one counts.
 */
const CarBody = z.object({
  name: short.nullish(),
  glonassId: bodyId.nullish(),
  carNo: short.nullish(),
  organizationId: bodyId.nullish(),
  groupId: idOrNone.optional(),
  markId: idOrNone.optional(),
  modelId: idOrNone.optional(),
  driversIds: ids.nullish(),
  tagsIds: ids.nullish(),
  kindId: idOrNone.optional(),
  capabilityIds: ids.nullish(),
  profile: textUpTo(100).min(1).nullish(),
  onService: z.boolean().nullish(),
  view: z.boolean().nullish(),
  projectPoints: z.boolean().nullish(),
  iconStandard: z.boolean().nullish(),
  iconIndex: z.int().min(0).max(1_000_000).nullish(),
  devphone: short.nullish(),
  devimei: short.nullish(),
  devpassword: short.nullish(),
  kmNextTo: z.number().min(-10_000_000).max(10_000_000).nullish(),
  notes: textUpTo(20_000).nullish(),
  /** Keyed by the slugs of their definitions. Absent values stay unchanged; null removes a value. */
  customFields: z.record(textUpTo(100), z.unknown()).nullish(),
  motohours: z.object({ stop: z.number().min(0).optional(), move: z.number().min(0).optional() }).nullish(),
  /** In a whole object as it was read: the time and the odometer reading. */
  lastUpdate: z.number().nullish(),
  info: z.object({ odometr: z.number().optional() }).nullish(),
  group: reference,
  carInfo: z
    .object({
      carNo: short.nullish(),
      kmNextTo: z.number().nullish(),
      notes: textUpTo(20_000).nullish(),
      mark: reference,
      model: reference,
    })
    .nullish(),
});
const CreateBody = CarBody.extend({ name: short, pic: short.nullish() });

export const CarFilter = z.object({
  name: queryText.optional(),
  glonassId: queryId.optional(),
  onService: queryFlag.optional(),
  devphone: queryText.optional(),
  devimei: queryText.optional(),
  stopped: queryFlag.optional(),
  groups: queryIds.optional(),
  kinds: queryIds.optional(),
  capabilities: queryIds.optional().meta({ description: 'Vehicles that have all of them.' }),
  organizations: queryIds.optional(),
});

const params = z.object({ id: pathId });
const inB = { family: 'B', access: 'user', group: 'Vehicles' } as const;

const TrackPoint = z
  .object({
    time: z.int(),
    lat: z.number(),
    lon: z.number(),
    speed: z.number(),
    direction: z.number(),
    height: z.number(),
    marks: z.array(z.string()),
  })
  .meta({ id: 'TrackPoint' });

/** B. Vehicles. */
export function carRoutes(
  fleet: Fleet,
  telemetry: Pick<Telemetry, 'read'>,
  files: Files,
  units: Pick<TaskUnits, 'judge' | 'setStatus'>,
): DeclaredRoute[] {
  const setPicture = async (caller: Caller, id: number, picture: string | null) => {
    const before = fleet.detail(caller, id).vehicle.picture;
    const view = await fleet.change(caller, id, { picture });
    await releasePicture(files, before, picture);
    return view;
  };
  const picture =
    (size: 'whole' | 'thumb') =>
    ({
      caller,
      params,
      request,
      response,
    }: {
      caller: Caller;
      params: { id: number };
      request: Request;
      response: Response;
    }) => {
      const { vehicle } = fleet.detail(caller, params.id);
      return servePng(request, response, files, vehicle.picture, vehicle.name, size);
    };
  return [
    route({
      ...inB,
      method: 'GET',
      path: '/cars',
      summary: 'Vehicles',
      query: CarFilter,
      answer: z.array(CarItem),
      description: 'All filters that are given must hold.',
      run: ({ caller, query }) => fleet.list(caller, vehicleFilterOf(query)).map(presentCar),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/cars',
      summary: 'Make a vehicle',
      body: CreateBody,
      answer: CarDetail,
      description:
        '`organizationId` is the caller’s own and `glonassId` the vehicle’s id, or the next number that is free, when they are not given. `pic` is the name of an uploaded picture.',
      run: async ({ caller, body }) => {
        const shown = body.pic ? await uploadedPicture(files, caller, body.pic, 'pic') : undefined;
        return presentCarDetail(
          await fleet.create(caller, { ...vehicleOrder(body, undefined), ...(shown && { picture: shown.sha256 }) }),
        );
      },
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/cars/count',
      summary: 'How many vehicles there are',
      query: CarFilter,
      answer: { type: 'text/plain' },
      run: ({ caller, query }) => String(fleet.list(caller, vehicleFilterOf(query)).length),
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/cars/:id',
      summary: 'One vehicle',
      params,
      answer: CarDetail,
      run: ({ caller, params }) => presentCarDetail(fleet.detail(caller, params.id)),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/cars/:id',
      summary: 'Change a vehicle',
      params,
      body: CarBody,
      answer: CarDetail,
      description: 'What is not sent stays.',
      run: async ({ caller, params, body }) =>
        presentCarDetail(await fleet.change(caller, params.id, vehicleOrder(body, fleet.detail(caller, params.id)))),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/cars/:id',
      summary: 'Delete a vehicle',
      params,
      answer: 'nothing',
      description: 'It is hidden; its history remains, and its glonassId may be used again.',
      run: ({ caller, params }) => fleet.delete(caller, params.id),
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/cars/:id/pic',
      summary: 'The picture of a vehicle',
      params,
      answer: { type: 'image/png' },
      run: picture('whole'),
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/cars/:id/thumb',
      summary: 'The picture of a vehicle, small',
      params,
      answer: { type: 'image/png' },
      description: 'At most 160 pixels to a side.',
      run: picture('thumb'),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/cars/:id/pic',
      summary: 'Set the picture of a vehicle',
      params,
      body: z.object({ fileName: short }),
      answer: Done,
      description: '`fileName` is the name of an upload (`/fileload`).',
      run: async ({ caller, params, body }) => {
        fleet.detail(caller, params.id);
        await setPicture(caller, params.id, (await uploadedPicture(files, caller, body.fileName, 'fileName')).sha256);
        return { message: 'ok', status: 200 };
      },
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/cars/:id/pic',
      summary: 'Take the picture of a vehicle away',
      params,
      answer: 'nothing',
      run: async ({ caller, params }) => {
        const { vehicle } = fleet.detail(caller, params.id);
        if (vehicle.picture === null) throw new Refusal('fleet.noPicture', { name: vehicle.name });
        await setPicture(caller, params.id, null);
      },
    }),
    route({
      ...inB,
      method: 'PUT',
      path: '/cars/:id/status',
      summary: 'Set the crew’s status',
      params,
      body: z
        .object({
          status: z.int().min(0).max(9).optional(),
          answered: z.literal(true).optional(),
          back: z.boolean().optional(),
        })
        .refine(({ status, answered }) => (status === undefined) !== (answered === undefined), {
          path: ['status'],
          message: 'Give status or answered, one of the two.',
        }),
      answer: CarDetail,
      description:
        'Takes the right to change the status of tasks. 0 emergency call, 1 free on radio, 2 at base, 3 en route, 4 on scene, 5 wants to talk, 6 out of service, 7 patient loaded, 8 at hospital, 9 acknowledged. Refused with 409 is 1 or 2 for a crew that was sent to a task and has not arrived there; not with `back: true`, which takes a change back. With `answered: true` instead of a status, somebody has talked with the crew, and it gets the status that its run says.',
      run: async ({ caller, params, body: { status, back } }) =>
        presentCarDetail(await units.setStatus(caller, params.id, status ?? 'answered', back)),
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/cars/:id/status',
      summary: 'What the crew’s status is, and may be next',
      params,
      answer: UnitStatusAnswer,
      description:
        '`allowedStatuses` are those that `PUT` accepts now. `answeredStatus` follows when somebody has talked with the crew. `sentTo` is the task that it is on its way to, or null.',
      run: ({ caller, params }) => presentUnitStatus(fleet.detail(caller, params.id), units.judge(params.id)),
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/cars/:id/track',
      summary: 'Where a vehicle was',
      params,
      answer: z.array(TrackPoint),
      query: z.object({ from: queryInstant, till: queryInstant, simplify: queryNumber(0, 100_000).optional() }),
      description:
        'Points from `from` to `till` (epoch ms), both included, in the order of time. With `simplify`, points are left out so that the vehicle is nowhere further than so many metres from where it was at that time; what is marked and the ends of gaps stay. `marks` says why a point is not believed.',
      run: ({ caller, params, query: { from, till, simplify } }) => {
        if (from > till) throw new Refusal('field.later', { field: 'from', other: 'till' });
        return new JsonStream(
          telemetry.read({
            kind: 'track',
            vehicle: fleet.detail(caller, params.id).vehicle.id,
            from,
            until: till,
            simplify,
          }),
        );
      },
    }),
  ];
}

export function vehicleFilterOf(query: z.output<typeof CarFilter>): VehicleFilter {
  const { devphone, devimei, groups, organizations, kinds, capabilities, ...same } = query;
  return {
    ...same,
    phone: devphone,
    imei: devimei,
    groupIds: groups,
    organizationIds: organizations,
    kindIds: kinds,
    capabilityIds: capabilities,
  };
}

function vehicleOrder(body: z.output<typeof CarBody>, stored: VehicleView | undefined): VehicleOrder {
  const { carInfo } = body;
  const before = stored?.vehicle;
  const order: { [F in keyof VehicleOrder]: VehicleOrder[F] | null | undefined } = {
    name: body.name,
    glonassId: body.glonassId,
    plate: changedValue(before?.plate, body.carNo, carInfo?.carNo),
    organizationId: body.organizationId,
    groupId: changedValue(before?.groupId, body.groupId, body.group?.id),
    makeId: changedValue(before?.makeId, body.markId, carInfo?.mark?.id),
    modelId: changedValue(before?.modelId, body.modelId, carInfo?.model?.id),
    driverIds: body.driversIds,
    tagIds: body.tagsIds,
    kindId: body.kindId,
    capabilityIds: body.capabilityIds,
    profile: body.profile,
    onService: body.onService,
    view: body.view,
    projectPoints: body.projectPoints,
    iconStandard: body.iconStandard,
    iconIndex: body.iconIndex,
    phone: body.devphone,
    imei: body.devimei,
    devicePassword: body.devpassword,
    notes: changedValue(before?.notes, body.notes, carInfo?.notes),
    engineHours: body.motohours,
    customFields: body.customFields,
  };
  const values = Object.fromEntries(
    Object.entries(order).filter(([, value]) => value !== undefined && value !== null),
  ) as VehicleOrder;
  const km = changedValue(stored && kmNextTo(stored.vehicle, stored.ran), body.kmNextTo, carInfo?.kmNextTo);
  return {
    ...values,
    ...(km !== undefined && { kmNextTo: km }),
    ...(body.info?.odometr !== undefined && { odometer: body.info.odometr }),
    ...(body.lastUpdate && { knownAt: body.lastUpdate }),
  };
}

/** The value that differs from the stored one; the flat field takes precedence. */
function changedValue<T>(
  before: T | undefined,
  flat: T | null | undefined,
  nested: T | null | undefined,
): T | null | undefined {
  if (flat === undefined) return nested;
  return flat === before && nested !== undefined ? nested : flat;
}

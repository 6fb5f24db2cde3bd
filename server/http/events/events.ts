import { z } from 'zod';
import {
  EVENT_TYPES,
  eventType,
  type EventLog,
  type EventSettingsStore,
  type ReplayRunner,
  type Revised,
  type VehicleEvent,
  type VehicleContext,
} from '../../tracking/events/index.ts';
import type { Accounts, Caller } from '../../access/accounts/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { among } from '../../../shared/filters.ts';
import { definedFields } from '../../../shared/defined-fields.ts';
import { EventSettings, type EventRecord } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import {
  eventIdField,
  instant,
  LAST_ID,
  actingOrganization,
  pathId,
  queryId,
  queryIds,
  queryInstant,
  queryLimit,
} from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const DAY = 24 * 3_600_000;
const MAX_LATEST = 500;
const DEFAULT_LIMIT = 100;
const MOST = 1000;

export const EventItem = z
  .object({
    id: z.int(),
    dataFrom: z.int(),
    dataTill: z.int().nullable(),
    info: z.string(),
    data: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
    gaugeInfo: z.string().nullable(),
    gaugeId: z.int().nullable(),
    glonassId: z.int(),
    carId: z.int(),
    eventId: z.int(),
    notifiable: z.boolean(),
    carNo: z.string(),
    carName: z.string(),
    lat: z.number(),
    lon: z.number(),
    reason: z.string(),
  })
  .meta({ id: 'Event' });
const EventDetail = z
  .object({
    id: z.int(),
    dataFrom: z.int(),
    dataTill: z.int().nullable(),
    lat: z.number(),
    lon: z.number(),
    description: z.string(),
  })
  .meta({ id: 'EventDetail' });
const EventTypeItem = z
  .object({
    id: z.int(),
    name: z.string(),
    defaultMessage: z.string(),
    title: z.string(),
    iconList: z.string(),
    iconMap: z.string(),
    view: z.boolean(),
    isModul: z.boolean(),
    notifiable: z.boolean(),
  })
  .meta({ id: 'EventType' });

/** Sent thresholds change; null restores the default. */
const SettingsBody = z.object(
  Object.fromEntries(Object.entries(EventSettings.shape).map(([name, schema]) => [name, schema.nullish()])) as {
    [K in keyof typeof EventSettings.shape]: z.ZodOptional<z.ZodNullable<(typeof EventSettings.shape)[K]>>;
  },
);
const SettingsAnswer = EventSettings.meta({ id: 'EventSettings' });

const ReplayBody = z.object({
  settings: EventSettings.partial(),
  of: z.enum(['organization', 'vehicle']).optional(),
  cars: z.array(z.int().min(0).max(LAST_ID)).max(10_000).optional(),
  from: instant,
  till: instant,
});
const ReplayedItem = z
  .object({
    id: z.int(),
    eventId: z.int(),
    carId: z.int(),
    dataFrom: z.int(),
    dataTill: z.int().nullable(),
    info: z.string(),
    data: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
    lat: z.number(),
    lon: z.number(),
  })
  .meta({ id: 'ReplayedEvent' });
const Numbers = z.array(z.object({ eventId: z.int(), count: z.int() }));
const ReplayAnswer = z
  .object({
    records: z.int(),
    own: z.array(z.object({ carId: z.int(), settings: z.array(z.string()) })),
    before: Numbers,
    after: Numbers,
    differing: z.int(),
    events: z.array(
      z.object({
        change: z.enum(['created', 'changed', 'withdrawn']),
        before: ReplayedItem.nullable(),
        after: ReplayedItem.nullable(),
      }),
    ),
  })
  .meta({ id: 'EventReplay' });

const inB = { family: 'B', access: 'user', group: 'Events' } as const;

interface EventRooms {
  accounts: Pick<Accounts, 'administration'>;
  events: EventLog;
  fleet: Fleet;
  settings: EventSettingsStore;
  replays: ReplayRunner;
  /** The context of a vehicle from a time on. */
  context(vehicleId: number, from: number): VehicleContext;
  now(): number;
}

/** B. Events. */
export function eventRoutes({ accounts, events, fleet, settings, replays, context, now }: EventRooms): DeclaredRoute[] {
  const seen = (caller: Caller) => fleet.list(caller).map(({ vehicle }) => vehicle.id);
  // Events of deleted vehicles stay available by id, but unfinished ones would stay at the top of this list.
  const everSeen = (caller: Caller) => fleet.everyVehicleSeenBy(caller).map(({ id }) => id);
  return [
    route({
      ...inB,
      method: 'GET',
      path: '/events/last',
      summary: 'The latest event of each vehicle',
      answer: z.array(EventItem),
      description: 'Of the last 24 hours, newest first, at most 500. An event that lasts counts as the newest.',
      run: async ({ caller }) =>
        (await events.latest(seen(caller), now() - DAY, MAX_LATEST)).map((event) => presentEvent(event, fleet)),
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/events/types',
      summary: 'Types of events',
      answer: z.array(EventTypeItem),
      run: () =>
        EVENT_TYPES.map(({ id, name, title, message, notifiable }) => ({
          id,
          name,
          defaultMessage: message,
          title,
          iconList: `event_${id}.svg`,
          iconMap: `event_${id}_map.svg`,
          view: true,
          isModul: false,
          notifiable,
        })),
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/events/settings',
      summary: 'Thresholds of events',
      answer: SettingsAnswer,
      description:
        'Of the caller’s organisation, or of `organizationId`. Speeds in km/h, lengths in metres, durations in ms.',
      query: z.object({ organizationId: queryId.optional() }),
      run: ({ caller, query }) => settings.of(actingOrganization(caller, query.organizationId, accounts)),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/events/settings',
      summary: 'Change thresholds of events',
      body: SettingsBody,
      answer: SettingsAnswer,
      description:
        'What is not sent stays; null takes a threshold back to the usual one. A change holds from now on: events of the past stay as they are. What does not go with what single vehicles have of their own is refused, and they are named.',
      query: z.object({ organizationId: queryId.optional() }),
      run: ({ caller, query, body }) =>
        settings.change(caller, actingOrganization(caller, query.organizationId, accounts), body),
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/events/settings/cars',
      summary: 'Vehicles with thresholds of their own',
      answer: z.array(z.object({ carId: z.int(), settings: SettingsAnswer.partial() })),
      run: ({ caller }) => {
        const special = settings.special();
        return seen(caller).flatMap((carId) => (special.has(carId) ? [{ carId, settings: special.get(carId)! }] : []));
      },
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/events/settings/cars/:id',
      summary: 'Thresholds special to a vehicle',
      params: z.object({ id: pathId }),
      answer: SettingsAnswer.partial(),
      run: ({ caller, params }) => settings.ofVehicle(fleet.detail(caller, params.id).vehicle.id),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/events/settings/cars/:id',
      summary: 'Change thresholds of one vehicle',
      params: z.object({ id: pathId }),
      body: SettingsBody,
      answer: SettingsAnswer.partial(),
      description:
        'Those that differ from the organisation’s, such as `lostAfter` 0 for a device that sleeps. null: as the organisation says.',
      run: ({ caller, params, body }) => settings.changeVehicle(caller, fleet.detail(caller, params.id).vehicle, body),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/events/replay',
      onStandby: true,
      summary: 'Try other thresholds on tracks of the past',
      body: ReplayBody,
      answer: ReplayAnswer,
      description:
        'What the events of `cars` (all that the caller sees when not given) from `from` to `till` would have been with `settings`, beside what they are: numbers by type, and the first 1,000 events that differ. Whose thresholds are tried says `of`: those of the `organization` (when not given), where a vehicle’s own stay in force, which `own` names, or those of each `vehicle`. Nothing is written. One trial at a time (409); it ends when the connection is closed.',
      run: async ({ caller, body: { settings: change, of = 'organization', cars, from, till }, response }) => {
        if (till <= from) throw new Refusal('field.notLater', { field: 'till', other: 'from' });
        if (till - from > 92 * DAY) throw new Refusal('events.longPeriod', { days: 92 });
        const visible = new Set(seen(caller));
        const unknown = cars?.find((id) => !visible.has(id));
        if (unknown !== undefined) throw new Refusal('events.noVehicle', { field: 'cars', id: unknown });
        settings.requireSound(caller.user.organizationId, change, { ofVehicles: of === 'vehicle' });
        const ended = new AbortController();
        if (response.closed) ended.abort();
        response.on('close', () => ended.abort());
        const vehicles = [...new Set(cars ?? visible)].map((id) => ({
          id,
          context: context(id, Math.max(0, from - DAY)),
        }));
        const {
          events: differing,
          before,
          after,
          ...rest
        } = await replays.run({ vehicles, from, until: till, change: definedFields(change), of }, ended.signal);
        const own =
          of === 'vehicle'
            ? []
            : vehicles.flatMap((vehicle) =>
                overridesOf(vehicle.id, vehicle.context, definedFields(change), from, till),
              );
        return {
          ...rest,
          own,
          before: numbersOf(before),
          after: numbersOf(after),
          events: differing.map((one) => ({
            change: one.change,
            before: presentReplayed(one.before),
            after: presentReplayed(one.after),
          })),
        };
      },
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'GET',
      path: '/events/replay',
      summary: 'How far the trial of thresholds is that runs',
      answer: z.object({ running: z.boolean(), done: z.number().nullable() }),
      description: '`done` is the share that is gone over, 0 to 1; null when none runs.',
      run: () => ({ running: replays.progress !== undefined, done: replays.progress ?? null }),
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/events',
      summary: 'Events',
      answer: z.array(EventItem),
      description:
        'Newest first; what lasts comes before all else. All filters that are given must hold: `from` and `till` (epoch ms) are touched, `types` and `cars` are lists of ids; the list goes on after the event `after`. Those of a vehicle that is deleted are given when `cars` names it.',
      query: z.object({
        from: queryInstant.optional(),
        till: queryInstant.optional(),
        types: queryIds.optional(),
        cars: queryIds.optional(),
        after: eventIdField('an event').optional(),
        limit: queryLimit(1_000_000),
      }),
      run: async ({ caller, query: { cars, limit, till, ...question } }) => {
        const vehicleIds = cars ? everSeen(caller).filter(among(cars)) : seen(caller);
        return (
          await events.list({ ...question, until: till, vehicleIds, limit: Math.min(limit ?? DEFAULT_LIMIT, MOST) })
        ).map((event) => presentEvent(event, fleet));
      },
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/events/:id',
      summary: 'One event',
      params: z.object({ id: eventIdField('an event') }),
      answer: EventDetail,
      run: ({ caller, params }) => {
        const event = events.get(params.id);
        if (!event || !everSeen(caller).includes(event.vehicleId))
          throw new Refusal('events.missing', { id: params.id });
        return {
          id: event.id,
          dataFrom: event.from,
          dataTill: tillOf(event),
          lat: event.lat,
          lon: event.lon,
          description: `${eventType(event.type).title}: ${event.info || eventType(event.type).message}`,
        };
      },
    }),
  ];
}

/** An event in lists and in `EVENT_UPDATES`. */
export function presentEvent(event: EventRecord, fleet: Pick<Fleet, 'known'>): z.output<typeof EventItem> {
  const vehicle = fleet.known(event.vehicleId);
  const sensorId = event.data['sensorId'];
  return {
    id: event.id,
    dataFrom: event.from,
    dataTill: tillOf(event),
    info: event.info,
    data: event.data,
    gaugeInfo: typeof sensorId === 'number' ? event.info : null,
    gaugeId: typeof sensorId === 'number' ? sensorId : null,
    glonassId: vehicle?.glonassId ?? 0,
    carId: event.vehicleId,
    eventId: event.type,
    notifiable: eventType(event.type).notifiable,
    carNo: vehicle?.plate ?? '',
    carName: vehicle?.name ?? '',
    lat: event.lat,
    lon: event.lon,
    reason: event.reason,
  };
}

/**
 * The records of `EVENT_UPDATES` for a revision: new and changed events, and revoked ones with `withdrawn`.
 */
export function updatesOf(
  { vehicleId, created, changed, withdrawn }: Revised,
  log: EventLog,
  fleet: Pick<Fleet, 'known'>,
): { vehicleId: number; record: object }[] {
  const now = [...created, ...changed]
    .flatMap(({ id }) => log.get(id) ?? [])
    .map((event) => ({ vehicleId, record: presentEvent(event, fleet) }));
  return [
    ...now,
    ...withdrawn.map(({ id, type }) => ({
      vehicleId,
      record: {
        id,
        eventId: type,
        carId: vehicleId,
        glonassId: fleet.known(vehicleId)?.glonassId ?? 0,
        withdrawn: true,
      },
    })),
  ];
}

function tillOf({ until }: EventRecord): number | null {
  return until === 0 ? null : until;
}

/** Tried thresholds that a vehicle overrides in a span. */
function overridesOf(
  carId: number,
  { measures = [] }: VehicleContext,
  change: Partial<EventSettings>,
  from: number,
  till: number,
): { carId: number; settings: string[] }[] {
  const then = measures.filter(
    ({ validFrom, validUntil }) => validFrom <= till && (validUntil === null || validUntil > from),
  );
  const settings = Object.keys(change).filter((name) => then.some(({ own = {} }) => name in own));
  return settings.length > 0 ? [{ carId, settings }] : [];
}

function numbersOf(counts: Readonly<Record<string, number>>): z.input<typeof Numbers> {
  return Object.entries(counts)
    .map(([type, count]) => ({ eventId: Number(type), count }))
    .sort((a, b) => a.eventId - b.eventId);
}

function presentReplayed(event: VehicleEvent | null): z.input<typeof ReplayedItem> | null {
  return (
    event && {
      id: event.id,
      eventId: event.type,
      carId: event.vehicleId,
      dataFrom: event.from,
      dataTill: event.until,
      info: event.info,
      data: { ...event.data },
      lat: event.lat,
      lon: event.lon,
    }
  );
}

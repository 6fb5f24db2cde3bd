import type { Driver, EventRecord, StoredUnit, Task } from '../../../../shared/records/index.ts';
import { UNIT_STATUS_WORDS } from '../../../../shared/fleet/unit-status.ts';
import { unitsOf } from '../../../../shared/tasks/units.ts';
import type { Caller } from '../../../access/accounts/index.ts';
import { eventType, type EventLog } from '../../../tracking/events/index.ts';
import type { Fleet } from '../../../dispatch/fleet/index.ts';
import type { Tasks } from '../../../dispatch/tasks/index.ts';
import { entityColumn, type TimeBounds, type Column, type EntitySet, type MarkedEntry } from './entity-set.ts';

export interface ODataRooms {
  readonly tasks: Tasks;
  readonly fleet: Fleet;
  readonly events: Pick<EventLog, 'list'>;
}

/** The tables of the service, each with the rights of the caller. */
export function entitySets(rooms: ODataRooms): readonly EntitySet<never>[] {
  const sets = [tasksSet(rooms), unitsSet(rooms), vehiclesSet(rooms), driversSet(rooms), eventsSet(rooms)];
  // Each reads only its own entries: nobody else adds or removes them.
  return sets as unknown as EntitySet<never>[];
}

/** Records read at once. */
const STEP = 500;

function tasksSet({ tasks }: ODataRooms): EntitySet<Task> {
  const nameOf = (id: number) => tasks.organizations.get(id)?.name ?? null;
  const columns: Column<Task>[] = [
    entityColumn('id', 'whole', ({ id }) => id),
    entityColumn('title', 'text', ({ title }) => title),
    entityColumn('text', 'text', ({ text }) => text),
    entityColumn('typeId', 'whole', ({ typeId }) => typeId),
    entityColumn('type?', 'text', ({ typeId }) => tasks.types.get(typeId)?.name ?? null),
    entityColumn('categoryId?', 'whole', ({ categoryId }) => categoryId || null),
    entityColumn('category?', 'text', ({ categoryId }) => tasks.categories.get(categoryId)?.name ?? null),
    entityColumn('statusId', 'whole', ({ status }) => status),
    entityColumn('status?', 'text', ({ status }) => tasks.statuses.get(status)?.name ?? null),
    entityColumn('statusSince', 'time', ({ statusSince }) => statusSince),
    entityColumn('priority', 'whole', (task) => tasks.priorityOf(task)),
    entityColumn('organizationId', 'whole', ({ organizationId }) => organizationId),
    entityColumn('organization?', 'text', ({ organizationId }) => nameOf(organizationId)),
    entityColumn('assignedOrganizationId?', 'whole', ({ assignedOrganizationId: id }) => id || null),
    entityColumn('assignedOrganization?', 'text', ({ assignedOrganizationId: id }) => nameOf(id)),
    entityColumn('assignedUserId?', 'whole', ({ assignedUserId }) => assignedUserId || null),
    entityColumn('assignedUser?', 'text', ({ assignedUserId }) => tasks.users.get(assignedUserId)?.name ?? null),
    entityColumn('author?', 'text', ({ authorId }) => tasks.users.get(authorId)?.name ?? null),
    entityColumn('vehicleId?', 'whole', ({ assignedVehicleId }) => assignedVehicleId || null),
    entityColumn('address', 'text', ({ address }) => address),
    entityColumn('longitude?', 'number', ({ point }) => point?.lon ?? null),
    entityColumn('latitude?', 'number', ({ point }) => point?.lat ?? null),
    entityColumn('date', 'time', ({ date }) => date),
    entityColumn('updated', 'time', ({ updatedAt }) => updatedAt),
    entityColumn('archived', 'flag', ({ archived }) => archived),
  ];
  return {
    name: 'Tasks',
    entity: 'Task',
    description: 'Tasks, archived ones too, by their number.',
    key: ['id'],
    columns,
    bounded: 'date',
    async *scan(caller, behind, bounds) {
      for await (const task of tasksBehind(tasks, caller, wholeMark(behind), bounds))
        yield { entry: task, mark: String(task.id) };
    },
  };
}

interface SentUnit {
  readonly task: Task;
  readonly unit: StoredUnit;
  readonly index: number;
}

function unitsSet({ tasks, fleet }: ODataRooms): EntitySet<SentUnit> {
  const moment = (name: string, of: (unit: StoredUnit) => number) =>
    entityColumn<SentUnit>(name, 'time', ({ unit }) => of(unit) || null);
  return {
    name: 'TaskUnits',
    entity: 'TaskUnit',
    description: 'Vehicles that were sent to tasks, one row for each sending, by the number of the task.',
    key: ['taskId', 'index'],
    columns: [
      entityColumn('taskId', 'whole', ({ task }) => task.id),
      entityColumn('index', 'whole', ({ index }) => index),
      entityColumn('vehicleId', 'whole', ({ unit }) => unit.vehicleId),
      entityColumn('vehicle?', 'text', ({ unit }) => fleet.known(unit.vehicleId)?.name ?? null),
      entityColumn('role', 'text', ({ unit }) => unit.role),
      entityColumn('lead', 'flag', ({ task, unit }) => unit.clearAt === 0 && unit.vehicleId === task.assignedVehicleId),
      entityColumn('status', 'text', ({ unit }) => UNIT_STATUS_WORDS[unit.status]!),
      moment('sent?', ({ sentAt }) => sentAt),
      moment('acknowledged?', ({ acknowledgedAt }) => acknowledgedAt),
      moment('enRoute?', ({ enRouteAt }) => enRouteAt),
      moment('onScene?', ({ onSceneAt }) => onSceneAt),
      moment('clear?', ({ clearAt }) => clearAt),
      entityColumn('taskDate', 'time', ({ task }) => task.date),
    ],
    bounded: 'taskDate',
    async *scan(caller, behind, bounds) {
      // The last task that was read whole, and the units read of the one after it.
      const [whole = '', read = '0'] = (behind ?? '').split('_');
      let before = wholeMark(whole);
      let skip = wholeMark(read);
      for await (const task of tasksBehind(tasks, caller, before, bounds)) {
        const units = unitsOf(task);
        for (const [index, unit] of units.entries())
          if (index >= skip)
            yield {
              entry: { task, unit, index },
              mark: index === units.length - 1 ? String(task.id) : `${before}_${index + 1}`,
            };
        before = task.id;
        skip = 0;
        if (units.length === 0) yield { entry: undefined, mark: String(task.id) };
      }
    },
  };
}

type VehicleEntry = ReturnType<Fleet['list']>[number];

function vehiclesSet({ fleet, tasks }: ODataRooms): EntitySet<VehicleEntry> {
  const ofState = (
    name: string,
    kind: 'number' | 'flag' | 'time',
    of: (state: VehicleEntry['state']) => number | boolean,
  ) => entityColumn<VehicleEntry>(name, kind, ({ state }) => (state.time > 0 ? of(state) : null));
  return {
    name: 'Vehicles',
    entity: 'Vehicle',
    description: 'Vehicles with their last position.',
    key: ['id'],
    columns: [
      entityColumn('id', 'whole', ({ vehicle }) => vehicle.id),
      entityColumn('name', 'text', ({ vehicle }) => vehicle.name),
      entityColumn('plate', 'text', ({ vehicle }) => vehicle.plate),
      entityColumn('device', 'whole', ({ vehicle }) => vehicle.glonassId),
      entityColumn('organizationId', 'whole', ({ vehicle }) => vehicle.organizationId),
      entityColumn(
        'organization?',
        'text',
        ({ vehicle }) => tasks.organizations.get(vehicle.organizationId)?.name ?? null,
      ),
      entityColumn('group?', 'text', ({ group }) => group?.name ?? null),
      entityColumn('kind?', 'text', ({ kind }) => kind?.name ?? null),
      entityColumn('make?', 'text', ({ make }) => make?.name ?? null),
      entityColumn('model?', 'text', ({ model }) => model?.name ?? null),
      entityColumn('onService', 'flag', ({ vehicle }) => vehicle.onService),
      entityColumn('status?', 'text', ({ state }) =>
        state.unitStatusSince > 0 ? (UNIT_STATUS_WORDS[state.unitStatus] ?? null) : null,
      ),
      entityColumn('statusSince?', 'time', ({ state }) => state.unitStatusSince || null),
      ofState('positionTime?', 'time', ({ time }) => time),
      ofState('longitude?', 'number', ({ lon }) => lon),
      ofState('latitude?', 'number', ({ lat }) => lat),
      ofState('speed?', 'number', ({ speed }) => speed),
      ofState('stopped?', 'flag', ({ stopped }) => stopped),
      ofState('odometer?', 'number', ({ odometer }) => odometer),
    ],
    scan: (caller, behind) => behindId(fleet.list(caller), ({ vehicle }) => vehicle.id, behind),
  };
}

function driversSet({ fleet, tasks }: ODataRooms): EntitySet<Driver> {
  return {
    name: 'Drivers',
    entity: 'Driver',
    description: 'Drivers.',
    key: ['id'],
    columns: [
      entityColumn('id', 'whole', ({ id }) => id),
      entityColumn('name', 'text', ({ name }) => name),
      entityColumn('phone', 'text', ({ phone }) => phone),
      entityColumn('notes', 'text', ({ notes }) => notes),
      entityColumn('organizationId', 'whole', ({ organizationId }) => organizationId),
      entityColumn(
        'organization?',
        'text',
        ({ organizationId }) => tasks.organizations.get(organizationId)?.name ?? null,
      ),
    ],
    scan: (caller, behind) => behindId(fleet.drivers.list(caller), ({ id }) => id, behind),
  };
}

function eventsSet({ events, fleet }: ODataRooms): EntitySet<EventRecord> {
  return {
    name: 'Events',
    entity: 'Event',
    description: 'Events of vehicles: those that last, then the newest first.',
    key: ['id'],
    columns: [
      entityColumn('id', 'whole', ({ id }) => id),
      entityColumn('typeId', 'whole', ({ type }) => type),
      entityColumn('type', 'text', ({ type }) => eventType(type).title),
      entityColumn('vehicleId', 'whole', ({ vehicleId }) => vehicleId),
      entityColumn('vehicle?', 'text', ({ vehicleId }) => fleet.known(vehicleId)?.name ?? null),
      entityColumn('begin', 'time', ({ from }) => from),
      entityColumn('end?', 'time', ({ until }) => until || null),
      entityColumn('seconds?', 'number', ({ from, until }) => (until > 0 ? (until - from) / 1_000 : null)),
      entityColumn('longitude', 'number', ({ lon }) => lon),
      entityColumn('latitude', 'number', ({ lat }) => lat),
      entityColumn('info', 'text', ({ info }) => info),
    ],
    bounded: 'begin',
    async *scan(caller, behind, bounds) {
      const vehicleIds = fleet.list(caller).map(({ vehicle }) => vehicle.id);
      let after = behind === undefined ? undefined : wholeMark(behind);
      for (;;) {
        const found = await events.list({ vehicleIds, ...bounds, after, limit: STEP });
        for (const event of found) yield { entry: event, mark: String(event.id) };
        if (found.length < STEP) return;
        after = found.at(-1)!.id;
      }
    },
  };
}

/** The tasks of the lists, closed and archived ones too, by their number. */
async function* tasksBehind(tasks: Tasks, caller: Caller, id: number, bounds: TimeBounds): AsyncGenerator<Task> {
  for (let after = id; ;) {
    const found = await tasks.lists.page(caller, {
      ...{ withClosed: true, withAssigned: true, withArchive: true, ...bounds },
      ...{ sortBy: 'id', direction: 'asc', limit: STEP, after },
    });
    yield* found;
    if (found.length < STEP) return;
    after = found.at(-1)!.id;
  }
}

/** A list in memory by its ids: an entry that comes or goes between two pages moves no other. */
function* behindId<T>(
  list: readonly T[],
  idOf: (entry: T) => number,
  behind: string | undefined,
): Generator<MarkedEntry<T>> {
  const from = behind === undefined ? -1 : wholeMark(behind);
  const sorted = list.toSorted((a, b) => idOf(a) - idOf(b));
  for (const entry of sorted) if (idOf(entry) > from) yield { entry, mark: String(idOf(entry)) };
}

/** 0 for anything that is no mark of ours. */
function wholeMark(text: string | undefined): number {
  return text !== undefined && /^\d{1,16}$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : 0;
}

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { priorityOf } from '../../../shared/tasks/priority.ts';
import { activeUnits } from '../../../shared/tasks/units.ts';
import type { CrewMessage, Task } from '../../../shared/records/index.ts';
import { receiptOf, type CrewCaller, type Crews } from '../../dispatch/crews/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import type { OwnPlaces } from '../../dispatch/places/index.ts';
import { crewActor, type Tasks } from '../../dispatch/tasks/index.ts';

const CrewUnit = z.object({
  carId: z.int(),
  name: z.string(),
  role: z.string(),
  status: z.int(),
  statusSince: z.int(),
});
const CrewFile = z.object({
  id: z.int(),
  kind: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.int().meta({ description: 'bytes' }),
});

const CrewText = z.object({
  id: z.int(),
  at: z.int(),
  own: z.boolean(),
  author: z.string().meta({ description: 'Who of the control room wrote it.' }),
  text: z.string(),
  mustAnswer: z.boolean(),
  deliveredAt: z.int().nullable(),
  readAt: z.int().nullable().meta({ description: 'Of an own one: when the control room read it.' }),
  answeredAt: z.int().nullable(),
});

const CrewTask = z
  .object({
    id: z.int(),
    title: z.string(),
    text: z.string(),
    address: z.string(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    priority: z.int(),
    category: z.string(),
    type: z.string(),
    sentAt: z.int(),
    acknowledgedAt: z.int().nullable(),
    onSceneAt: z.int().nullable(),
    role: z.string(),
    units: z.array(CrewUnit).meta({ description: 'The others on this task.' }),
    notes: z.array(z.object({ name: z.string(), subject: z.string(), text: z.string() })),
    comments: z.array(z.object({ id: z.int(), at: z.int(), author: z.string(), text: z.string() })),
    files: z.array(CrewFile),
  })
  .meta({ id: 'CrewTask' });

export const CrewState = z
  .object({
    version: z.string().meta({ description: 'Changes with everything but `now`.' }),
    now: z.int(),
    car: z.object({ id: z.int(), name: z.string(), no: z.string(), glyph: z.string(), service: z.string() }),
    status: z.int().nullable().meta({ description: 'The digit; null: not known.' }),
    statusSince: z.int(),
    tracked: z.boolean().meta({ description: 'A tracker of the vehicle reports, so the telephone need not.' }),
    safety: z
      .object({ since: z.int(), period: z.int().meta({ description: 'ms' }) })
      .nullable()
      .meta({ description: 'On scene: when it was heard last, and how often it should be.' }),
    territory: z.string().meta({ description: 'Marks the tiles of the map; empty: there is no map.' }),
    tasks: z.array(CrewTask),
    messages: z.array(CrewText).meta({ description: 'Of the last day, oldest first.' }),
  })
  .meta({ id: 'CrewState' });
export type CrewState = z.input<typeof CrewState>;

interface CrewStateRooms {
  readonly crews: Crews;
  readonly tasks: Tasks;
  readonly fleet: Fleet;
  readonly places: OwnPlaces;
  readonly map: { readonly version: string };
  now(): number;
}

/** All that the telephone of a crew shows. */
export function presentCrewState({ vehicle }: CrewCaller, rooms: CrewStateRooms): CrewState {
  const { crews, tasks, fleet, map, now } = rooms;
  const state = fleet.states.get(vehicle.id);
  const kind = fleet.kinds.mirror.get(vehicle.kindId ?? 0);
  const isKnown = state !== undefined && state.unitStatusSince > 0;
  const shown = {
    car: {
      id: vehicle.id,
      name: vehicle.name,
      no: vehicle.plate,
      glyph: kind?.glyph ?? '',
      service: kind?.service ?? '',
    },
    status: isKnown ? state.unitStatus : null,
    statusSince: isKnown ? state.unitStatusSince : 0,
    tracked: crews.isTracked(vehicle.id),
    safety: crews.safetyOf(vehicle) ?? null,
    territory: map.version.split('-')[0]!,
    tasks: tasks.crews.tasksOf(vehicle.id).map((task) => presentTask(task, vehicle, rooms)),
    messages: crews.messages.shownTo(vehicle).map((message) => presentText(message, vehicle, tasks)),
  };
  const version = createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22);
  return { version, now: now(), ...shown };
}

function presentText(
  message: CrewMessage,
  vehicle: CrewCaller['vehicle'],
  tasks: Tasks,
): CrewState['messages'][number] {
  const own = message.vehicleId === vehicle.id;
  const { deliveredAt, readAt, answeredAt } = receiptOf(message, own ? undefined : vehicle.id);
  return {
    id: message.id,
    at: message.at,
    own,
    author: tasks.users.get(message.userId)?.name ?? '',
    text: message.text,
    mustAnswer: message.mustAnswer,
    deliveredAt: deliveredAt || null,
    readAt: readAt || null,
    answeredAt: answeredAt || null,
  };
}

function presentTask(task: Task, vehicle: CrewCaller['vehicle'], rooms: CrewStateRooms): CrewState['tasks'][number] {
  const { tasks, fleet } = rooms;
  const units = activeUnits(task);
  const own = units.find(({ vehicleId }) => vehicleId === vehicle.id);
  return {
    id: task.id,
    title: task.title,
    text: task.text,
    address: task.address,
    lat: task.point?.lat ?? null,
    lon: task.point?.lon ?? null,
    priority: priorityOf(task, tasks.categories.get(task.categoryId)),
    category: tasks.categories.get(task.categoryId)?.name ?? '',
    type: tasks.types.get(task.typeId)?.name ?? '',
    sentAt: own?.sentAt ?? 0,
    acknowledgedAt: own?.acknowledgedAt || null,
    onSceneAt: own?.onSceneAt || null,
    role: own?.role ?? '',
    units: units
      .filter(({ vehicleId }) => vehicleId !== vehicle.id)
      .map(({ vehicleId, role, status, statusSince }) => ({
        carId: vehicleId,
        name: fleet.known(vehicleId)?.name ?? '',
        role,
        status,
        statusSince,
      })),
    notes: task.point ? notesAt(task.point, vehicle, rooms) : [],
    comments: tasks.crews.commentsOf(task).map(({ id, at, authorId, text }) => ({
      id,
      at,
      author: tasks.users.get(authorId)?.name ?? '',
      text,
    })),
    files: tasks.crews.attachmentsOf(task).map(({ id, kind, name, type, size }) => ({ id, kind, name, type, size })),
  };
}

/** Premise notes, then notes of own places there. A crew that is sent to a gate reads its code. */
function notesAt(
  point: NonNullable<Task['point']>,
  vehicle: CrewCaller['vehicle'],
  { fleet, places }: CrewStateRooms,
): CrewState['tasks'][number]['notes'] {
  const actor = crewActor(vehicle);
  const ofPlaces = places.at(actor, point).flatMap(({ name, sort, notes, accessCode }) => [
    { name, subject: sort === 'hazard' ? 'hazard' : 'other', text: notes },
    { name, subject: 'code', text: accessCode },
  ]);
  return [
    ...fleet.proposals.notesAt(actor, point).map(({ name, subject, text }) => ({ name, subject, text })),
    ...ofPlaces.filter(({ text }) => text !== ''),
  ];
}

import type { Geometry } from 'geojson';
import { versionAt } from '../../../../shared/fleet/versions.ts';
import type { Caller } from '../../../access/accounts/index.ts';
import type { Closures } from '../../../geo/closures/index.ts';
import type { Fleet } from '../../../dispatch/fleet/index.ts';
import type { OwnPlaces } from '../../../dispatch/places/index.ts';
import type { Tasks } from '../../../dispatch/tasks/index.ts';
import { presentClosure } from '../../routing/closures.ts';

/** A feature of GeoJSON, with the time that a filter looks at. */
export interface OgcFeature {
  readonly id: number;
  readonly geometry: Geometry;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Epoch ms; null: without an end. undefined: it has no time, and every filter takes it. */
  readonly span: readonly [from: number | null, until: number | null] | undefined;
}

export interface OgcWanted {
  readonly offset: number;
  readonly limit: number;
  readonly takes: (feature: OgcFeature) => boolean;
}

export interface OgcPage {
  readonly features: readonly OgcFeature[];
  /** Where the next page begins; undefined: this is the last one. */
  readonly next: number | undefined;
}

export interface OgcCollection {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** At most `limit` features behind `offset` that `takes` wants, in a stable order. */
  read(caller: Caller, page: OgcWanted): OgcPage | Promise<OgcPage>;
  /** Throws a refusal when it is not there. */
  get(caller: Caller, id: number): OgcFeature | undefined;
}

export interface OgcRooms {
  readonly tasks: Tasks;
  readonly fleet: Fleet;
  readonly places: OwnPlaces;
  readonly closures: Closures;
  readonly now: () => number;
}

/** Tasks read at once, and how often for one page: the next page continues after them. */
const STEP = 500;
const MOST_STEPS = 20;

/** Collections that a map program may show, each with the rights of the caller. */
export function ogcCollections(rooms: OgcRooms): readonly OgcCollection[] {
  return [tasksOf(rooms), vehiclesOf(rooms), zonesOf(rooms), closuresOf(rooms), placesOf(rooms)];
}

type StoredTask = ReturnType<Tasks['get']>;

function tasksOf({ tasks }: OgcRooms): OgcCollection {
  const present = (task: StoredTask): OgcFeature | undefined =>
    task.point
      ? {
          id: task.id,
          geometry: { type: 'Point', coordinates: [task.point.lon, task.point.lat] },
          properties: {
            title: task.title,
            type: tasks.types.get(task.typeId)?.name ?? '',
            category: tasks.categories.get(task.categoryId)?.name ?? '',
            status: tasks.statuses.get(task.status)?.name ?? '',
            priority: tasks.priorityOf(task),
            organization: tasks.organizations.get(task.organizationId)?.name ?? '',
            address: task.address,
            date: iso(task.date),
            updated: iso(task.updatedAt),
          },
          span: [task.date, task.date],
        }
      : undefined;
  return {
    id: 'tasks',
    title: 'Tasks',
    description: 'Current tasks with a place. The time is that of the task.',
    // The id of the last task of a page is the offset of the next: pages stay where they are when tasks are added.
    async read(caller, { offset, limit, takes }) {
      const features: OgcFeature[] = [];
      let after = offset;
      for (let step = 0; step < MOST_STEPS; step++) {
        const found = await tasks.lists.page(caller, {
          ...{ hasPoint: true, withClosed: true, withAssigned: true, limit: STEP, after },
          ...{ sortBy: 'id', direction: 'asc' },
        });
        for (const task of found) {
          if (features.length === limit) return { features, next: after };
          const feature = present(task);
          if (feature && takes(feature)) features.push(feature);
          after = task.id;
        }
        if (found.length < STEP) return { features, next: undefined };
      }
      return { features, next: after };
    },
    get: (caller, id) => present(tasks.get(caller, id)),
  };
}

function vehiclesOf({ fleet }: OgcRooms): OgcCollection {
  const present = ({ vehicle, state }: ReturnType<Fleet['detail']>): OgcFeature | undefined =>
    state.time > 0
      ? {
          id: vehicle.id,
          geometry: { type: 'Point', coordinates: [state.lon, state.lat] },
          properties: {
            name: vehicle.name,
            plate: vehicle.plate,
            time: iso(state.time),
            speed: state.speed,
            direction: state.direction,
            stopped: state.stopped,
            status: state.unitStatusSince > 0 ? state.unitStatus : null,
          },
          span: [state.time, state.time],
        }
      : undefined;
  return {
    id: 'vehicles',
    title: 'Vehicles',
    description: 'Vehicles at their last position. The time is that of the position.',
    read: (caller, page) => whole(fleet.list(caller), page, present),
    get: (caller, id) => present(fleet.detail(caller, id)),
  };
}

function zonesOf({ fleet, now }: OgcRooms): OgcCollection {
  type Zone = ReturnType<Fleet['geozones']['get']>;
  const present = (zone: Zone): OgcFeature => {
    const { name, shape, speedLimit, validFrom } = versionAt(zone, now());
    const [geometry, size] = geometryOf(shape);
    return {
      id: zone.id,
      geometry,
      properties: { name, ...size, speedLimit: speedLimit || null, notes: zone.notes, color: zone.color },
      span: [validFrom, null],
    };
  };
  return {
    id: 'zones',
    title: 'Geozones',
    description: 'A circle is its centre with `radius`, a corridor its middle with `width` to either side, in metres.',
    read: (caller, page) => whole(fleet.geozones.list(caller), page, present),
    get: (caller, id) => present(fleet.geozones.get(caller, id)),
  };
}

type ZoneForm = ReturnType<Fleet['geozones']['get']>['versions'][number]['shape'];

function geometryOf(shape: ZoneForm): [Geometry, Readonly<Record<string, number>>] {
  switch (shape.kind) {
    case 'circle':
      return [{ type: 'Point', coordinates: shape.center }, { radius: shape.radius }];
    case 'corridor':
      return [{ type: 'LineString', coordinates: shape.line }, { width: shape.width }];
    case 'polygon':
      return [{ type: 'Polygon', coordinates: shape.rings }, {}];
  }
}

function closuresOf({ closures }: OgcRooms): OgcCollection {
  const present = (closure: ReturnType<Closures['list']>[number]): OgcFeature => {
    const { id, name, reason, from, till, factor } = presentClosure(closure);
    const properties = { name, reason, from: isoOrNull(from), till: isoOrNull(till), factor };
    return { id, geometry: closure.geometry, properties, span: [closure.from, closure.until] };
  };
  return {
    id: 'closures',
    title: 'Closures',
    description: 'Closed and slowed roads, with the time for which they hold. `factor` 0 is closed.',
    read: (_caller, page) => whole(closures.list(), page, present),
    get: (_caller, id) =>
      closures
        .list()
        .filter((closure) => closure.id === id)
        .map(present)[0],
  };
}

function placesOf({ places }: OgcRooms): OgcCollection {
  const present = ({ id, name, sort, layer, point, geometry, notes }: ReturnType<OwnPlaces['get']>): OgcFeature => ({
    id,
    geometry: geometry ?? { type: 'Point', coordinates: [point.lon, point.lat] },
    properties: { name, sort, layer, notes },
    span: undefined,
  });
  return {
    id: 'places',
    title: 'Own places',
    description: 'Hydrants, key boxes, gates and other own places, without their access codes.',
    read: (caller, page) => whole(places.list(caller), page, present),
    get: (caller, id) => present(places.get(caller, id)),
  };
}

/** A list that is in memory, by its index. */
function whole<T>(
  records: readonly T[],
  { offset, limit, takes }: OgcWanted,
  present: (record: T) => OgcFeature | undefined,
): OgcPage {
  const features: OgcFeature[] = [];
  for (let index = offset; index < records.length; index++) {
    if (features.length === limit) return { features, next: index };
    const feature = present(records[index]!);
    if (feature && takes(feature)) features.push(feature);
  }
  return { features, next: undefined };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time);
}

import { z } from 'zod';
import type { Caller } from '../../accounts/index.ts';
import type { Geocoder, Hit, HitKind } from '../../geocoding/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { queryLimit, queryLat, queryLon, queryText } from '../request/fields.ts';
import { route } from '../app/route.ts';
import type { DeclaredRoute } from '../app/route.ts';

/** A vehicle or task that a search finds. Only those with a position. */
export interface FoundItem {
  id: number;
  label: string;
  /** A second line: the plate, the status. */
  detail?: string;
  lon: number;
  lat: number;
}

/** Searches another room for this caller. Returns at most `limit` items, best first. */
export type SearchSource = (
  caller: Caller,
  query: string,
  limit: number,
) => readonly FoundItem[] | Promise<readonly FoundItem[]>;

const Point = z.object({ lon: z.number(), lat: z.number() });
const Item = z.object({
  pkid: z.int().meta({ description: 'Unique within its group. Of vehicles and tasks it is their id.' }),
  label: z.string().meta({
    description:
      'One line, most specific first. ≈ before a house number or a kilometre: worked out from its neighbours.',
  }),
  formattedLabel: z.string().meta({ description: 'The same on two lines: what it is, and where it lies. Plain text.' }),
  zoom: z.int(),
  point: Point,
});
const Group = z.object({
  groupName: z.enum(['Addresses', 'Streets', 'Places', 'Objects', 'Vehicles', 'Tasks']),
  items: z.array(Item),
});
type GroupName = z.output<typeof Group>['groupName'];

const GROUP_OF = {
  address: 'Addresses',
  street: 'Streets',
  corner: 'Streets',
  place: 'Places',
  object: 'Objects',
} satisfies Record<HitKind, GroupName>;
const USUAL = 10;
const MOST = 50;
const VEHICLE_ZOOM = 16;
/** The share of a full answer that vehicles, and tasks, may take. */
const SHARE = 1 / 5;

/** A. Search in the territory, and in the vehicles and tasks that the caller may see. */
export function geocodingRoutes(
  geocoder: Geocoder,
  findVehicles: SearchSource,
  findTasks: SearchSource,
): DeclaredRoute[] {
  return [
    route({
      method: 'GET',
      path: '/geocoding',
      cost: 1,
      family: 'A',
      bare: true,
      access: 'user',
      summary: 'Search for addresses, streets, corners, places, objects, vehicles and tasks',
      description:
        '`lon`, `lat` favour near results. `limit` counts all groups together: 10 when not given or 0, 50 at most. A pair of coordinates gives that point with the nearest address.',
      query: z.object({
        query: queryText,
        lon: queryLon.optional(),
        lat: queryLat.optional(),
        limit: queryLimit(1_000_000),
      }),
      answer: z.array(Group),
      run: async ({ query: { query, lon, lat, limit }, caller }) => {
        const most = Math.min(limit ?? USUAL, MOST);
        const near = nearOf(lon, lat);
        const [hits, vehicles, tasks] = await Promise.all([
          geocoder.search({ query, limit: most, ...(near && { near }) }).catch(refusalOf),
          findVehicles(caller, query, most),
          findTasks(caller, query, most),
        ]);
        if (!(hits instanceof Refusal)) return groups(hits, vehicles, tasks, most);
        // Without a map the search still finds vehicles and tasks.
        if (vehicles.length + tasks.length === 0) throw hits;
        return groups([], vehicles, tasks, most);
      },
    }),
    route({
      method: 'GET',
      path: '/geocoding/reverse',
      cost: 1,
      family: 'A',
      bare: true,
      access: 'user',
      summary: 'The address, or else the street, nearest to a point; on a bridge or a square, that',
      description: '404 where there is neither within 2 km.',
      query: z.object({ lon: queryLon, lat: queryLat }),
      answer: Item,
      run: async ({ query: point }) => {
        const hit = await geocoder.reverse(point);
        if (!hit) throw new Refusal('territory.noAddress');
        return presentHit(hit);
      },
    }),
  ];
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal && error.kind === 'no-territory') return error;
  throw error;
}

function nearOf(lon: number | undefined, lat: number | undefined): { lon: number; lat: number } | undefined {
  if (lon === undefined && lat === undefined) return undefined;
  if (lon === undefined || lat === undefined) throw new Refusal('territory.together');
  return { lon, lat };
}

/** Vehicles and tasks get their share, the territory the rest. Unused shares go to the others. */
function groups(
  hits: readonly Hit[],
  vehicles: readonly FoundItem[],
  tasks: readonly FoundItem[],
  most: number,
): z.output<typeof Group>[] {
  const share = Math.floor(most * SHARE);
  const ofTerritory = Math.min(hits.length, most - Math.min(vehicles.length, share) - Math.min(tasks.length, share));
  const ofVehicles = Math.min(vehicles.length, most - ofTerritory - Math.min(tasks.length, share));
  const ofTasks = Math.min(tasks.length, most - ofTerritory - ofVehicles);
  const items: Record<GroupName, z.output<typeof Item>[]> = {
    Addresses: [],
    Streets: [],
    Places: [],
    Objects: [],
    Vehicles: [],
    Tasks: [],
  };
  for (const hit of hits.slice(0, ofTerritory)) items[GROUP_OF[hit.kind]].push(presentHit(hit));
  items.Vehicles = vehicles.slice(0, ofVehicles).map(presentFound);
  items.Tasks = tasks.slice(0, ofTasks).map(presentFound);
  return Group.shape.groupName.options
    .filter((groupName) => items[groupName].length > 0)
    .map((groupName) => ({ groupName, items: items[groupName] }));
}

function presentHit({ id, label, area, zoom, lon, lat }: Hit): z.output<typeof Item> {
  const formattedLabel = area && label.endsWith(`, ${area}`) ? `${label.slice(0, -area.length - 2)}\n${area}` : label;
  return { pkid: id, label, formattedLabel, zoom, point: { lon, lat } };
}

function presentFound({ id, label, detail, lon, lat }: FoundItem): z.output<typeof Item> {
  return {
    pkid: id,
    label,
    formattedLabel: detail ? `${label}\n${detail}` : label,
    zoom: VEHICLE_ZOOM,
    point: { lon, lat },
  };
}

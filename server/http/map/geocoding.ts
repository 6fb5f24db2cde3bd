import { z } from 'zod';
import type { Caller } from '../../access/accounts/index.ts';
import type { AddressQuestion, Geocoder, Hit, HitKind } from '../../geo/geocoding/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import {
  bodyInt,
  bodyNumber,
  languageTag,
  queryFlag,
  queryLimit,
  queryLat,
  queryLon,
  queryText,
  textUpTo,
} from '../request/fields.ts';
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

/** An own place, which the search finds like a vehicle; `label` is the name by which it was found. */
export interface FoundOwnPlace extends FoundItem {
  readonly sort: string;
  /** 0 to 1 */
  readonly score: number;
}

/** The own places that the caller sees: by name, best first, and at a point, the most particular first. */
export interface OwnPlaceSource {
  find(
    caller: Caller,
    query: string,
    limit: number,
    near: { lon: number; lat: number } | undefined,
  ): readonly FoundOwnPlace[];
  at(caller: Caller, point: { lon: number; lat: number }): FoundOwnPlace | undefined;
}

/** Sources of a search besides the territory. */
interface SearchSources {
  readonly vehicles: SearchSource;
  readonly tasks: SearchSource;
  readonly places: OwnPlaceSource;
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
  score: z.number().optional().meta({ description: '0 to 1, comparable within one answer.' }),
  kind: z.string().optional().meta({
    description:
      'What it is: `house`, `corner`, `milestone`, or the value of its OpenStreetMap tag, such as `hospital`.',
  }),
  match: z.enum(['exact', 'estimated', 'other']).optional().meta({
    description:
      'Of a house: the number that was asked for; a place worked out from its neighbours; a house with another letter or block.',
  }),
  address: z
    .object({
      street: z.string().optional(),
      number: z.string().optional(),
      suburb: z.string().optional(),
      city: z.string().optional(),
      region: z.string().optional(),
      postcode: z.string().optional(),
      country: z.string().optional().meta({ description: 'The country that the query names, as typed.' }),
      unit: z.string().optional().meta({ description: 'The flat, floor or office that the query names, as typed.' }),
    })
    .optional(),
});
const DETAILS = '`score`, `kind`, `match` and `address` come with `details=true`.';
const LANG = languageTag.optional().meta({
  description: 'Names are given in this language where the map has them.',
});
const shortText = textUpTo(200);
/** An address in fields, instead of one text. */
const ADDRESS = {
  street: shortText.optional(),
  number: shortText.optional(),
  city: shortText.optional(),
  postcode: shortText.optional(),
};
const Group = z.object({
  groupName: z.enum(['OwnPlaces', 'Addresses', 'Streets', 'Places', 'Objects', 'Vehicles', 'Tasks']),
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
const DEFAULT_LIMIT = 10;
const MOST = 50;
/** Questions of one batch, and answers to each. */
const MOST_QUESTIONS = 100;
const MOST_ANSWERS = 10;
const VEHICLE_ZOOM = 16;
const OWN_PLACE_ZOOM = 18;
/**
 * The share of a full answer that own places may take: a name that an organization gave itself is what its
 * users mean.
 */
const OWN_SHARE = 1 / 2;
/** The share of a full answer that vehicles, and tasks, may take. */
const SHARE = 1 / 5;

/** A. Search in the territory, and in the vehicles and tasks that the caller may see. */
export function geocodingRoutes(
  geocoder: Geocoder,
  { vehicles: findVehicles, tasks: findTasks, places }: SearchSources,
): DeclaredRoute[] {
  return [
    route({
      method: 'GET',
      path: '/geocoding',
      cost: 1,
      family: 'A',
      bare: true,
      access: 'user',
      summary: 'Search for own places, addresses, streets, corners, places, objects, vehicles and tasks',
      description:
        '`lon`, `lat` favour near results. `limit` counts all groups together: 10 when not given or 0, 50 at most. A pair of coordinates gives that point with the nearest address. Instead of `query`, an address may come in fields: `street`, `number`, `city`, `postcode`. ' +
        DETAILS,
      query: z.object({
        query: queryText.optional(),
        ...ADDRESS,
        details: queryFlag.optional(),
        lon: queryLon.optional(),
        lat: queryLat.optional(),
        limit: queryLimit(1_000_000),
        lang: LANG,
      }),
      answer: z.array(Group),
      run: async ({ query: { query, lon, lat, limit, lang, details = false, ...fields }, caller }) => {
        const most = Math.min(limit ?? DEFAULT_LIMIT, MOST);
        const near = nearOf(lon, lat);
        const question = questionOf(query, fields);
        const [hits, vehicles, tasks] = await Promise.all([
          geocoder.search({ ...question, limit: most, language: lang, ...(near && { near }) }).catch(refusalOf),
          question.address ? [] : findVehicles(caller, question.query, most),
          question.address ? [] : findTasks(caller, question.query, most),
        ]);
        const own = question.address ? [] : places.find(caller, question.query, Math.ceil(most * OWN_SHARE), near);
        const rest = most - own.length;
        // Without a map the search still finds own places, vehicles and tasks.
        if (hits instanceof Refusal && own.length + vehicles.length + tasks.length === 0) throw hits;
        const others = groups(hits instanceof Refusal ? [] : hits, vehicles, tasks, rest, details);
        return own.length === 0
          ? others
          : [{ groupName: 'OwnPlaces' as const, items: own.map((place) => presentOwn(place, details)) }, ...others];
      },
    }),
    route({
      method: 'POST',
      path: '/geocoding/batch',
      cost: 25,
      family: 'A',
      bare: true,
      access: 'user',
      onStandby: true,
      summary: 'Search for many places at once',
      description: `Up to ${MOST_QUESTIONS} questions, each a \`query\` or an address in fields. \`answers\` has the items of each, best first, in the order of the questions; \`limit\` counts those of one question: 1 when not given, ${MOST_ANSWERS} at most. Vehicles and tasks are not searched.`,
      body: z.object({
        queries: z
          .array(z.object({ query: queryText.optional(), ...ADDRESS }))
          .min(1)
          .max(MOST_QUESTIONS),
        lon: bodyNumber(-180, 180).optional(),
        lat: bodyNumber(-90, 90).optional(),
        limit: bodyInt(1, MOST_ANSWERS).optional(),
        lang: LANG,
      }),
      answer: z.object({ answers: z.array(z.array(Item)) }),
      run: async ({ body: { queries, lon, lat, lang, limit = 1 } }) => {
        const near = nearOf(lon, lat);
        const questions = queries.map(({ query, ...fields }) => questionOf(query, fields));
        const answers: z.output<typeof Item>[][] = [];
        // One after another: typing users do not wait behind the whole batch.
        for (const question of questions) {
          const asked = { ...question, limit, language: lang, isOfBatch: true, ...(near && { near }) };
          const hits = await geocoder.search(asked);
          answers.push(hits.map((hit) => presentHit(hit, true)));
        }
        return { answers };
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
      description: `At an own place its name stands first, and \`kind\` is that of the place. 404 where there is neither within 2 km. ${DETAILS}`,
      query: z.object({ lon: queryLon, lat: queryLat, details: queryFlag.optional(), lang: LANG }),
      answer: Item,
      run: async ({ caller, query: { details = false, lang, ...point } }) => {
        const own = places.at(caller, point);
        const hit = await geocoder.reverse(point, lang).catch((error: unknown) => {
          if (own) return undefined;
          throw error;
        });
        if (own) return atOwnPlace(own, hit, details);
        if (!hit) throw new Refusal('territory.noAddress');
        return presentHit(hit, details);
      },
    }),
  ];
}

/** A text, or an address in fields: one of them must be there. */
function questionOf(query: string | undefined, fields: AddressQuestion): { query: string; address?: AddressQuestion } {
  if (query !== undefined) return { query };
  if (!Object.values(fields).some((field) => field)) throw new Refusal('field.missing', { field: 'query' });
  return { query: '', address: fields };
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
  details: boolean,
): z.output<typeof Group>[] {
  const share = Math.floor(most * SHARE);
  const ofTerritory = Math.min(hits.length, most - Math.min(vehicles.length, share) - Math.min(tasks.length, share));
  const ofVehicles = Math.min(vehicles.length, most - ofTerritory - Math.min(tasks.length, share));
  const ofTasks = Math.min(tasks.length, most - ofTerritory - ofVehicles);
  const items: Record<GroupName, z.output<typeof Item>[]> = {
    OwnPlaces: [],
    Addresses: [],
    Streets: [],
    Places: [],
    Objects: [],
    Vehicles: [],
    Tasks: [],
  };
  for (const hit of hits.slice(0, ofTerritory)) items[GROUP_OF[hit.kind]].push(presentHit(hit, details));
  items.Vehicles = vehicles.slice(0, ofVehicles).map(presentFound);
  items.Tasks = tasks.slice(0, ofTasks).map(presentFound);
  return Group.shape.groupName.options
    .filter((groupName) => items[groupName].length > 0)
    .map((groupName) => ({ groupName, items: items[groupName] }));
}

function presentHit(hit: Hit, details: boolean): z.output<typeof Item> {
  const { id, label, area, zoom, lon, lat } = hit;
  const formattedLabel = area && label.endsWith(`, ${area}`) ? `${label.slice(0, -area.length - 2)}\n${area}` : label;
  const item = { pkid: id, label, formattedLabel, zoom, point: { lon, lat } };
  if (!details) return item;
  const { score, kind, sort, match, parts, unit } = hit;
  return {
    ...item,
    score: Math.round(score * 1000) / 1000,
    kind: sort ?? kind,
    ...(match && { match }),
    address: { ...parts, ...(unit !== undefined && { unit }) },
  };
}

function presentOwn(place: FoundOwnPlace, details: boolean): z.output<typeof Item> {
  const { score, sort } = place;
  const item = { ...presentFound(place), zoom: OWN_PLACE_ZOOM };
  return details ? { ...item, score: Math.round(score * 1000) / 1000, kind: sort } : item;
}

/** "Gate 4, Mill Road 12, Milton" */
function atOwnPlace(own: FoundOwnPlace, hit: Hit | undefined, details: boolean): z.output<typeof Item> {
  const address = hit && presentHit(hit, details);
  return {
    ...presentOwn(own, details),
    label: address ? `${own.label}, ${address.label}` : own.label,
    formattedLabel: address ? `${own.label}\n${address.label}` : own.label,
    ...(address?.address && { address: address.address }),
  };
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

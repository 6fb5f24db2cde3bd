import type { Request, Response } from 'express';
import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import type { DirectionsAnswer, Planner } from '../../geo/routing/index.ts';
import { sendBytes } from '../app/errors.ts';
import { JsonBytes, route } from '../app/route.ts';
import type { Access, DeclaredRoute } from '../app/route.ts';
import {
  OsrmRefusal,
  optionFlag,
  formOf,
  indexesOf,
  legEndsOf,
  optionAmong,
  parseOsrmQuery,
  timestampsOf,
  wholeOf,
  type OsrmQuery,
} from './osrm-query.ts';

/** Most points of each service; of a table, the setting of `/table`. */
const MOST_OF_ROUTE = 500;
const MOST_OF_TRIP = 100;
const MOST_OF_MATCH = 500;
const MOST_NEAREST = 100;
/** Metres around a position of a track without an accuracy of its own: its roads are looked for by the matcher. */
const LEAST_ACCURACY = 1;
/** Cells of a table, and points of a track or trip, for one point of the caller's minute. */
const CELLS = 10_000;
const POINTS = 50;

interface OsrmOptions {
  readonly access: Access;
  readonly tableLimit: number;
  readonly snapLimit: number;
}

const option = (description: string): z.ZodOptional<z.ZodAny> => z.any().optional().meta({ description });
const general = {
  radiuses: option('`50;unlimited;…`: metres to the road at most, for each coordinate.'),
  bearings: option('`degrees,range;;…`: direction of travel, for each coordinate; may be empty.'),
  hints: option('`…;…`: hints of an earlier answer, for each coordinate; may be empty.'),
  generate_hints: option('`false`: without hints.'),
  skip_waypoints: option('`true`: without the snapped coordinates.'),
};
const shape = {
  steps: option('`true`: with steps.'),
  annotations: option('`true`, or of `duration,distance,speed,weight,datasources`: of every straight piece.'),
  geometries: option('`polyline` (default), `polyline6` or `geojson`.'),
  overview: option('`simplified` (default), `full` or `false`.'),
};
const params = z.object({
  profile: z.string().meta({ description: '`driving` or `car`, `walking` or `foot`, or another vehicle profile.' }),
  coordinates: z.string().meta({ description: '`lon,lat;lon,lat`, `polyline(…)` or `polyline6(…)`' }),
});
const Waypoint = z.looseObject({
  hint: z.string().optional(),
  distance: z.number().meta({ description: 'Metres from the coordinate.' }),
  name: z.string(),
  location: z.array(z.number()).meta({ description: '[lon, lat]' }),
});
const Route = z.looseObject({
  distance: z.number().meta({ description: 'metres' }),
  duration: z.number().meta({ description: 'seconds' }),
  legs: z.array(z.looseObject({ steps: z.array(z.looseObject({})), distance: z.number(), duration: z.number() })),
});
const Matrix = z.array(z.array(z.number().nullable()));
const Ok = z.literal('Ok');

/** The services under the paths of OSRM 5, so that its clients work unchanged. */
export function osrmRoutes(planner: Planner, { access, tableLimit, snapLimit }: OsrmOptions): DeclaredRoute[] {
  const common = { method: 'GET', family: 'C', group: 'routing', access, ownGrammar: true, params } as const;
  const failures =
    'A request without an answer gets status 400 and `{code, message}`: `NoSegment` when a coordinate is not on this map, `NoRoute`, `NoTrips` or `NoMatch` when there is none, `TooBig`, `InvalidOptions`, `InvalidValue`, `InvalidQuery`.';
  const profileIn = profileFinder(planner);
  return [
    route({
      ...common,
      path: '/route/v1/:profile/:coordinates',
      summary: 'The quickest way through coordinates in order, as of OSRM 5',
      description: `At most ${MOST_OF_ROUTE} coordinates. ${failures}`,
      query: z.object({
        ...general,
        ...shape,
        alternatives: option('`true` or a number: an alternative, if there is a good one.'),
        continue_straight: option('`false`: the vehicle may turn back at every coordinate.'),
        waypoints: option('`0;3;…`: the coordinates at which legs begin and end.'),
      }),
      answer: z.object({ code: Ok, routes: z.array(Route), waypoints: z.array(Waypoint).optional() }),
      run: (asked) =>
        answer(asked, 2, MOST_OF_ROUTE, (query) => {
          const { options, points } = query;
          const mayTurn = optionAmong(options, 'continue_straight', ['default', 'true', 'false']) === 'false';
          const alternatives = options.get('alternatives') ?? 'false';
          if (!/^(?:true|false|\d{1,3})$/.test(alternatives))
            throw new OsrmRefusal('InvalidValue', 'alternatives is true, false or a number.');
          const legsAt = legEndsOf(query);
          return planner.directions(
            {
              points: mayTurn ? points.map((point) => ({ ...point, uturn: true })) : points,
              alternatives: !/^(?:false|0+)$/.test(alternatives),
              snapLimit,
              ...(legsAt && { legsAt }),
              ...profileIn(query),
            },
            formOf(query),
          );
        }),
    }),
    route({
      ...common,
      path: '/nearest/v1/:profile/:coordinates',
      summary: 'The roads nearest to a coordinate, as of OSRM 5',
      description: `However far they are. ${failures}`,
      query: z.object({ ...general, number: option(`1 to ${MOST_NEAREST}: so many roads, the nearest first.`) }),
      answer: z.object({ code: Ok, waypoints: z.array(Waypoint) }),
      run: (asked) =>
        answer(asked, 1, 1, async (query) => {
          const [point] = query.points;
          const found = await planner.nearest(point!, {
            count: wholeOf(query.options, 'number', 1, MOST_NEAREST),
            snapLimit: point!.radius ?? Infinity,
            ...(point!.heading && { heading: point!.heading }),
            ...profileIn(query),
          });
          if (found.length === 0)
            return { code: 'NoSegment', message: 'Could not find a matching segments for coordinate' };
          const { hints } = formOf(query);
          const waypoints = found.map(({ hint, distance, name, lat, lon }) => ({
            ...(hints && { hint }),
            distance: Math.round(distance * 10) / 10,
            name,
            location: [lon, lat],
          }));
          return new TextEncoder().encode(JSON.stringify({ code: 'Ok', waypoints }));
        }),
    }),
    route({
      ...common,
      cost: (request) => Math.floor(countPoints(request) ** 2 / CELLS),
      path: '/table/v1/:profile/:coordinates',
      summary: 'Travel times between all pairs of coordinates, as of OSRM 5',
      description: `At most ${tableLimit} coordinates. ${failures}`,
      query: z.object({
        ...general,
        sources: option('`0;2;…`: the rows; all coordinates when not given.'),
        destinations: option('`1;3;…`: the columns; all coordinates when not given.'),
        annotations: option('`duration` (default), `distance`, or both with a comma.'),
      }),
      answer: z.object({
        code: Ok,
        durations: Matrix.optional().meta({ description: 'Seconds; null where there is no way.' }),
        distances: Matrix.optional().meta({ description: 'Metres; null where there is no way.' }),
        sources: z.array(Waypoint).optional(),
        destinations: z.array(Waypoint).optional(),
      }),
      run: (asked) =>
        answer(asked, 1, tableLimit, (query) => {
          for (const name of ['fallback_speed', 'fallback_coordinate', 'scale_factor'])
            if (query.options.has(name)) throw new OsrmRefusal('NotImplemented', `${name} is not supported.`);
          const wanted = (query.options.get('annotations') ?? 'duration').split(',');
          if (!wanted.every((name) => name === 'duration' || name === 'distance'))
            throw new OsrmRefusal('InvalidValue', 'annotations of a table are duration and distance.');
          const pick = (name: string): OsrmQuery['points'] =>
            indexesOf(query, name, true)?.map((i) => query.points[i]!) ?? query.points;
          return planner.durations(
            {
              sources: pick('sources'),
              targets: pick('destinations'),
              distances: wanted.includes('distance'),
              snapLimit,
              ...profileIn(query),
            },
            { ...formOf(query), durations: wanted.includes('duration') },
          );
        }),
    }),
    route({
      ...common,
      cost: (request) => Math.floor(countPoints(request) / POINTS),
      path: '/match/v1/:profile/:coordinates',
      summary: 'The roads that a track was driven on, as of OSRM 5',
      description: `At most ${MOST_OF_MATCH} coordinates, in the order of travel. \`radiuses\` are the accuracy of the positions in metres. A track is cut where no road leads on; \`confidence\` is less where other roads are as likely, and after detours. ${failures}`,
      query: z.object({
        ...general,
        ...shape,
        timestamps: option('`1424684612;1424684616;…`: epoch seconds of the coordinates.'),
        gaps: option('`split` (default), or `ignore`: positions that cannot be reached are left out.'),
        tidy: option('`true`: positions next to the one before are left out.'),
        waypoints: option('`0;3;…`: the coordinates at which legs begin and end.'),
      }),
      answer: z.object({
        code: Ok,
        matchings: z.array(z.looseObject({ ...Route.shape, confidence: z.number() })),
        tracepoints: z.array(Waypoint.nullable()).optional(),
      }),
      run: (asked) =>
        answer(asked, 2, MOST_OF_MATCH, (query) => {
          const times = timestampsOf(query);
          const legsAt = indexesOf(query, 'waypoints');
          return planner.match(
            {
              points: query.points.map(({ radius, ...point }, i) => ({
                ...point,
                ...(times && { time: times[i]! }),
                ...(radius !== undefined && { accuracy: Math.max(LEAST_ACCURACY, radius) }),
              })),
              ignoreGaps: optionAmong(query.options, 'gaps', ['split', 'ignore']) === 'ignore',
              tidy: optionFlag(query.options, 'tidy', false),
              ...(legsAt && { legsAt }),
              ...profileIn(query),
            },
            formOf(query),
          );
        }),
    }),
    route({
      ...common,
      cost: (request) => Math.floor(countPoints(request) / POINTS),
      path: '/trip/v1/:profile/:coordinates',
      summary: 'The quickest order of coordinates, and the way, as of OSRM 5',
      description: `At most ${MOST_OF_TRIP} coordinates. Exact up to 12, beyond by local search. Every combination of \`roundtrip\`, \`source\` and \`destination\` is answered. ${failures}`,
      query: z.object({
        ...general,
        ...shape,
        roundtrip: option('`false`: the trip need not return.'),
        source: option('`any` (default), or `first`: it begins at the first coordinate.'),
        destination: option('`any` (default), or `last`: it ends at the last coordinate.'),
      }),
      answer: z.object({ code: Ok, trips: z.array(Route), waypoints: z.array(Waypoint).optional() }),
      run: (asked) =>
        answer(asked, 2, MOST_OF_TRIP, (query) => {
          const { options, points } = query;
          return planner.trip(
            {
              points,
              roundtrip: optionFlag(options, 'roundtrip', true),
              fromFirst: optionAmong(options, 'source', ['any', 'first']) === 'first',
              toLast: optionAmong(options, 'destination', ['any', 'last']) === 'last',
              snapLimit,
              ...profileIn(query),
            },
            formOf(query),
          );
        }),
    }),
  ];
}

/** The planner's profile for a name of clients; OSRM itself ignores the name. */
function profileFinder(planner: Planner): (query: OsrmQuery) => { profile?: string } {
  const NAMES: Readonly<Record<string, string>> = { driving: 'car', walking: 'foot' };
  return ({ profile }) => {
    const wanted = Object.hasOwn(NAMES, profile) ? NAMES[profile]! : profile;
    const [standard] = planner.profiles;
    if (wanted === standard || standard === undefined) return {};
    // The first profile drives: its roads may have another name.
    if (profile === 'driving') return {};
    if (planner.profiles.includes(wanted)) return { profile: wanted };
    throw new OsrmRefusal(
      'InvalidValue',
      `There is no profile ${profile.slice(0, 50)}: ${planner.profiles.join(', ')}.`,
    );
  };
}

/** Counted, not parsed: the cost of a request is charged before. */
function countPoints({ url }: Request): number {
  const path = url.split('?', 1)[0]!;
  // Each point of a polyline takes two characters at least.
  return path.includes('polyline') ? path.length / 4 : path.split(';').length;
}

interface Exchange {
  request: Request;
  response: Response;
}

/** Parses the query, calls the planner, and sends its bytes, or why there is no answer. */
async function answer(
  { request, response }: Exchange,
  least: number,
  most: number,
  ask: (query: OsrmQuery) => Promise<DirectionsAnswer>,
): Promise<JsonBytes> {
  response
    .setHeader('Access-Control-Allow-Origin', '*')
    .setHeader('Access-Control-Allow-Methods', 'GET')
    .setHeader('Access-Control-Allow-Headers', 'X-Requested-With, Content-Type')
    .setHeader('Content-Type', 'application/json; charset=UTF-8')
    .setHeader('Content-Disposition', 'inline; filename="response.json"');
  const found = await asking(request, least, most, ask);
  if (found instanceof Uint8Array) return new JsonBytes(found);
  response.status(400);
  sendBytes(response, 'application/json; charset=UTF-8', Buffer.from(JSON.stringify(found)));
  return undefined as never; // answered
}

async function asking(
  { originalUrl }: Request,
  least: number,
  most: number,
  ask: (query: OsrmQuery) => Promise<DirectionsAnswer>,
): Promise<Uint8Array | { code: string; message: string }> {
  try {
    const query = parseOsrmQuery(originalUrl);
    const count = query.points.length;
    if (count > most) return { code: 'TooBig', message: `${count} coordinates are more than ${most}.` };
    if (count < least)
      return { code: 'InvalidOptions', message: `Number of coordinates needs to be at least ${least}.` };
    return await ask(query);
  } catch (error) {
    if (error instanceof OsrmRefusal) return { code: error.code, message: error.message };
    if (error instanceof Refusal && error.kind === 'invalid') return { code: 'InvalidValue', message: error.message };
    throw error;
  }
}

import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import {
  notOnMap,
  type Planner,
  type IsochroneRequest,
  type RouteRequest,
  type TableRequest,
} from '../../geo/routing/index.ts';
import { sendBytes } from '../app/errors.ts';
import { JsonBytes, route } from '../app/route.ts';
import type { Access, DeclaredRoute } from '../app/route.ts';
import { osrmRoutes } from './osrm.ts';
import { AreaFeature, RouteReply } from './routing-answers.ts';
import { parseRoutingQuery } from './routing-query.ts';
import type { RoutingPoint, RoutingQuery } from './routing-query.ts';

export interface RoutingOptions {
  /** Most points of a /viaroute, and of a /table. */
  viarouteLimit?: number;
  tableLimit?: number;
  /** Whether area C is open without a token: its old clients cannot send one. */
  anonymous?: boolean;
  /** Metres from a point to the nearest road, at most. Default: the planner's limit. */
  snapLimit?: number;
}

// Area C parses the raw URL; these schemas are for the documentation only.
const option = (description: string): z.ZodOptional<z.ZodAny> => z.any().optional().meta({ description });
const everywhere = {
  loc: option('`lat,lon` in decimal degrees. Repeated: points in the order of travel.'),
  locs: option('All points as an encoded polyline with six decimals, instead of `loc`.'),
  z: option('Zoom, 0 to 18: how far the geometry is simplified.'),
  jsonp: option('Name of a function: the JSON comes as a call of it.'),
  profile: option('Name of a vehicle profile; `car` when not given.'),
};
const heading = {
  b: option(
    '`degrees,range`, repeated for every point in order: the direction of travel there, clockwise from north, and how far off it may be; 10 degrees when not given.',
  ),
};
const withHints = {
  ...everywhere,
  ...heading,
  checksum: option('`hint_data.checksum` of an earlier answer; hints count only with it.'),
  hint: option('Directly after a `loc` that has not changed: its hint from the earlier answer.'),
};

const Pair = z.array(z.number()).meta({ description: '[lat, lon]; empty when there is no road' });
const OffMapMessage = z.string().optional().meta({ description: 'With status 207: which point is not on this map.' });

/** Most times of one /isochrone, and the longest, in minutes. */
const MAX_TIMES = 6;
const LONGEST = 240;

/** Cells of a distance table for one point. */
const CELLS = 10_000;

/** Small tables cost nothing: consoles ask for them all the time. The points are counted, not read. */
function costOfTable({ url }: Request): number {
  const count = url.split('loc=').length - 1;
  return count === 0 ? 1 : Math.floor((count * count) / CELLS);
}

/** Area C: the routing service. */
export function routingRoutes(planner: Planner, options: RoutingOptions = {}): DeclaredRoute[] {
  const { viarouteLimit = 25, tableLimit = 500, anonymous = true, snapLimit = planner.snapLimit } = options;
  const access: Access = anonymous ? 'open' : { scope: 'routing', others: 'user' };
  const common = { method: 'GET', family: 'C', group: 'routing', access, ownGrammar: true } as const;
  const limit = `A point that is farther than ${snapLimit} m from every road is not on this map: status 207.`;
  const farAway = snapLimit < Infinity ? ` ${limit} The limit is the setting \`router.snapLimit\`.` : '';
  const nothing = {
    status: 207,
    ...(snapLimit < Infinity && { status_message: notOnMap({ point: 0, limit: snapLimit }) }),
  };
  return [
    route({
      ...common,
      path: '/locate',
      summary: 'The node of the road network that is nearest to a point',
      query: z.object(everywhere),
      answer: z.object({ status: z.int(), status_message: OffMapMessage, mapped_coordinate: Pair }),
      run: (asked) =>
        answer(asked, 1, Infinity, async (query) => {
          const node = await planner.locate(degrees(query.loc[0]!), { snapLimit, ...profileOf(query, planner) });
          return node ? { status: 0, mapped_coordinate: [node.lat, node.lon] } : { ...nothing, mapped_coordinate: [] };
        }),
    }),
    route({
      ...common,
      path: '/nearest',
      summary: 'The point on a road that is nearest to a point',
      query: z.object({
        ...everywhere,
        ...heading,
        num_results: option('1 to 100: so many roads, the nearest first, in `results`.'),
      }),
      answer: z.object({
        status: z.int(),
        status_message: OffMapMessage,
        mapped_coordinate: Pair,
        name: z.string(),
        distance: z.number().optional().meta({
          description:
            'Metres to the nearest road, also when it is too far away; absent where there is no road at all.',
        }),
        results: z
          .array(z.object({ 'mapped coordinate': Pair, 'name': z.string(), 'distance': z.number() }))
          .optional(),
      }),
      run: (asked) =>
        answer(asked, 1, Infinity, async (query) => {
          const point = degrees(query.loc[0]!);
          // Without the limit: the answer tells how far away the road is that is too far.
          const all = await planner.nearest(point, {
            z: query.z,
            count: query.num_results,
            snapLimit: Infinity,
            ...(point.heading && { heading: point.heading }),
            ...profileOf(query, planner),
          });
          const found = all.filter(({ distance }) => distance <= snapLimit);
          const far = all[0] && { distance: inDecimetres(all[0].distance) };
          const [first] = found;
          if (!first) return { ...nothing, mapped_coordinate: [], name: '', ...far };
          return {
            status: 0,
            mapped_coordinate: [first.lat, first.lon],
            name: first.name,
            ...far,
            ...(query.num_results > 1 && {
              results: found.map(({ lat, lon, name, distance }) => ({
                'mapped coordinate': [lat, lon],
                name,
                'distance': inDecimetres(distance),
              })),
            }),
          };
        }),
    }),
    route({
      ...common,
      path: '/viaroute',
      summary: 'The quickest way through points in order',
      description: `At most ${viarouteLimit} points.${farAway}`,
      query: z.object({
        ...withHints,
        u: option('Directly after a `loc`: `true`: the vehicle may turn back there.'),
        uturns: option('`true`: it may turn back at every point.'),
        output: option('`json` or `gpx`.'),
        instructions: option('`true`: with instructions.'),
        alt: option('`false`: no alternative is looked for. Only with two points.'),
        geometry: option('`false`: without geometry.'),
        compression: option('`false`: the geometry as pairs.'),
      }),
      answer: RouteReply,
      run: (asked) =>
        answer(asked, 2, viarouteLimit, async (query, { response }) => {
          const gpx = query.output === 'gpx';
          const asked: RouteRequest = {
            points: query.loc.map(degrees),
            checksum: query.checksum ?? -1,
            z: query.z,
            alternatives: query.alt && !gpx && query.loc.length === 2,
            fullGeometry: gpx,
            snapLimit,
            ...profileOf(query, planner),
          };
          const { jsonp, instructions, geometry, compression } = query;
          const bytes = await planner.writtenRoute(asked, { jsonp, gpx, instructions, geometry, compression });
          if (!gpx) return new JsonBytes(bytes);
          response.set('Content-Disposition', 'attachment; filename="route.gpx"');
          sendBytes(response, 'application/gpx+xml; charset=UTF-8', bytes);
          return undefined as never; // answered
        }),
    }),
    route({
      ...common,
      cost: costOfTable,
      path: '/table',
      summary: 'Travel times between all pairs of points',
      description: `At most ${tableLimit} points. The numbers are tenths of a second, 2147483647 where there is no way.${farAway} The cells between the other points are filled in as usual.`,
      query: z.object({
        ...withHints,
        src: option('`lat,lon`, repeated: rows; every `loc` when not given.'),
        dst: option('`lat,lon`, repeated: columns; every `loc` when not given.'),
        distances: option('`true`: with the lengths of the ways.'),
      }),
      answer: z.object({
        status: z.int(),
        status_message: OffMapMessage,
        distance_table: z.array(z.array(z.int())).meta({ description: 'Row: from; column: to.' }),
        distances: z
          .array(z.array(z.int().nullable()))
          .optional()
          .meta({ description: 'Metres of the quickest ways, in the same places; null where there is none.' }),
      }),
      run: (asked) =>
        answer(asked, 2, tableLimit, async (query) => {
          const sources: TableRequest['sources'] = (query.src.length > 0 ? query.src : query.loc).map(degrees);
          const targets: TableRequest['targets'] = (query.dst.length > 0 ? query.dst : query.loc).map(degrees);
          if (sources.length === 0 || targets.length === 0) throw new Refusal('routing.badRequest');
          const asked: TableRequest = {
            sources,
            targets,
            checksum: query.checksum ?? -1,
            distances: query.distances,
            snapLimit,
            ...profileOf(query, planner),
          };
          return new JsonBytes(await planner.writtenTable(asked, { jsonp: query.jsonp }));
        }),
    }),
    route({
      ...common,
      cost: 10,
      path: '/isochrone',
      summary: 'The areas around the roads that are reached from a point in time',
      description: `GeoJSON, one feature for each time, in ascending order. At most ${MAX_TIMES} times, of ${LONGEST} minutes at most. An area goes \`near\` metres beyond the roads that are reached, and has holes only where there are roads that are not.`,
      query: z.object({ ...withHints, minutes: option('`5,10,15`: driving times in minutes.') }),
      answer: z.object({
        status: z.int(),
        status_message: OffMapMessage,
        type: z.literal('FeatureCollection'),
        features: z.array(AreaFeature),
        near: z.number().optional(),
        mapped_coordinate: Pair,
      }),
      run: (asked) =>
        answer(asked, 1, Infinity, async (query) => {
          const { minutes } = query;
          if (minutes.length === 0) throw new Refusal('routing.noTimes');
          if (minutes.length > MAX_TIMES)
            throw new Refusal('routing.tooManyTimes', { count: minutes.length, most: MAX_TIMES });
          if (minutes[0]! < 0.1 || minutes.at(-1)! > LONGEST)
            throw new Refusal('field.goesFrom', { field: 'minutes', least: 0.1, most: LONGEST });
          const asked: IsochroneRequest = {
            point: degrees(query.loc[0]!),
            checksum: query.checksum ?? -1,
            limits: minutes.map((time) => time * 60),
            snapLimit,
            ...profileOf(query, planner),
          };
          return new JsonBytes(await planner.writtenIsochrone(asked, { jsonp: query.jsonp }));
        }),
    }),
    ...osrmRoutes(planner, { access, tableLimit, snapLimit }),
  ];
}

/** Answers any other path on the port that serves area C only. */
export const unknownService: RequestHandler = (request, response) => {
  let message = 'Bad Request';
  try {
    parseRoutingQuery(request.originalUrl);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    message = error.message;
  }
  allowEverybody(response);
  response.status(400).json({ status: 400, status_message: message });
};

interface AskedRaw {
  request: Request;
  response: Response;
}

/** Parses the query, calls the planner, and sends JSON or JSONP. */
async function answer<Reply>(
  { request, response }: AskedRaw,
  least: number,
  most: number,
  ask: (query: RoutingQuery, asked: AskedRaw) => Promise<Reply>,
): Promise<Reply> {
  allowEverybody(response);
  const query = parseRoutingQuery(request.originalUrl);
  const count = query.loc.length + (query.service === 'table' ? query.src.length + query.dst.length : 0);
  if (count < least) throw new Refusal('routing.badRequest');
  if (count > most) throw new Refusal('routing.tooManyPoints', { count, most });
  const reply = await ask(query, { request, response });
  if (response.writableEnded) return reply;
  if (query.jsonp !== undefined) {
    response.set('Content-Disposition', 'inline; filename="response.js"');
    sendBytes(
      response,
      'text/javascript; charset=UTF-8',
      reply instanceof JsonBytes ? reply.bytes : Buffer.from(`${query.jsonp}(${JSON.stringify(reply)})`),
    );
  } else {
    response
      .setHeader('Content-Type', 'application/json; charset=UTF-8')
      .setHeader('Content-Disposition', 'inline; filename="response.json"');
  }
  return reply;
}

function allowEverybody(response: Response): void {
  response
    .setHeader('Access-Control-Allow-Origin', '*')
    .setHeader('Access-Control-Allow-Methods', 'GET')
    .setHeader('Access-Control-Allow-Headers', 'X-Requested-With, Content-Type');
}

function inDecimetres(metres: number): number {
  return Math.round(metres * 10) / 10;
}

function degrees({ lat, lon, hint, uturn, heading }: RoutingPoint): RouteRequest['points'][number] {
  return {
    lat: lat / 1e6,
    lon: lon / 1e6,
    ...(hint !== undefined && { hint }),
    ...(uturn && { uturn }),
    ...(heading && { heading }),
  };
}

function profileOf({ profile }: RoutingQuery, planner: Planner): { profile?: string } {
  if (profile === undefined) return {};
  if (!planner.profiles.includes(profile) && planner.profiles.length > 0)
    throw new Refusal('routing.noProfile', { profile, others: planner.profiles.join(', ') });
  return { profile };
}

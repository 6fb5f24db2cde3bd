import { z } from 'zod';
import { encodePolyline } from '../routing/index.ts';
import type { Area, Route, RouteAnswer, RouteStep } from '../routing/index.ts';
import type { RoutingQuery } from './routing-query.ts';

const Pair = z.tuple([z.number(), z.number()]).meta({ description: '[lat, lon]' });
const Geometry = z.union([z.string(), z.array(Pair)]).meta({ description: 'Encoded polyline with six decimals, or pairs with `compression=false`.' });
const Summary = z.object({ total_distance: z.int().meta({ description: 'metres' }), total_time: z.int().meta({ description: 'seconds' }), start_point: z.string(), end_point: z.string() });
const InstructionRow = z.array(z.union([z.string(), z.number()])).meta({
  description: 'Code, name of the road after it, metres to the next row, index in the geometry, seconds to the next row, metres as text, compass name, bearing, mode (1 driving, 2 ferry, 3 movable bridge).',
});

export const RouteReply = z.object({
  status: z.int().meta({ description: '0: found; 207: there is no way.' }),
  status_message: z.string(),
  route_geometry: Geometry.optional(),
  route_instructions: z.array(InstructionRow).optional(),
  route_summary: Summary.optional(),
  route_name: z.tuple([z.string(), z.string()]).optional(),
  via_points: z.array(Pair).optional(),
  via_indices: z.array(z.int()).optional(),
  found_alternative: z.boolean().optional(),
  alternative_geometries: z.array(Geometry).optional(),
  alternative_instructions: z.array(z.array(InstructionRow)).optional(),
  alternative_summaries: z.array(Summary).optional(),
  alternative_names: z.array(z.tuple([z.string(), z.string()])).optional(),
  alternative_indices: z.array(z.int()).optional(),
  hint_data: z.object({ locations: z.array(z.string()), checksum: z.int() }).optional(),
  alternative_closures: z.array(z.array(z.int())).optional().meta({ description: 'The same for the alternative.' }),
  closures: z.array(z.int()).optional().meta({ description: 'Ids of the closures that changed the route.' }),
  learned_speeds: z.literal(true).optional().meta({ description: 'Driving times are those that the own vehicles took at this hour of the week, where enough was driven (`/speeds`).' }),
});

/** `/viaroute` in JSON (`spec/routing.md` 7). */
export function presentRoute(answer: RouteAnswer, query: RoutingQuery): z.input<typeof RouteReply> {
  const { route, alternative } = answer;
  if (!route) return { status: 207, status_message: 'Cannot find route between points' };
  return {
    status: 0,
    status_message: 'Found route between points',
    ...(query.geometry && { route_geometry: presentGeometry(route, query) }),
    ...(query.instructions && { route_instructions: presentSteps(route.steps) }),
    route_summary: presentSummary(route),
    route_name: route.names,
    via_points: answer.snapped.map(({ lat, lon }): [number, number] => [lat, lon]),
    via_indices: route.viaIndices,
    found_alternative: alternative !== undefined,
    ...(alternative && {
      ...(query.geometry && { alternative_geometries: [presentGeometry(alternative, query)] }),
      ...(query.instructions && { alternative_instructions: [presentSteps(alternative.steps)] }),
      alternative_summaries: [presentSummary(alternative)],
      alternative_names: [alternative.names],
      alternative_indices: [alternative.viaIndices[0]!, alternative.viaIndices.at(-1)!],
      alternative_closures: [alternative.closures],
    }),
    hint_data: { locations: answer.snapped.map(({ hint }) => hint), checksum: answer.checksum },
    closures: route.closures,
    ...(answer.learnedSpeeds && { learned_speeds: true }),
  };
}

function presentGeometry(route: Route, query: RoutingQuery): string | [number, number][] {
  return query.compression ? encodePolyline(route.geometry) : route.geometry;
}

function presentSummary(route: Route): z.input<typeof Summary> {
  return { total_distance: Math.round(route.distance), total_time: Math.round(route.time), start_point: route.start, end_point: route.end };
}

/** Rows by position. Whole seconds are cut from the running total, so that they add up to it. */
export function presentSteps(steps: readonly RouteStep[]): (string | number)[][] {
  let exact = 0;
  let told = 0;
  return steps.map((step) => {
    exact += step.time;
    const seconds = Math.round(exact) - told;
    told += seconds;
    const metres = Math.round(step.distance);
    return [step.code, step.name, metres, step.position, seconds, `${metres}m`, step.compass, step.bearing, step.mode];
  });
}

/** `/viaroute?output=gpx` (`spec/routing.md` 9): a route of bare points; without a way it is empty. */
export function presentGpx(answer: RouteAnswer): string {
  const points = (answer.route?.geometry ?? []).map(([lat, lon]) => `<rtept lat="${lat.toFixed(6)}" lon="${lon.toFixed(6)}"></rtept>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Waypost" xmlns="http://www.topografix.com/GPX/1/1">',
    '<metadata><copyright author="OpenStreetMap contributors"><license>Data (c) OpenStreetMap contributors (ODbL)</license></copyright></metadata>',
    `<rte>${points.join('')}</rte>`,
    '</gpx>',
  ].join('');
}

const Position = z.tuple([z.number(), z.number()]).meta({ description: '[lon, lat]' });

export const AreaFeature = z
  .object({
    type: z.literal('Feature'),
    properties: z.object({ minutes: z.number() }),
    geometry: z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(z.array(Position))) }),
  })
  .meta({ id: 'Isochrone' });

export function presentArea({ seconds, polygons }: Area): z.input<typeof AreaFeature> {
  const positions = (ring: Int32Array): [number, number][] => Array.from({ length: ring.length / 2 }, (_, i) => [ring[i * 2]! / 1e6, ring[i * 2 + 1]! / 1e6]);
  return { type: 'Feature', properties: { minutes: seconds / 60 }, geometry: { type: 'MultiPolygon', coordinates: polygons.map((rings) => rings.map(positions)) } };
}

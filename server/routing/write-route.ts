import type { Route, RouteAnswer, RouteForm, RouteStep } from './door.ts';
import { encodePolyline } from './polyline.ts';
import { asCall } from './write-call.ts';

const utf8 = new TextEncoder();

/** The answer of `/viaroute` as it is sent (`spec/routing.md` 7 and 9). */
export function writeRoute(answer: RouteAnswer, form: RouteForm): Uint8Array<ArrayBuffer> {
  return utf8.encode(form.gpx ? presentGpx(answer) : asCall(form.jsonp, JSON.stringify(presentRoute(answer, form))));
}

function presentRoute(answer: RouteAnswer, form: RouteForm): object {
  const { route, alternative } = answer;
  if (!route) return { status: 207, status_message: 'Cannot find route between points' };
  return {
    status: 0,
    status_message: 'Found route between points',
    ...(form.geometry && { route_geometry: presentGeometry(route, form) }),
    ...(form.instructions && { route_instructions: presentSteps(route.steps) }),
    route_summary: presentSummary(route),
    route_name: route.names,
    via_points: answer.snapped.map(({ lat, lon }) => [lat, lon]),
    via_indices: route.viaIndices,
    found_alternative: alternative !== undefined,
    ...(alternative && {
      ...(form.geometry && { alternative_geometries: [presentGeometry(alternative, form)] }),
      ...(form.instructions && { alternative_instructions: [presentSteps(alternative.steps)] }),
      alternative_summaries: [presentSummary(alternative)],
      alternative_names: [alternative.names],
      alternative_indices: [alternative.viaIndices[0], alternative.viaIndices.at(-1)],
      alternative_closures: [alternative.closures],
    }),
    hint_data: { locations: answer.snapped.map(({ hint }) => hint), checksum: answer.checksum },
    closures: route.closures,
    ...(answer.learnedSpeeds && { learned_speeds: true }),
  };
}

function presentGeometry(route: Route, { compression }: RouteForm): string | [number, number][] {
  return compression ? encodePolyline(route.geometry) : route.geometry;
}

function presentSummary(route: Route): object {
  return { total_distance: Math.round(route.distance), total_time: Math.round(route.time), start_point: route.start, end_point: route.end };
}

/** Rows by position. Whole seconds are cut from the running total, so that they add up to it. */
function presentSteps(steps: readonly RouteStep[]): (string | number)[][] {
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

/** `output=gpx`: a route of bare points; without a way it is empty. */
function presentGpx(answer: RouteAnswer): string {
  const points = (answer.route?.geometry ?? []).map(([lat, lon]) => `<rtept lat="${lat.toFixed(6)}" lon="${lon.toFixed(6)}"></rtept>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Waypost" xmlns="http://www.topografix.com/GPX/1/1">',
    '<metadata><copyright author="OpenStreetMap contributors"><license>Data (c) OpenStreetMap contributors (ODbL)</license></copyright></metadata>',
    `<rte>${points.join('')}</rte>`,
    '</gpx>',
  ].join('');
}

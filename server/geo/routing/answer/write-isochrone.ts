import type { IsochroneArea, AnswerFormat, IsochroneAnswer } from '../types.ts';
import { notOnMap } from './not-on-map.ts';
import { wrapJsonp } from './jsonp.ts';

const utf8 = new TextEncoder();

/**
 * Encodes the answer of `/isochrone`: a GeoJSON feature per time. Yields between features, which may be long.
 */
export function* writeIsochrone(
  { areas, near, snapped, offMap }: IsochroneAnswer,
  { jsonp }: AnswerFormat,
): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const features: string[] = [];
  for (const area of areas) {
    features.push(JSON.stringify(presentArea(area)));
    yield;
  }
  const facts = snapped
    ? { near: Math.round(near), mapped_coordinate: [snapped.lat, snapped.lon] }
    : { mapped_coordinate: [] };
  const status = { status: snapped ? 0 : 207, ...(offMap && { status_message: notOnMap(offMap) }) };
  const frame = JSON.stringify({ ...status, type: 'FeatureCollection', ...facts });
  return utf8.encode(wrapJsonp(jsonp, `${frame.slice(0, -1)},"features":[${features.join(',')}]}`));
}

function presentArea({ seconds, polygons }: IsochroneArea): object {
  const positions = (ring: Int32Array): [number, number][] =>
    Array.from({ length: ring.length / 2 }, (_, i) => [ring[i * 2]! / 1e6, ring[i * 2 + 1]! / 1e6]);
  return {
    type: 'Feature',
    properties: { minutes: seconds / 60 },
    geometry: { type: 'MultiPolygon', coordinates: polygons.map((rings) => rings.map(positions)) },
  };
}

import type { Feature, LineString } from 'geojson';
import type { Roads } from '../../territory/roads/reading.ts';

/** A segment as a GeoJSON line, in its open direction when `oneway`. */
export function roadFeature(roads: Roads, segment: number): Feature<LineString> {
  const { segmentFirst, shape, nodeLat, nodeLon, segmentMode } = roads.columns;
  const coordinates: [number, number][] = [];
  for (let i = segmentFirst[segment]!; i < segmentFirst[segment + 1]!; i++)
    coordinates.push([nodeLon[shape[i]!]! / 1e6, nodeLat[shape[i]!]! / 1e6]);
  return {
    type: 'Feature',
    id: segment,
    properties: { name: roads.name(segment), mode: segmentMode[segment]!, oneway: !roads.isOpen(segment * 2 + 1) },
    geometry: { type: 'LineString', coordinates },
  };
}

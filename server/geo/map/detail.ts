import { MAX_ZOOM } from '../territory/tiles/index.ts';

/**
 * The zoom from which an attribute is included; 0 if not listed. From afar nobody sees on which side a lane
 * runs one way.
 */
const DETAIL: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  road: {
    'name': 12,
    'name:ru': 12,
    'name:en': 12,
    'ref': 7,
    'class': 14,
    'oneway': 14,
    'layer': 14,
    'bridge': 12,
    'tunnel': 11,
    'access': 14,
    'unpaved': 13,
    'construction': 12,
    'roundabout': 14,
    'link': 9,
  },
  rail: { 'name': 14, 'name:ru': 14, 'name:en': 14, 'layer': 14, 'bridge': 12, 'tunnel': 11 },
  waterway: { 'name': 11, 'name:ru': 11, 'name:en': 11 },
  water: { 'name': 9, 'name:ru': 9, 'name:en': 9 },
  landuse: { 'name': 13, 'name:ru': 13, 'name:en': 13 },
  building: { 'kind': 15, 'height': 14, 'name': 15, 'name:ru': 15, 'name:en': 15 },
};

/** By the position of a key: the zoom from which this layer carries it. */
export function detailZooms(layer: string, keys: readonly string[]): Uint8Array {
  const from = DETAIL[layer] ?? {};
  return Uint8Array.from(keys, (key) => Math.min(MAX_ZOOM, from[key] ?? 0));
}

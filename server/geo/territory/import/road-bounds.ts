import type { Bounds } from '../../../../shared/geo/bounds.ts';
import { MISSING } from '../extract/extract.ts';
import type { PackedExtract } from '../extract/packed-extract.ts';

const PER_DEGREE = 1e7;

/**
 * The box of the roads of an extract, in degrees, for the initial view. The bounds of the file may be far
 * wider, because of a ferry line or a frontier at sea. Never wider than the file's own; equal to those
 * without roads.
 */
export function roadBounds(extract: PackedExtract): Bounds {
  const { bounds, parts, ways, nodes } = extract;
  const highway = extract.number('highway');
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let w = 0; w < ways.count; w++) {
    if (!hasTag(parts.wayTags, w, highway)) continue;
    for (let r = ways.first[w]!; r < ways.first[w + 1]!; r++) {
      const node = ways.refs[r]!;
      if (node === MISSING) continue;
      const [lat, lon] = [nodes.lat[node]!, nodes.lon[node]!];
      if (lat < south) south = lat;
      if (lat > north) north = lat;
      if (lon < west) west = lon;
      if (lon > east) east = lon;
    }
  }
  // Roads that were cut reach beyond the bounds of the file.
  const inside: Bounds = [
    Math.max(west / PER_DEGREE, bounds[0]),
    Math.max(south / PER_DEGREE, bounds[1]),
    Math.min(east / PER_DEGREE, bounds[2]),
    Math.min(north / PER_DEGREE, bounds[3]),
  ];
  return inside[0] < inside[2] && inside[1] < inside[3] ? inside : bounds;
}

function hasTag({ first, pairs }: PackedExtract['parts']['wayTags'], way: number, key: number): boolean {
  for (let p = first[way]!; p < first[way + 1]!; p += 2) if (pairs[p] === key) return true;
  return false;
}

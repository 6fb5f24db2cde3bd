import { MISSING } from '../../extract/extract.ts';
import type { OsmExtract } from '../../extract/extract.ts';

/** Half a degree, in 1e-7 degrees. */
const CELL = 5_000_000;
const COLUMNS = 720;
/** A tag is more reliable than the drawing of one roundabout. */
const TAG = 5;

/**
 * Determines on which side people drive at a place (micro-degrees): roundabouts go anticlockwise where they
 * keep to the right. Those within half a degree decide, else those of the whole extract; without any, the
 * right.
 */
export function leftHandTraffic(extract: OsmExtract): (lat: number, lon: number) => boolean {
  const { nodes, ways } = extract;
  /** Votes for the left minus those for the right. */
  const votes = new Map<number, number>();
  let all = 0;
  const vote = (lat: number, lon: number, left: number): void => {
    const cell = cellOf(lat, lon);
    votes.set(cell, (votes.get(cell) ?? 0) + left);
    all += left;
  };
  for (const way of ways.having('junction', 'driving_side')) {
    const tags = ways.tags(way);
    const first = ways.refs[ways.first[way]!];
    if (tags.highway === undefined || first === undefined || first === MISSING) continue;
    const side = tags.driving_side;
    const left =
      side === 'left'
        ? TAG
        : side === 'right'
          ? -TAG
          : tags.junction === 'roundabout' && tags.oneway !== '-1'
            ? -Math.sign(windingOf(extract, way))
            : 0;
    vote(nodes.lat[first]!, nodes.lon[first]!, left);
  }
  for (const node of nodes.having('direction')) {
    const tags = nodes.tags(node)!;
    if (tags.highway !== 'mini_roundabout') continue;
    vote(
      nodes.lat[node]!,
      nodes.lon[node]!,
      tags.direction === 'clockwise' ? 1 : tags.direction === 'anticlockwise' ? -1 : 0,
    );
  }
  return (lat, lon) => (votes.get(cellOf(lat * 10, lon * 10)) || all) > 0;
}

function cellOf(lat: number, lon: number): number {
  return Math.floor(lat / CELL) * COLUMNS + Math.floor(lon / CELL);
}

/** The sum of the turns of a way in degrees, anticlockwise. */
function windingOf({ nodes, ways }: OsmExtract, way: number): number {
  let winding = 0;
  let course: number | undefined;
  for (let i = ways.first[way]! + 1; i < ways.first[way + 1]!; i++) {
    const [a, b] = [ways.refs[i - 1]!, ways.refs[i]!];
    if (a === MISSING || b === MISSING || a === b) continue;
    const shrink = Math.cos((nodes.lat[a]! * Math.PI) / 180e7);
    const now = (Math.atan2(nodes.lat[b]! - nodes.lat[a]!, (nodes.lon[b]! - nodes.lon[a]!) * shrink) * 180) / Math.PI;
    if (course !== undefined) winding += ((now - course + 540) % 360) - 180;
    course = now;
  }
  return winding;
}

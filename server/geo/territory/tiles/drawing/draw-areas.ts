import type { OsmRelation, Tags } from '../../extract/extract.ts';
import { drawnArea, isArea } from '../features/areas.ts';
import type { FeatureWriter } from './drawing.ts';
import type { DrawnAs } from '../layers.ts';
import { zoomFor } from '../mercator.ts';
import { drawnPoints } from '../features/points.ts';
import { ringContains, joinRings, signedArea2 } from '../../geometry/rings.ts';
import type { Ring } from '../../geometry/rings.ts';

/** Multipolygons, which come before their ways. Returns what was skipped. */
export function drawMultipolygons(drawing: FeatureWriter): string[] {
  let broken = 0;
  for (const relation of drawing.extract.relations) {
    const type = relation.tags['type'];
    if ((type === 'multipolygon' || type === 'boundary') && !drawMultipolygon(drawing, relation)) broken++;
  }
  return broken > 0 ? [`Areas that do not close, left out: ${broken.toLocaleString('en')}.`] : [];
}

/** A closed way, if it is an area. */
export function drawArea(drawing: FeatureWriter, w: number, tags: Tags): void {
  const ring = isArea(tags) ? drawing.ringOf(w) : undefined;
  if (ring === undefined) return;
  const drawn = drawnArea(tags);
  let side = 0;
  if (drawn !== undefined && drawing.outlines.get(w) !== meaning(drawn)) side = drawing.addPolygon(ring, [], drawn);
  drawLabels(drawing, ring, tags, side);
}

/** False when it is an area and none of its rings closes. */
function drawMultipolygon(drawing: FeatureWriter, { tags, members }: OsmRelation): boolean {
  const { ways } = drawing.extract;
  const outerWays: number[] = [];
  const outerLines: Ring[] = [];
  const innerLines: Ring[] = [];
  for (const { type, id, role } of members) {
    const w = type === 'way' ? ways.find(id) : -1;
    if (w < 0) continue;
    if (role === 'inner') innerLines.push(drawing.nodesOf(w));
    else if (role === 'outer' || role === '') {
      outerWays.push(w);
      outerLines.push(drawing.nodesOf(w));
    }
  }
  // Until 2017 the tags of a multipolygon were often on its outer way.
  const meant = drawnArea(tags) !== undefined || outerWays.length === 0 ? tags : drawing.tagsOf(outerWays[0]!);
  const drawn = tags['type'] === 'boundary' && meant !== tags ? undefined : drawnArea(meant);
  if (drawn === undefined && drawnPoints(tags).length === 0) return true;

  const outers = joinRings(outerLines).rings;
  const holes = joinRings(innerLines).rings;
  if (outers.length === 0) return drawn === undefined;
  if (drawn === undefined) {
    if (tags['type'] === 'multipolygon') drawLabels(drawing, outers[0]!, tags, 0);
    return true;
  }
  for (const w of outerWays) drawing.outlines.set(w, meaning(drawn));
  const { x, y } = drawing;
  let greatest: Ring = outers[0]!;
  let greatestSide = 0;
  for (const outer of outers) {
    const within = holes.filter((hole) => ringContains(x, y, outer, x[hole[0]!]!, y[hole[0]!]!));
    const side = drawing.addPolygon(outer, within, drawn);
    if (side > greatestSide) [greatest, greatestSide] = [outer, side];
  }
  if (meant === tags) drawLabels(drawing, greatest, tags, greatestSide);
  return true;
}

function meaning({ layer, attributes }: DrawnAs): string {
  return `${layer} ${attributes[0]![1]}`;
}

/**
 * The name of an area is placed once, in its middle. A large lake or park is named at low zooms, whatever its
 * rank.
 */
function drawLabels(drawing: FeatureWriter, ring: Ring, tags: Tags, side: number): void {
  const points = drawnPoints(tags);
  if (points.length === 0) return;
  const [x, y] = middle(drawing, ring);
  for (const drawn of points) {
    const fromAfar =
      drawn.layer === 'poi' && side > 0 && tags['building'] === undefined ? Math.max(8, zoomFor(side, 90)) : Infinity;
    drawing.addPointAt(x, y, { ...drawn, minZoom: Math.min(drawn.minZoom, fromAfar) });
  }
}

/** The centre of gravity; of a ring that encloses nothing, its first node. */
function middle({ x, y }: FeatureWriter, ring: Ring): [number, number] {
  const area2 = signedArea2(x, y, ring);
  const ox = x[ring[0]!]!,
    oy = y[ring[0]!]!;
  if (area2 === 0) return [ox, oy];
  let sumX = 0,
    sumY = 0;
  for (let i = 1; i < ring.length; i++) {
    const ax = x[ring[i - 1]!]! - ox,
      ay = y[ring[i - 1]!]! - oy,
      bx = x[ring[i]!]! - ox,
      by = y[ring[i]!]! - oy;
    const cross = ax * by - bx * ay;
    sumX += (ax + bx) * cross;
    sumY += (ay + by) * cross;
  }
  return [Math.round(ox + sumX / (3 * area2)), Math.round(oy + sumY / (3 * area2))];
}

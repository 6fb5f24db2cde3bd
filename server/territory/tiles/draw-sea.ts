import { MISSING } from '../extract/extract.ts';
import { borderOf, inSea, seaWithin, stretch } from './coast.ts';
import type { LandBox, Path } from './coast.ts';
import type { FeatureWriter } from './drawing.ts';
import type { DrawnAs } from './layers.ts';
import { POLYGON } from './map-file.ts';
import { WORLD, mercatorX, mercatorY } from './mercator.ts';

const EARTH: DrawnAs = { layer: 'earth', minZoom: 0, order: 0, attributes: [['kind', 'land']] };
const SEA: DrawnAs = { layer: 'water', minZoom: 0, order: -1, attributes: [['kind', 'sea']] };
/**
 * If a larger share of the roads were in the sea, the coastline is wrong. Ferries, bridges and causeways
 * cause some.
 */
const MAX_DROWNED = 0.1;
const SAMPLES = 500;

/** Land below everything, and the sea left by the coastlines. Returns what was skipped. */
export function drawSea(drawing: FeatureWriter, coastlines: readonly number[]): string[] {
  const [west, south, east, north] = drawing.extract.bounds;
  const box: LandBox = {
    west: mercatorX(west),
    north: mercatorY(north),
    east: mercatorX(east),
    south: mercatorY(south),
  };
  if (box.west >= box.east || box.north >= box.south) return [];
  const wider = widened(box);
  add(drawing, [borderOf(wider)], EARTH);

  const { sea, loose } = seaWithin(
    box,
    drawing.x,
    drawing.y,
    coastlines.map((w) => drawing.nodesOf(w)),
  );
  const roads = sampleRoads(drawing, box);
  const isSea = inSea(sea);
  const drowned = roads.filter((node) => isSea(drawing.x[node]!, drawing.y[node]!)).length;
  if (drowned > roads.length * MAX_DROWNED) return ['The coastline does not fit the roads; the sea is not drawn.'];
  for (const { outer, holes } of sea) add(drawing, [stretch(outer, box, wider), ...holes], SEA);
  return loose > 0
    ? [`Places where the coastline ends within the extract, drawn straight on from there: ${loose}.`]
    : [];
}

/**
 * The surroundings visible when the map is moved beyond the territory: as much again on every side, at least
 * some 25 km.
 */
function widened({ west, north, east, south }: LandBox): LandBox {
  const margin = Math.max(east - west, south - north, WORLD / 1600);
  return {
    west: Math.max(0, west - margin),
    north: Math.max(0, north - margin),
    east: Math.min(WORLD - 1, east + margin),
    south: Math.min(WORLD - 1, south + margin),
  };
}

function sampleRoads(drawing: FeatureWriter, box: LandBox): number[] {
  const { ways } = drawing.extract;
  const step = Math.max(1, Math.floor(ways.count / (SAMPLES * 4)));
  const nodes: number[] = [];
  for (let w = 0; w < ways.count; w += step) {
    const node = ways.refs[ways.first[w]!];
    if (node === undefined || node === MISSING || drawing.tagsOf(w)['highway'] === undefined) continue;
    const x = drawing.x[node]!,
      y = drawing.y[node]!;
    if (x > box.west && x < box.east && y > box.north && y < box.south) nodes.push(node);
  }
  return nodes;
}

/** Rings as `seaWithin` makes them: the outer clockwise on the screen, its holes the other way round. */
function add(drawing: FeatureWriter, rings: readonly Path[], drawn: DrawnAs): void {
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) drawing.file.vertex(ring[i]!, ring[i + 1]!);
    drawing.file.endPart();
  }
  drawing.file.endFeature(POLYGON, drawn);
}

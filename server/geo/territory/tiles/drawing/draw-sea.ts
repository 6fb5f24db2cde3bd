import { MISSING } from '../../extract/extract.ts';
import type { Tags } from '../../extract/extract.ts';
import { joinRings } from '../../geometry/rings.ts';
import type { Ring } from '../../geometry/rings.ts';
import { Border } from '../coverage/border.ts';
import type { Path } from '../coverage/border.ts';
import { inSea, joinCoast, seaWithin } from '../coverage/coast.ts';
import { coverage } from '../coverage/coverage.ts';
import type { DataPoints, LandBox } from '../coverage/coverage.ts';
import type { FeatureWriter } from './drawing.ts';
import type { DrawnAs } from '../layers.ts';
import { POLYGON } from '../map-file/map-file.ts';
import { mercatorX, mercatorY } from '../mercator.ts';

const EARTH: DrawnAs = { layer: 'earth', minZoom: 0, order: 0, attributes: [['kind', 'land']] };
const SEA: DrawnAs = { layer: 'water', minZoom: 0, order: -1, attributes: [['kind', 'sea']] };
/**
 * If a larger share of the roads were in the sea, the coastline is wrong. Ferries, bridges and causeways
 * cause some.
 */
const MAX_DROWNED = 0.1;
const SAMPLES = 500;
/** Ways with these keys show where the extract has data. Ferries, cables and boundaries leave it. */
const ON_LAND = ['highway', 'building', 'landuse', 'natural', 'waterway', 'railway', 'leisure', 'barrier'] as const;
/** A country belongs to the covered area if data lie along at least this share of its frontier on land. */
const FRONTIER_COVERED = 0.7;

export function showsData(tags: Tags): boolean {
  return ON_LAND.some((key) => tags[key] !== undefined);
}

/**
 * Land below everything, and the sea left by the coastlines, both only within what the extract covers. Returns what
 * was skipped.
 *
 * @param shown ways that show where the extract has data
 */
export function drawSea(drawing: FeatureWriter, coastlines: readonly number[], shown: readonly number[]): string[] {
  const boxes = drawing.extract.boxes
    .map(([west, south, east, north]): LandBox => ({
      west: mercatorX(west),
      north: mercatorY(north),
      east: mercatorX(east),
      south: mercatorY(south),
    }))
    .filter((box) => box.west < box.east && box.north < box.south);
  const borders = boxes.flatMap((box) => {
    const points = dataPoints(drawing, shown, box);
    return coverage(box, points, countriesWithin(drawing, box, points)).map((path) => new Border(path));
  });
  const coasts = joinCoast(
    drawing.x,
    drawing.y,
    coastlines.map((w) => drawing.nodesOf(w)),
  );
  const roads = boxes.flatMap((box) => sampleRoads(drawing, box));
  let loose = 0;
  let drowned = false;
  for (const border of borders) {
    add(drawing, [border.path], EARTH);
    const found = seaWithin(border, coasts);
    const isSea = inSea(found.sea);
    const here = roads.filter((node) => border.contains(drawing.x[node]!, drawing.y[node]!));
    const wet = here.filter((node) => isSea(drawing.x[node]!, drawing.y[node]!)).length;
    if (wet > here.length * MAX_DROWNED) {
      drowned = true;
      continue;
    }
    loose += found.loose;
    for (const { outer, holes } of found.sea) add(drawing, [outer, ...holes], SEA);
  }
  return [
    ...(drowned ? ['The coastline does not fit the roads; the sea is not drawn.'] : []),
    ...(loose > 0 ? [`Places where the coastline ends within the extract, led to its edge from there: ${loose}.`] : []),
  ];
}

function dataPoints({ extract: { ways }, x, y }: FeatureWriter, shown: readonly number[], box: LandBox): DataPoints {
  return (mark) => {
    for (const w of shown)
      for (let r = ways.first[w]!; r < ways.first[w + 1]!; r++) {
        const node = ways.refs[r]!;
        if (node !== MISSING && within(box, x[node]!, y[node]!)) mark(x[node]!, y[node]!);
      }
  };
}

/** Countries of which the extract has the whole outline and the land: their waters are covered, too. */
function countriesWithin(drawing: FeatureWriter, box: LandBox, points: DataPoints): Path[] {
  const { ways, relations } = drawing.extract;
  const { x, y } = drawing;
  const countries: Path[] = [];
  let covered: readonly Border[] | undefined;
  for (const relation of relations) {
    const { tags } = relation;
    if (tags['boundary'] !== 'administrative' || tags['admin_level'] !== '2') continue;
    const lines: Ring[] = [];
    const frontier: number[] = [];
    let isWhole = true;
    for (const { type, id, role } of relation.members) {
      if (type !== 'way' || role === 'inner') continue;
      const w = ways.find(id);
      if (w < 0) isWhole = false;
      else {
        const nodes = drawing.nodesOf(w);
        lines.push(nodes);
        const wayTags = drawing.tagsOf(w);
        if (wayTags['maritime'] !== 'yes' && wayTags['natural'] !== 'coastline') frontier.push(...nodes);
      }
    }
    const { rings, open } = joinRings(lines);
    if (!isWhole || open.length > 0 || rings.length === 0) continue;
    const paths = rings.map((ring) => ring.flatMap((node) => [x[node]!, y[node]!]));
    const inBox = paths.every((path) => path.every((_, i) => i % 2 === 1 || within(box, path[i]!, path[i + 1]!)));
    if (!inBox) continue;
    covered ??= coverage(box, points, []).map((path) => new Border(path));
    if (areWithin(frontier, covered, drawing)) countries.push(...paths);
  }
  return countries;
}

/** Whether so many of the nodes of a frontier lie within what is covered that the country belongs to it. */
function areWithin(frontier: readonly number[], covered: readonly Border[], { x, y }: FeatureWriter): boolean {
  const inside = frontier.filter((node) => covered.some((border) => border.contains(x[node]!, y[node]!)));
  return inside.length >= frontier.length * FRONTIER_COVERED;
}

function sampleRoads(drawing: FeatureWriter, box: LandBox): number[] {
  const { ways } = drawing.extract;
  const step = Math.max(1, Math.floor(ways.count / (SAMPLES * 4)));
  const nodes: number[] = [];
  for (let w = 0; w < ways.count; w += step) {
    const node = ways.refs[ways.first[w]!];
    if (node === undefined || node === MISSING || drawing.tagsOf(w)['highway'] === undefined) continue;
    if (within(box, drawing.x[node]!, drawing.y[node]!)) nodes.push(node);
  }
  return nodes;
}

function within({ west, north, east, south }: LandBox, px: number, py: number): boolean {
  return px > west && px < east && py > north && py < south;
}

/** Rings as `seaWithin` makes them: the outer clockwise on the screen, its holes the other way round. */
function add(drawing: FeatureWriter, rings: readonly Path[], drawn: DrawnAs): void {
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) drawing.file.vertex(ring[i]!, ring[i + 1]!);
    drawing.file.endPart();
  }
  drawing.file.endFeature(POLYGON, drawn);
}

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { TERRITORY_FILES } from '../types.ts';
import type { Maker } from '../types.ts';
import { FeatureWriter } from './drawing/drawing.ts';
import { drawArea, drawMultipolygons } from './drawing/draw-areas.ts';
import { drawBoundaries } from './drawing/draw-boundaries.ts';
import { drawSea, showsData } from './drawing/draw-sea.ts';
import { drawnLines } from './features/lines.ts';
import { drawnPoints } from './features/points.ts';

export { LAYERS, MAX_ZOOM } from './layers.ts';
export { LINE, POINT, POLYGON } from './map-file/map-file.ts';
export type { ReadFeature } from './map-file/map-format.ts';
export { MapFile } from './map-file/open-map.ts';

/** Writes the map file, from which `server/geo/map` cuts tiles on demand. */
export const makeTiles: Maker<{ features: number }> = async (extract, directory, report) => {
  const drawing = new FeatureWriter(extract);
  const log = drawMultipolygons(drawing);
  report(0.1);
  const { coastlines, boundaries, shown } = drawWays(drawing);
  report(0.5);
  log.push(...drawSea(drawing, coastlines, shown));
  drawBoundaries(drawing, boundaries);
  for (const i of extract.nodes.tagged)
    for (const drawn of drawnPoints(extract.nodes.tags(i)!)) drawing.addPoint(i, drawn);
  report(0.7);
  const file = await open(join(directory, TERRITORY_FILES.tiles), 'w');
  try {
    for (const chunk of drawing.file.finish()) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
  return { features: drawing.file.features, log };
};

/**
 * Areas and lines in one pass over the ways, because reading tags is most of the work; returns what needs all
 * of its kind.
 */
function drawWays(drawing: FeatureWriter): { coastlines: number[]; boundaries: number[]; shown: number[] } {
  const { ways } = drawing.extract;
  const coastlines: number[] = [];
  const boundaries: number[] = [];
  const shown: number[] = [];
  for (let w = 0; w < ways.count; w++) {
    const tags = ways.tags(w);
    drawArea(drawing, w, tags);
    for (const drawn of drawnLines(tags)) drawing.addWay(w, drawn);
    if (tags['natural'] === 'coastline') coastlines.push(w);
    if (tags['boundary'] === 'administrative') boundaries.push(w);
    if (showsData(tags)) shown.push(w);
  }
  return { coastlines, boundaries, shown };
}

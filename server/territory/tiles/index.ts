import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES } from '../door.ts';
import type { Maker } from '../door.ts';
import { Drawing } from './drawing.ts';
import { drawAreas } from './draw-areas.ts';
import { drawBoundaries } from './draw-boundaries.ts';
import { drawSea } from './draw-sea.ts';
import { drawLines, drawPoints } from './draw-plain.ts';

export { LAYERS, MAX_ZOOM } from './layers.ts';
export { LINE, MapFile, POINT, POLYGON } from './map-file.ts';

/** Writes what the map is drawn from: tiles are cut out of it when they are asked for (`server/map`). */
export const makeTiles: Maker<{ features: number }> = async (extract, directory, report) => {
  const drawing = new Drawing(extract);
  const log = [...drawSea(drawing)];
  report(0.1);
  log.push(...drawAreas(drawing));
  report(0.5);
  drawBoundaries(drawing);
  drawLines(drawing);
  drawPoints(drawing);
  report(0.7);
  const chunks = drawing.file.finish();
  report(0.9);
  const file = await open(join(directory, FILES.tiles), 'w');
  try {
    for (const chunk of chunks) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
  return { features: drawing.file.features, log };
};

import type { Drawing } from './drawing.ts';
import { drawnLines } from './lines.ts';
import { drawnPoints } from './points.ts';

/** Roads, rails, streams, walls. */
export function drawLines(drawing: Drawing): void {
  const { ways } = drawing.extract;
  for (let w = 0; w < ways.count; w++) for (const drawn of drawnLines(drawing.tagsOf(w))) drawing.addWay(w, drawn);
}

/** Places, points of interest, house numbers. */
export function drawPoints(drawing: Drawing): void {
  const { nodes } = drawing.extract;
  for (const i of nodes.tagged) for (const drawn of drawnPoints(nodes.tags(i)!)) drawing.addPoint(i, drawn);
}

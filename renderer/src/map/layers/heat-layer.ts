import L from 'leaflet';
import type { Ink } from '../ink.ts';
import { CanvasLayer } from './canvas-layer.ts';

/** How much happened in a cell of a grid, around its middle. */
export interface HeatCell {
  readonly lat: number;
  readonly lon: number;
  readonly count: number;
}

/** Degrees: the cells that the station counts in. */
export const HEAT_CELL = { lat: 0.005, lon: 0.008 } as const;
/** Streets stay legible below a cell. */
const OPACITY = 0.8;

/** The step of the scale, of which the last one is for `most`. */
export const heatStep = (count: number, most: number, steps: number): number =>
  Math.min(steps - 1, Math.max(0, Math.ceil((count / most) * steps) - 1));

/** Cells by how much happened there, the most in the strongest colour; near by, each with its number. */
export function heatLayer(cells: readonly HeatCell[], ink: Ink): L.Layer {
  const most = Math.max(1, ...cells.map(({ count }) => count));
  const [corner, opposite] = [
    { x: 0, y: 0 },
    { x: 0, y: 0 },
  ];
  return new CanvasLayer('heat', (sheet) => {
    const { context } = sheet;
    for (const { lat, lon, count } of cells) {
      sheet.project(lat + HEAT_CELL.lat / 2, lon - HEAT_CELL.lon / 2, corner);
      sheet.project(lat - HEAT_CELL.lat / 2, lon + HEAT_CELL.lon / 2, opposite);
      const [width, height] = [opposite.x - corner.x, opposite.y - corner.y];
      if (!sheet.shows(corner, Math.max(width, height))) continue;
      context.globalAlpha = OPACITY;
      context.fillStyle = ink.heat[heatStep(count, most, ink.heat.length)]!;
      context.fillRect(corner.x, corner.y, width - 1, height - 1);
      context.globalAlpha = 1;
      if (width < 30) continue;
      context.font = '700 12px Roboto';
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.lineWidth = 3;
      context.strokeStyle = ink.panel;
      context.fillStyle = ink.text;
      const [x, y] = [corner.x + width / 2, corner.y + height / 2];
      context.strokeText(String(count), x, y);
      context.fillText(String(count), x, y);
    }
  });
}

import type { VehicleKind } from '../../../shared/records/index.ts';
import { GLYPHS } from '../ui/design/glyphs.ts';
import type { Look, SymbolShape } from '../ui/design/tones.ts';
import type { Ink } from './ink.ts';

export type Glyph = VehicleKind['glyph'];

/** A unit on the map. `old`: its position is; `radius` in pixels. */
export interface UnitSymbol {
  readonly look: Look;
  readonly glyph: Glyph;
  readonly old: boolean;
  readonly radius: number;
}

/** Around a middle of (0, 0), for a radius of 11; a drop looks to the right. */
const OUTLINES: Readonly<Record<SymbolShape, string>> = {
  circle: 'M0-11a11 11 0 1 1 0 22 11 11 0 0 1 0-22z',
  cross: 'M0-11a11 11 0 1 1 0 22 11 11 0 0 1 0-22z',
  square:
    'M-8-10.5H8a2.500 2.500 0 0 1 2.500 2.500V8a2.500 2.500 0 0 1-2.500 2.500H-8A2.500 2.500 0 0 1-10.500 8V-8A2.500 2.500 0 0 1-8-10.500z',
  diamond: 'M0-14L14 0 0 14-14 0z',
  triangle: 'M0-15.500L15.500 11.500H-15.500z',
  octagon: 'M-5-12.500H5L12.500-5V5L5 12.500H-5L-12.500 5V-5z',
  hexagon: 'M0-13L11.500-6.500V6.500L0 13-11.500 6.500V-6.500z',
  chevron: 'M6.800-8.700L18.500 0 6.800 8.700A11 11 0 1 1 6.800-8.700z',
  check: 'M6.800-8.700L18.500 0 6.800 8.700A11 11 0 1 1 6.800-8.700z',
};
const GLYPH_FILLS: ReadonlySet<Glyph> = new Set(['flame', 'cross', 'shield', 'drop']);
/** Of the outline, over its radius: a drop and a triangle reach further. */
const REACH = 20 / 11;

/** Whether its shape shows where it heads. */
export const isDrop = ({ shape }: Look): boolean => shape === 'chevron' || shape === 'check';
export const sideOf = ({ radius }: UnitSymbol): number => Math.ceil(2 * radius * REACH) + 4;

/**
 * Draws a unit around (0, 0): shape and colour are its status, the glyph its kind. A filled shape needs
 * attention or is active; an old position is dashed. `turn`: radians by which a drop is turned; the glyph
 * stays upright.
 */
export function drawUnit(
  context: CanvasRenderingContext2D,
  { look, glyph, old, radius }: UnitSymbol,
  ink: Ink,
  turn: number,
): void {
  const scale = radius / 11;
  const colour = ink.tones[look.tone];
  const filled = look.filled && !old;
  const outline = new Path2D(OUTLINES[look.shape]);
  context.save();
  context.scale(scale, scale);
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.save();
  if (isDrop(look)) context.rotate(turn);
  // A case in the colour of the panel keeps the symbol legible on any ground of the map.
  context.strokeStyle = ink.panel;
  context.lineWidth = 4;
  context.stroke(outline);
  context.fillStyle = filled ? colour : ink.panel;
  context.fill(outline);
  context.strokeStyle = colour;
  context.lineWidth = filled ? 1 : 2;
  if (old) context.setLineDash([3, 3]);
  context.stroke(outline);
  context.setLineDash([]);
  context.restore();
  drawGlyph(context, glyph, filled ? ink.onMark : colour, look.shape === 'triangle' ? 3 : 0);
  if (look.shape === 'cross') {
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.stroke(new Path2D('M-7.500 7.500L7.500-7.500'));
  }
  context.restore();
}

function drawGlyph(context: CanvasRenderingContext2D, glyph: Glyph, colour: string, down: number): void {
  context.save();
  context.translate(-7, -7 + down);
  context.scale(0.7, 0.7);
  const path = new Path2D(GLYPHS[glyph]);
  context.fillStyle = context.strokeStyle = colour;
  if (GLYPH_FILLS.has(glyph)) context.fill(path);
  context.lineWidth = GLYPH_FILLS.has(glyph) ? 0.5 : 2.2;
  context.stroke(path);
  context.restore();
}

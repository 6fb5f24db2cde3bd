import type { TaskPriority } from '../../../shared/tasks/priority.ts';
import type { Ink } from './ink.ts';

/** From afar a task is a dot, near by a plate on a pin with the word of its tag. */
export type Plate = 'dot' | 'pin' | 'worst' | 'chosen';
const SCALES: Readonly<Record<Plate, number>> = { dot: 1, pin: 1, worst: 1.2, chosen: 1.35 };

/** Pixels of a plate with its edge: half its width, and how far it reaches above and below its place. */
export function plateBox(plate: Plate): { readonly half: number; readonly above: number; readonly below: number } {
  if (plate === 'dot') return { half: 9, above: 9, below: 9 };
  const scale = SCALES[plate];
  return plate === 'chosen'
    ? { half: Math.ceil(22 * scale), above: Math.ceil(36 * scale), below: Math.ceil(8 * scale) }
    : { half: Math.ceil(17 * scale), above: Math.ceil(31 * scale), below: 2 };
}
/** Pixels from the place up to the middle of the plate, the click target. */
export const plateMiddle = (plate: Plate): number => (plate === 'dot' ? 0 : 18 * SCALES[plate]);

const PIN = 'M0 0L-5-8H-12a3 3 0 0 1-3-3V-26a3 3 0 0 1 3-3H12a3 3 0 0 1 3 3V-11a3 3 0 0 1-3 3H5z';
const BEHIND = 'M0 6L-9-4H-20V-34H20V-4H9z';

/** Draws a task with its place at (0, 0): the plate says how bad it is, and a dark plate behind that it is chosen. */
export function drawPlate(context: CanvasRenderingContext2D, plate: Plate, priority: TaskPriority, ink: Ink): void {
  const { ground, edge, text } = coloursOf(priority, ink);
  context.save();
  context.lineJoin = 'round';
  if (plate === 'dot') drawDot(context, priority, ground, edge, ink);
  else {
    const scale = SCALES[plate];
    context.scale(scale, scale);
    if (plate === 'chosen') paint(context, BEHIND, ink.chosenEdge, ink.panel, 2);
    if (ground !== ink.panel) paint(context, PIN, ground, ink.panel, 1.75);
    else {
      paint(context, PIN, ink.panel, ink.panel, 4);
      if (priority === 4) context.setLineDash([3, 2]);
      paint(context, PIN, ground, edge, 1.75);
      context.setLineDash([]);
    }
    context.font = '700 12px Roboto';
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    context.fillStyle = text;
    context.fillText(`P${priority}`, 0, -14);
  }
  context.restore();
}

function drawDot(
  context: CanvasRenderingContext2D,
  priority: TaskPriority,
  ground: string,
  edge: string,
  ink: Ink,
): void {
  const half = priority === 1 ? 7 : 5.5;
  context.beginPath();
  context.roundRect(-half, -half, 2 * half, 2 * half, 2.5);
  context.strokeStyle = ink.panel;
  context.lineWidth = 4;
  context.stroke();
  context.fillStyle = ground;
  context.fill();
  context.strokeStyle = edge;
  context.lineWidth = 2;
  context.stroke();
}

function paint(context: CanvasRenderingContext2D, shape: string, fill: string, stroke: string, width: number): void {
  const path = new Path2D(shape);
  context.fillStyle = fill;
  context.strokeStyle = stroke;
  context.lineWidth = width;
  context.stroke(path);
  context.fill(path);
}

function coloursOf(
  priority: TaskPriority,
  ink: Ink,
): { readonly ground: string; readonly edge: string; readonly text: string } {
  switch (priority) {
    case 1:
      return { ground: ink.p1, edge: ink.p1, text: ink.p1On };
    case 2:
      return { ground: ink.p2, edge: ink.p2, text: ink.p2On };
    case 3:
      return { ground: ink.panel, edge: ink.p3, text: ink.p3 };
    case 4:
      return { ground: ink.panel, edge: ink.p4, text: ink.dim };
  }
}

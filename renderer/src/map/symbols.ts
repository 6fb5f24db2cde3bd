import { SHAPES, type Look } from '../design/tones.ts';
import type { Ink } from './ink.ts';

export interface SymbolKind {
  readonly look: Look;
  /** Drawn as an outline only: what is known is old. */
  readonly hollow: boolean;
  /** pixels */
  readonly radius: number;
}

/** Symbols are drawn once for each state and size and then only stamped: thousands of them have to fit into a frame. */
export class SymbolSheet {
  private readonly stamps = new Map<string, HTMLCanvasElement>();
  private readonly ink: Ink;
  private readonly ratio: number;

  constructor(ink: Ink, ratio: number) {
    this.ink = ink;
    this.ratio = ratio;
  }

  stamp(kind: SymbolKind): HTMLCanvasElement {
    const key = `${kind.look.tone} ${kind.look.shape} ${kind.look.filled} ${kind.hollow} ${kind.radius}`;
    let stamp = this.stamps.get(key);
    if (!stamp) this.stamps.set(key, (stamp = this.draw(kind)));
    return stamp;
  }

  private draw({ look, hollow, radius }: SymbolKind): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    const side = 2 * (radius + 4);
    canvas.width = canvas.height = Math.ceil(side * this.ratio);
    const context = canvas.getContext('2d')!;
    const scale = radius / 9;
    context.scale(this.ratio, this.ratio);
    context.translate(side / 2, side / 2);
    context.scale(scale, scale);
    context.translate(-10, -10);
    context.lineJoin = 'round';
    context.lineCap = 'round';
    const path = new Path2D(SHAPES[look.shape]);
    const colour = this.ink.tones[look.tone];
    const closed = look.shape !== 'cross' && look.shape !== 'check';
    // A case in the colour of the panel keeps the symbol legible on any ground of the map.
    context.strokeStyle = this.ink.panel;
    context.lineWidth = (closed ? 5 : 8) / Math.max(0.6, scale);
    context.stroke(path);
    if (closed) {
      context.fillStyle = look.filled && !hollow ? colour : this.ink.panel;
      context.fill(path);
    }
    context.strokeStyle = colour;
    context.lineWidth = (look.filled && !hollow ? 1 : 2.4) / Math.max(0.6, scale);
    context.stroke(path);
    return canvas;
  }
}

/** Puts a stamp with its middle at (x, y), turned by `turn` radians. */
export function put(context: CanvasRenderingContext2D, stamp: HTMLCanvasElement, ratio: number, x: number, y: number, turn = 0): void {
  const side = stamp.width / ratio;
  if (turn === 0) {
    context.drawImage(stamp, x - side / 2, y - side / 2, side, side);
    return;
  }
  context.save();
  context.translate(x, y);
  context.rotate(turn);
  context.drawImage(stamp, -side / 2, -side / 2, side, side);
  context.restore();
}

/** The beak of a moving vehicle whose own shape does not point. */
export function beak(context: CanvasRenderingContext2D, colour: string, casing: string, x: number, y: number, radius: number, turn: number): void {
  context.save();
  context.translate(x, y);
  context.rotate(turn);
  context.beginPath();
  context.moveTo(radius + 7, 0);
  context.lineTo(radius + 1, -4.5);
  context.lineTo(radius + 1, 4.5);
  context.closePath();
  context.strokeStyle = casing;
  context.lineWidth = 2.5;
  context.stroke();
  context.fillStyle = colour;
  context.fill();
  context.restore();
}

/** Keeps labels from lying over one another: the first who comes has the place. */
export class LabelRoom {
  private readonly taken: { left: number; top: number; right: number; bottom: number }[] = [];

  claim(left: number, top: number, width: number, height: number): boolean {
    const right = left + width;
    const bottom = top + height;
    if (this.taken.some((other) => left < other.right && right > other.left && top < other.bottom && bottom > other.top)) return false;
    this.taken.push({ left, top, right, bottom });
    return true;
  }
}

export function label(context: CanvasRenderingContext2D, text: string, ink: Ink, x: number, y: number, strong: boolean): void {
  context.font = `${strong ? 700 : 500} 11px Roboto`;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = ink.panel;
  context.strokeText(text, x, y);
  context.fillStyle = ink.text;
  context.fillText(text, x, y);
}

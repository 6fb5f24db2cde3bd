import { SHAPES, type Look, type Tone } from '../ui/design/tones.ts';
import type { TaskPriority } from '../../../shared/tasks/priority.ts';
import type { Ink } from './ink.ts';
import { drawPlate, plateBox, type Plate } from './task-plate.ts';
import { drawUnit, isDrop, sideOf, type UnitSymbol } from './unit-symbol.ts';

interface SymbolKind {
  readonly look: Look;
  /** Drawn as an outline only: the position is old. */
  readonly hollow: boolean;
  /** pixels */
  readonly radius: number;
}

/** Pixels around a label, for its edge. */
const LABEL_EDGE = 2;
/** Labels that say an age change; from time to time they are forgotten. */
const MAX_LABELS = 3_000;

/** Headings are drawn in this many steps; less than six degrees is not visible. */
const TURNS = 64;
const TURN = (2 * Math.PI) / TURNS;
const UPRIGHT = TURNS;

/**
 * Symbols are drawn once for each state, size and heading and then only stamped: thousands of them have to
 * fit into a frame.
 */
export class SymbolSheet {
  private readonly stamps = new Map<Look, HTMLCanvasElement[]>();
  private readonly plates = new Map<string, HTMLCanvasElement>();
  private readonly units = new Map<string, HTMLCanvasElement>();
  private readonly pointers = new Map<string, HTMLCanvasElement[]>();
  private readonly labels = new Map<string, HTMLCanvasElement>();
  private readonly ink: Ink;
  private readonly ratio: number;

  constructor(ink: Ink, ratio: number) {
    this.ink = ink;
    this.ratio = ratio;
  }

  /** Puts a symbol with its middle at (x, y); with `turn`, in radians, its right side looks that way. */
  put(context: CanvasRenderingContext2D, kind: SymbolKind, x: number, y: number, turn?: number): void {
    const step = turn === undefined ? UPRIGHT : stepOf(turn);
    let stamps = this.stamps.get(kind.look);
    if (!stamps) this.stamps.set(kind.look, (stamps = []));
    const index = (Math.round(kind.radius * 2) * 2 + Number(kind.hollow)) * (TURNS + 1) + step;
    stamps[index] ??= this.turned(this.draw(kind), step);
    this.stamp(context, stamps[index], x, y);
  }

  /** The beak of a moving vehicle whose own shape does not point. */
  putBeak(context: CanvasRenderingContext2D, tone: Tone, radius: number, x: number, y: number, turn: number): void {
    const key = `${tone} ${radius}`;
    let stamps = this.pointers.get(key);
    if (!stamps) this.pointers.set(key, (stamps = []));
    const step = stepOf(turn);
    stamps[step] ??= this.turned(this.drawBeak(tone, radius), step);
    this.stamp(context, stamps[step], x, y);
  }

  /** A task on its place: how bad it is, on a plate that stands on a pin, or from afar a dot. */
  putPlate(context: CanvasRenderingContext2D, plate: Plate, priority: TaskPriority, x: number, y: number): void {
    const { half, above, below } = plateBox(plate);
    const key = `${plate} ${priority}`;
    let stamp = this.plates.get(key);
    if (!stamp) {
      stamp = this.canvas(2 * half, above + below, (drawn) => {
        drawn.translate(half, above);
        drawPlate(drawn, plate, priority, this.ink);
      });
      this.plates.set(key, stamp);
    }
    context.drawImage(stamp, x - half, y - above, stamp.width / this.ratio, stamp.height / this.ratio);
  }

  /** A unit with its middle at (x, y), heading to `turn` (radians, 0 to the right). */
  putUnit(context: CanvasRenderingContext2D, unit: UnitSymbol, x: number, y: number, turn: number): void {
    const step = isDrop(unit.look) ? stepOf(turn) : UPRIGHT;
    const key = `${unit.look.tone} ${unit.look.shape} ${unit.glyph} ${unit.radius} ${Number(unit.old)} ${step}`;
    let stamp = this.units.get(key);
    if (!stamp) {
      const side = sideOf(unit);
      stamp = this.canvas(side, side, (drawn) => {
        drawn.translate(side / 2, side / 2);
        drawUnit(drawn, unit, this.ink, step * TURN);
      });
      this.units.set(key, stamp);
    }
    this.stamp(context, stamp, x, y);
  }

  /** A line of text on an edge that sets it off from the map, its upper middle at (x, y). */
  putLabel(context: CanvasRenderingContext2D, text: string, x: number, y: number, strong: boolean): void {
    const key = strong ? `!${text}` : text;
    let stamp = this.labels.get(key);
    if (!stamp) {
      if (this.labels.size >= MAX_LABELS) this.labels.clear();
      this.labels.set(key, (stamp = this.drawLabel(text, strong)));
    }
    context.drawImage(
      stamp,
      x - stamp.width / this.ratio / 2,
      y - LABEL_EDGE,
      stamp.width / this.ratio,
      stamp.height / this.ratio,
    );
  }

  private drawLabel(text: string, strong: boolean): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d')!;
    const font = `${strong ? 700 : 500} 11px Roboto`;
    context.font = font;
    canvas.width = Math.ceil((context.measureText(text).width + 2 * LABEL_EDGE) * this.ratio);
    canvas.height = Math.ceil((14 + 2 * LABEL_EDGE) * this.ratio);
    context.scale(this.ratio, this.ratio);
    context.font = font; // a canvas that is given another size forgets it
    context.textBaseline = 'top';
    context.lineJoin = 'round';
    context.lineWidth = 3;
    context.strokeStyle = this.ink.panel;
    context.strokeText(text, LABEL_EDGE, LABEL_EDGE);
    context.fillStyle = this.ink.text;
    context.fillText(text, LABEL_EDGE, LABEL_EDGE);
    return canvas;
  }

  private stamp(context: CanvasRenderingContext2D, stamp: HTMLCanvasElement, x: number, y: number): void {
    const side = stamp.width / this.ratio;
    context.drawImage(stamp, x - side / 2, y - side / 2, side, side);
  }

  private canvas(width: number, height: number, draw: (context: CanvasRenderingContext2D) => void): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(width * this.ratio);
    canvas.height = Math.ceil(height * this.ratio);
    const context = canvas.getContext('2d')!;
    context.scale(this.ratio, this.ratio);
    draw(context);
    return canvas;
  }

  private turned(upright: HTMLCanvasElement, step: number): HTMLCanvasElement {
    if (step === UPRIGHT || step === 0) return upright;
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = upright.width;
    const context = canvas.getContext('2d')!;
    context.translate(upright.width / 2, upright.width / 2);
    context.rotate(step * TURN);
    context.drawImage(upright, -upright.width / 2, -upright.width / 2);
    return canvas;
  }

  private drawBeak(tone: Tone, radius: number): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    const side = 2 * (radius + 10);
    canvas.width = canvas.height = Math.ceil(side * this.ratio);
    const context = canvas.getContext('2d')!;
    context.scale(this.ratio, this.ratio);
    context.translate(side / 2, side / 2);
    const beak = new Path2D(`M${radius + 7} 0L${radius + 1} -4.5V4.5Z`);
    context.strokeStyle = this.ink.panel;
    context.lineWidth = 2.5;
    context.stroke(beak);
    context.fillStyle = this.ink.tones[tone];
    context.fill(beak);
    return canvas;
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

function stepOf(turn: number): number {
  return ((Math.round(turn / TURN) % TURNS) + TURNS) % TURNS;
}

/** Prevents overlapping labels: the first one keeps the place. */
export class LabelRoom {
  /**
   * By the bands of the screen that they touch, so that a label is held against its neighbours and not
   * against all.
   */
  private readonly bands = new Map<number, { left: number; top: number; right: number; bottom: number }[]>();

  claim(left: number, top: number, width: number, height: number): boolean {
    const place = { left, top, right: left + width, bottom: top + height };
    const [first, last] = [Math.floor(top / BAND), Math.floor(place.bottom / BAND)];
    for (let band = first; band <= last; band++) {
      for (const other of this.bands.get(band) ?? [])
        if (left < other.right && place.right > other.left && top < other.bottom && place.bottom > other.top)
          return false;
    }
    for (let band = first; band <= last; band++) {
      const taken = this.bands.get(band);
      if (taken) taken.push(place);
      else this.bands.set(band, [place]);
    }
    return true;
  }
}

const BAND = 32;

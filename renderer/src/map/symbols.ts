import { SHAPES, type Look, type Tone } from '../ui/design/tones.ts';
import type { Ink } from './ink.ts';

interface SymbolKind {
  readonly look: Look;
  /** Drawn as an outline only: the position is old. */
  readonly hollow: boolean;
  /** pixels */
  readonly radius: number;
}

export type Plate = 'dot' | 'pin' | 'chosen';
/** In pixels: half the side of the plate, radius of the mark, width of the edge. */
const PLATES = {
  dot: { half: 8, mark: 4.5, edge: 3, pinned: false },
  pin: { half: 12, mark: 7, edge: 3.5, pinned: true },
  chosen: { half: 15, mark: 9, edge: 5, pinned: true },
} as const satisfies Record<Plate, object>;

/** Pixels: around a plate for its edge, and of the pin below it. */
const ROOM = 4;
const TIP = 7;

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
  private readonly plates = new Map<Look, Partial<Record<Plate, HTMLCanvasElement>>>();
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

  /**
   * A task: the mark of its state on a plate, which stands on a pin with its tip on the place, or from afar
   * lies on it.
   */
  putPlate(context: CanvasRenderingContext2D, plate: Plate, look: Look, x: number, y: number): void {
    let stamps = this.plates.get(look);
    if (!stamps) this.plates.set(look, (stamps = {}));
    const stamp = (stamps[plate] ??= this.drawPlate(plate, look));
    const { half, pinned } = PLATES[plate];
    const [width, height] = [stamp.width / this.ratio, stamp.height / this.ratio];
    context.drawImage(stamp, x - half - ROOM, pinned ? y - height + ROOM : y - half - ROOM, width, height);
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

  private drawPlate(plate: Plate, look: Look): HTMLCanvasElement {
    const { half, mark, edge, pinned } = PLATES[plate];
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(2 * (half + ROOM) * this.ratio);
    canvas.height = Math.ceil((2 * (half + ROOM) + (pinned ? TIP : 0)) * this.ratio);
    const context = canvas.getContext('2d')!;
    context.scale(this.ratio, this.ratio);
    context.translate(half + ROOM, pinned ? 2 * half + TIP + ROOM : half + ROOM);
    const middle = pinned ? -half - TIP : 0;
    context.beginPath();
    if (pinned) {
      context.moveTo(0, 0);
      context.lineTo(-5, middle + half - 1);
      context.lineTo(5, middle + half - 1);
      context.closePath();
    }
    context.roundRect(-half, middle - half, 2 * half, 2 * half, 5);
    context.lineJoin = 'round';
    context.lineWidth = edge;
    context.strokeStyle = plate === 'chosen' ? this.ink.accent : this.ink.tones[look.tone];
    context.stroke();
    context.fillStyle = this.ink.panel;
    context.fill();
    this.put(context, { look, hollow: false, radius: mark }, 0, middle);
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

/** Keeps labels from lying over one another: the first who comes has the place. */
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

import type { Bbox, Feature, Label, LabelSymbolizer, Layout } from 'protomaps-leaflet';
import { fontSize, wrap, write, type Lettering } from './lettering.ts';
import { MeasuredLine } from './measured-line.ts';

type Line = Feature['geom'][number];

/** Letters that are joined to their neighbours are written in one piece, on straight lines only. */
const JOINED_LETTERS = /[\u0590-\u08ff\u0900-\u109f\u1780-\u17ff]/;
/** The greatest turn between two letters, and how far a line may leave the straight to be written in one piece. */
const MAX_TURN = 0.45;
const STRAIGHT_PIXELS = 1.5;
/** Places tried along a line, in parts of its free length from the middle. */
const PLACES = [0, -0.15, 0.15, -0.3, 0.3, -0.45, 0.45, -0.6, 0.6, -0.75, 0.75, -0.9, 0.9, -1, 1];

interface Options extends Lettering {
  readonly name: (feature: Feature) => string | undefined;
  /** One name for each street of a tile, so that every street has its first before any has its second. */
  readonly once?: boolean;
  /** Pixels between two names of one street. */
  readonly repeat: number;
  /** A name may be so many times longer than its street, and stand out on both sides. */
  readonly overhang: number;
  /** Tried in turn when the name does not fit in `font`. */
  readonly smallFonts?: readonly string[];
}

interface Letter {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

/** The names of streets, letter by letter along them, wherever along the street there is room. */
export class StreetNames implements LabelSymbolizer {
  private readonly options: Options;

  constructor(options: Options) {
    this.options = options;
  }

  place(layout: Layout, geom: Line[], feature: Feature): Label[] | undefined {
    const name = this.options.name(feature);
    if (name === undefined) return undefined;
    const labels: Label[] = [];
    for (const line of geom) {
      const path = new MeasuredLine(line);
      const { length } = path;
      const count = this.options.once ? 1 : Math.max(1, Math.floor(length / this.options.repeat));
      for (let i = 0; i < count; i++) {
        const label = this.labelOn(layout, name, path, ((i + 0.5) / count) * length, length / count, labels);
        if (label === undefined) continue;
        labels.push(label);
        if (this.options.once) return labels;
      }
    }
    return labels;
  }

  private labelOn(
    layout: Layout,
    name: string,
    path: MeasuredLine,
    middle: number,
    room: number,
    others: readonly Label[],
  ): Label | undefined {
    for (const font of [this.options.font, ...(this.options.smallFonts ?? [])]) {
      layout.scratch.font = font;
      const width = layout.scratch.measureText(name).width;
      if (width > room * this.options.overhang) continue;
      // A name longer than its street slides as far as it still covers it.
      const free = Math.abs(room - width) / 2;
      for (const part of free > 8 ? PLACES : [0]) {
        const from = middle + part * free - width / 2;
        const bboxes = boxes(path, from, width, fontSize(font));
        if (bboxes.some((box) => layout.index.bboxCollides(box, Infinity))) continue;
        const label = this.written(layout.scratch, name, font, width, path, from, bboxes);
        if (label === undefined || others.some((other) => near(other, label, this.options.repeat))) continue;
        return label;
      }
    }
    return undefined;
  }

  /** The label when its letters stand on the line from `from` on; undefined where the line turns too sharply. */
  private written(
    scratch: CanvasRenderingContext2D,
    name: string,
    font: string,
    width: number,
    path: MeasuredLine,
    from: number,
    bboxes: Bbox[],
  ): Label | undefined {
    const start = path.pointAt(from);
    const end = path.pointAt(from + width);
    const backwards = end.x < start.x;
    let letters: Letter[];
    if (deviation(path, from, width) < STRAIGHT_PIXELS) {
      const angle = Math.atan2(end.y - start.y, end.x - start.x) + (backwards ? Math.PI : 0);
      letters = [{ text: name, x: (start.x + end.x) / 2, y: (start.y + end.y) / 2, angle }];
    } else {
      if (JOINED_LETTERS.test(name)) return undefined;
      const along = lettersAlong(scratch, name, path, from, width, backwards);
      if (along === undefined) return undefined;
      letters = along;
    }
    const anchor = path.line[0]!.clone();
    const middle = path.pointAt(from + width / 2);
    [anchor.x, anchor.y] = [middle.x, middle.y];
    return {
      anchor,
      bboxes,
      deduplicationKey: name,
      deduplicationDistance: this.options.repeat,
      draw: (ctx) => this.draw(ctx, letters, font, anchor),
    };
  }

  private draw(
    ctx: CanvasRenderingContext2D,
    letters: readonly Letter[],
    font: string,
    anchor: { x: number; y: number },
  ) {
    const { fill, halo, haloWidth } = this.options;
    ctx.globalAlpha = 1;
    ctx.font = font;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.lineJoin = 'round';
    ctx.lineWidth = haloWidth * 2;
    ctx.strokeStyle = halo;
    ctx.fillStyle = fill;
    for (const method of ['strokeText', 'fillText'] as const) {
      for (const { text, x, y, angle } of letters) {
        ctx.save();
        ctx.translate(x - anchor.x, y - anchor.y);
        ctx.rotate(angle);
        ctx[method](text, 0, 0);
        ctx.restore();
      }
    }
  }
}

/** The name of a street too short or too bent for it: upright in its middle, small, in lines of a word or two. */
export class UprightStreetNames implements LabelSymbolizer {
  private readonly name: Options['name'];
  private readonly lettering: Lettering;
  private readonly repeat: number;

  constructor({ name, repeat, ...lettering }: Lettering & Pick<Options, 'name' | 'repeat'>) {
    this.name = name;
    this.lettering = lettering;
    this.repeat = repeat;
  }

  place(layout: Layout, geom: Line[], feature: Feature): Label[] | undefined {
    const name = this.name(feature);
    if (name === undefined) return undefined;
    for (const characters of UPRIGHT_CHARACTERS) {
      const text = wrap(layout.scratch, name, this.lettering.font, characters);
      for (const line of geom) {
        const path = new MeasuredLine(line);
        for (const part of UPRIGHT_PLACES) {
          const anchor = line[0]!.clone();
          const { x, y } = path.pointAt(part * path.length);
          [anchor.x, anchor.y] = [x, y];
          const [halfWidth, halfHeight] = [text.width / 2, text.height / 2];
          const box = { minX: x - halfWidth, minY: y - halfHeight, maxX: x + halfWidth, maxY: y + halfHeight };
          if (layout.index.bboxCollides(box, Infinity)) continue;
          return [
            {
              anchor,
              bboxes: [box],
              deduplicationKey: name,
              deduplicationDistance: this.repeat,
              draw: (ctx) => write(ctx, text, this.lettering, 0, 0),
            },
          ];
        }
      }
    }
    return undefined;
  }
}

/** Characters in a line, and parts of the street's length, in the order in which they are tried. */
const UPRIGHT_CHARACTERS = [40, 12, 8];
const UPRIGHT_PLACES = [0.5, 0.35, 0.65, 0.2, 0.8, 0.05, 0.95];

function lettersAlong(
  scratch: CanvasRenderingContext2D,
  name: string,
  path: MeasuredLine,
  from: number,
  width: number,
  backwards: boolean,
): Letter[] | undefined {
  const letters: Letter[] = [];
  let written = '';
  let before = 0;
  for (const text of name) {
    written += text;
    const after = scratch.measureText(written).width;
    const centre = (before + after) / 2;
    const at = from + (backwards ? width - centre : centre);
    // The direction over the letter's width: corners of the line do not make it jump.
    const half = Math.max(4, (after - before) / 2);
    const one = path.pointAt(at - half);
    const two = path.pointAt(at + half);
    const angle = Math.atan2(two.y - one.y, two.x - one.x) + (backwards ? Math.PI : 0);
    const last = letters.at(-1);
    if (last !== undefined && Math.abs(turn(angle - last.angle)) > MAX_TURN) return undefined;
    const { x, y } = path.pointAt(at);
    letters.push({ text, x, y, angle });
    before = after;
  }
  return letters;
}

/** -π to π. */
function turn(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** The farthest that a stretch of the line lies from the straight between its ends. */
function deviation(path: MeasuredLine, from: number, width: number): number {
  const a = path.pointAt(from);
  const b = path.pointAt(from + width);
  const span = Math.hypot(b.x - a.x, b.y - a.y);
  if (span < width * 0.9) return Infinity;
  let most = 0;
  for (let at = from + 6; at < from + width; at += 6) {
    const { x, y } = path.pointAt(at);
    most = Math.max(most, Math.abs((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / span);
  }
  return most;
}

function boxes(path: MeasuredLine, from: number, width: number, size: number): Bbox[] {
  const found: Bbox[] = [];
  const half = size * 0.42;
  const count = Math.max(1, Math.ceil(width / (size * 0.7)));
  for (let i = 0; i <= count; i++) {
    const { x, y } = path.pointAt(from + (i / count) * width);
    found.push({ minX: x - half, minY: y - half, maxX: x + half, maxY: y + half });
  }
  return found;
}

function near(one: Label, two: Label, distance: number): boolean {
  return one.anchor.dist(two.anchor) < distance * 0.6 || one.bboxes.some((a) => two.bboxes.some((b) => overlap(a, b)));
}

function overlap(a: Bbox, b: Bbox): boolean {
  return a.minX < b.maxX && b.minX < a.maxX && a.minY < b.maxY && b.minY < a.maxY;
}

import type { Bbox, Feature, Label, LabelSymbolizer, Layout } from 'protomaps-leaflet';
import { fontSize, wrap, write, type Lettering, type WrittenText } from './lettering.ts';
import { hasIcon, ICON_SIZE, iconOf } from './poi-icons.ts';

type Line = Feature['geom'][number];
type Spot = Feature['geom'][number][number];
type Name = (feature: Feature) => string | undefined;

/** Pixels between two names of one area, or two plates of one road. */
const REPEAT = 500;
const NAME_CHARACTERS = 14;
const POI_CHARACTERS = 18;

/** A name around a point, or in the middle of an area. */
export class SpotName implements LabelSymbolizer {
  private readonly name: Name;
  private readonly lettering: Lettering;

  constructor(name: Name, lettering: Lettering) {
    this.name = name;
    this.lettering = lettering;
  }

  place(layout: Layout, geom: Line[], feature: Feature): Label[] | undefined {
    const name = this.name(feature);
    if (name === undefined) return undefined;
    const isArea = feature.geomType === 3;
    const spot = isArea ? middleOf(geom[0]!) : geom[0]![0]!;
    const text = wrap(layout.scratch, name, this.lettering.font, NAME_CHARACTERS);
    return [
      {
        anchor: spot,
        bboxes: [boxAround(spot, text.width, text.height)],
        draw: (ctx) => write(ctx, text, this.lettering, 0, 0),
        ...(isArea ? { deduplicationKey: `area ${name}`, deduplicationDistance: REPEAT } : {}),
      },
    ];
  }
}

interface PoiOptions extends Lettering {
  readonly name: Name;
  /** The background colour of the icon's disc. */
  readonly ground: string;
  readonly radius: number;
  /** Called when a place with an icon is to be drawn. */
  readonly needIcons: () => void;
}

/** A disc with the icon of its kind, and its name beside it where there is room. */
export class PoiMark implements LabelSymbolizer {
  private readonly options: PoiOptions;

  constructor(options: PoiOptions) {
    this.options = options;
  }

  place(layout: Layout, geom: Line[], feature: Feature): Label[] | undefined {
    const { options } = this;
    const spot = geom[0]![0]!;
    const kind = String(feature.props['kind']);
    const hasMark = hasIcon(kind);
    if (hasMark) options.needIcons();
    const radius = hasMark ? options.radius : 2.5;
    const disc = boxAround(spot, 2 * radius, 2 * radius);
    const drawDisc = (ctx: CanvasRenderingContext2D) => this.drawDisc(ctx, iconOf(kind), radius);
    const alone: Label = { anchor: spot, bboxes: [disc], draw: drawDisc };
    if (layout.index.labelCollides(alone, Infinity)) return undefined;
    const name = options.name(feature);
    if (name !== undefined) {
      const text = wrap(layout.scratch, name, options.font, POI_CHARACTERS);
      for (const side of SIDES) {
        const [dx, dy] = offset(side, text, radius + 3);
        const box = boxAround({ x: spot.x + dx, y: spot.y + dy }, text.width, text.height);
        const named: Label = {
          anchor: spot,
          bboxes: [disc, box],
          draw: (ctx) => {
            drawDisc(ctx);
            const x = side === 'right' ? dx - text.width / 2 : side === 'left' ? dx + text.width / 2 : dx;
            write(ctx, text, options, x, dy, side === 'right' ? 'left' : side === 'left' ? 'right' : 'center');
          },
        };
        if (!layout.index.labelCollides(named, Infinity)) return [named];
      }
    }
    return hasMark ? [alone] : undefined;
  }

  private drawDisc(ctx: CanvasRenderingContext2D, icon: Path2D | undefined, radius: number): void {
    const { fill, ground } = this.options;
    ctx.globalAlpha = 1;
    ctx.beginPath();
    ctx.arc(0, 0, radius, 0, 2 * Math.PI);
    ctx.fillStyle = fill;
    ctx.strokeStyle = ground;
    ctx.lineWidth = 1.5;
    ctx.stroke();
    ctx.fill();
    if (icon === undefined) return;
    ctx.save();
    const scale = (radius * 1.36) / ICON_SIZE;
    ctx.scale(scale, scale);
    ctx.translate(-ICON_SIZE / 2, -ICON_SIZE / 2);
    ctx.fillStyle = ground;
    ctx.fill(icon);
    ctx.restore();
  }
}

/** The number of a road on a plate, once in a while along it. */
export class RoadPlate implements LabelSymbolizer {
  private readonly lettering: Lettering;
  private readonly ground: string;

  constructor(lettering: Lettering, ground: string) {
    this.lettering = lettering;
    this.ground = ground;
  }

  place(layout: Layout, geom: Line[], feature: Feature): Label[] | undefined {
    const ref = feature.props['ref'];
    if (typeof ref !== 'string') return undefined;
    const text = wrap(layout.scratch, ref, this.lettering.font, Infinity);
    const [width, height] = [text.width + 8, fontSize(this.lettering.font) + 5];
    return geom.map((line) => {
      const spot = line[Math.floor(line.length / 2)]!;
      return {
        anchor: spot,
        bboxes: [boxAround(spot, width, height)],
        deduplicationKey: `plate ${ref}`,
        deduplicationDistance: REPEAT,
        draw: (ctx: CanvasRenderingContext2D) => {
          ctx.globalAlpha = 1;
          ctx.fillStyle = this.ground;
          ctx.strokeStyle = this.lettering.fill;
          ctx.lineWidth = 0.6;
          ctx.beginPath();
          ctx.roundRect(-width / 2, -height / 2, width, height, 3);
          ctx.fill();
          ctx.stroke();
          ctx.font = this.lettering.font;
          ctx.textAlign = 'center';
          ctx.textBaseline = 'middle';
          ctx.fillStyle = this.lettering.fill;
          ctx.fillText(ref, 0, 0.5);
        },
      };
    });
  }
}

const SIDES = ['right', 'left', 'below', 'above'] as const;

function offset(side: (typeof SIDES)[number], { width, height }: WrittenText, gap: number): [number, number] {
  if (side === 'right') return [gap + width / 2, 0];
  if (side === 'left') return [-gap - width / 2, 0];
  return [0, (side === 'below' ? 1 : -1) * (gap + height / 2)];
}

function boxAround({ x, y }: { x: number; y: number }, width: number, height: number): Bbox {
  return { minX: x - width / 2, minY: y - height / 2, maxX: x + width / 2, maxY: y + height / 2 };
}

/** The middle of the widest stretch at half the height of an area: a point well inside it. */
function middleOf(ring: Line): Spot {
  const middle = ring[0]!.clone();
  let [top, bottom] = [Infinity, -Infinity];
  for (const { y } of ring) [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  middle.y = (top + bottom) / 2 + 0.01;
  const crossings: number[] = [];
  ring.forEach((b, i) => {
    const a = ring.at(i - 1)!;
    if (a.y > middle.y !== b.y > middle.y) crossings.push(a.x + ((middle.y - a.y) / (b.y - a.y)) * (b.x - a.x));
  });
  crossings.sort((a, b) => a - b);
  let widest = -1;
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const width = crossings[i + 1]! - crossings[i]!;
    if (width > widest) [widest, middle.x] = [width, (crossings[i]! + crossings[i + 1]!) / 2];
  }
  return middle;
}

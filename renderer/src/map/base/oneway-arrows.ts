import type { Feature, PaintSymbolizer } from 'protomaps-leaflet';

type Line = Feature['geom'][number];

/** Pixels between two arrows. */
const EVERY = 110;
/** A shorter road shows none: its neighbours tell. */
const SHORTEST = 24;

/** Small arrows along roads that go one way: `oneway` is 1 along the line, -1 against it. */
export class OnewayArrows implements PaintSymbolizer {
  private readonly colour: string;

  constructor(colour: string) {
    this.colour = colour;
  }

  draw(ctx: CanvasRenderingContext2D, geom: Line[], _zoom: number, { props }: Feature): void {
    ctx.globalAlpha = 1;
    ctx.strokeStyle = this.colour;
    ctx.lineWidth = 1.3;
    ctx.lineCap = 'round';
    ctx.lineJoin = 'round';
    for (const line of geom) {
      for (const { x, y, angle } of arrowsAlong(line)) {
        ctx.save();
        ctx.translate(x, y);
        ctx.rotate(angle + (props['oneway'] === -1 ? Math.PI : 0));
        ctx.beginPath();
        ctx.moveTo(-5, 0);
        ctx.lineTo(5, 0);
        ctx.moveTo(2, -2.5);
        ctx.lineTo(5, 0);
        ctx.lineTo(2, 2.5);
        ctx.stroke();
        ctx.restore();
      }
    }
  }
}

/** One in the middle of a line, and others at equal distances on longer ones. */
export function arrowsAlong(line: readonly { x: number; y: number }[]): { x: number; y: number; angle: number }[] {
  let length = 0;
  for (let i = 1; i < line.length; i++) length += Math.hypot(line[i]!.x - line[i - 1]!.x, line[i]!.y - line[i - 1]!.y);
  if (length < SHORTEST) return [];
  const count = Math.max(1, Math.floor(length / EVERY));
  const found: { x: number; y: number; angle: number }[] = [];
  let passed = 0;
  for (let i = 1; i < line.length && found.length < count; i++) {
    const a = line[i - 1]!,
      b = line[i]!;
    const step = Math.hypot(b.x - a.x, b.y - a.y);
    for (let at = ((found.length + 0.5) / count) * length; found.length < count && at <= passed + step;) {
      const t = step === 0 ? 0 : (at - passed) / step;
      found.push({ x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y), angle: Math.atan2(b.y - a.y, b.x - a.x) });
      at = ((found.length + 0.5) / count) * length;
    }
    passed += step;
  }
  return found;
}

import { paceOf, PACES, type LearnedRoad, type Pace } from './learned-speeds.ts';
import { CanvasLayer, hit, type DrawnItem, type DrawingSurface } from '../../map/layers/canvas-layer.ts';
import type { Ink } from '../../map/ink.ts';

/** How a pace is drawn: the slower the wider, faster dashed, so that it is read without its colour too. */
interface PaceLook {
  readonly tone: 'abnormal' | 'quiet' | 'busy';
  readonly width: number;
  readonly dash: readonly number[];
}
export const PACE_LOOKS: Readonly<Record<Pace, PaceLook>> = {
  'much-slower': { tone: 'abnormal', width: 6, dash: [] },
  'slower': { tone: 'abnormal', width: 3, dash: [] },
  'same': { tone: 'quiet', width: 2, dash: [] },
  'faster': { tone: 'busy', width: 3, dash: [6, 4] },
};
const UNDER: readonly Pace[] = PACES.toReversed();

/** Pixels from the pointer to a road. */
const REACH = 10;
/** Pixels by which a direction lies beside the middle of its road, on the side on which it is driven. */
const ASIDE = 3;
/** At low zooms, where roads are narrow and close together, lines are thinner. */
const finenessAt = (zoom: number): number => Math.max(0.4, Math.min(1, (zoom - 9) / 6));

/** Roads coloured by driven speed compared with the map's, each direction by itself. */
export class SpeedsLayer {
  readonly layer = new CanvasLayer('speeds', (sheet) => this.paint(sheet));
  private roads: readonly LearnedRoad[] = [];
  private ink: Ink;
  private drawn: DrawnItem<LearnedRoad>[] = [];

  constructor(ink: Ink) {
    this.ink = ink;
  }

  show(roads: readonly LearnedRoad[]): void {
    this.roads = roads;
    this.layer.redraw();
  }

  recolour(ink: Ink): void {
    this.ink = ink;
    this.layer.redraw();
  }

  /** The road under a pixel of the map. */
  at(x: number, y: number): LearnedRoad | undefined {
    return hit(this.drawn, x, y, REACH);
  }

  private paint(sheet: DrawingSurface): void {
    this.drawn = [];
    const { context, zoom } = sheet;
    const paths = new Map<Pace, Path2D>(PACES.map((pace) => [pace, new Path2D()]));
    const fineness = finenessAt(zoom);
    for (const road of this.roads) this.trace(road, paths.get(paceOf(road.properties))!, ASIDE * fineness, sheet);
    context.lineJoin = 'round';
    context.lineCap = 'butt';
    for (const pace of UNDER) {
      const { tone, width, dash } = PACE_LOOKS[pace];
      context.setLineDash([]);
      context.strokeStyle = this.ink.routeCase;
      context.lineWidth = (width + 2) * fineness;
      context.stroke(paths.get(pace)!);
      context.setLineDash(dash.map((length) => length * fineness));
      context.strokeStyle = this.ink.tones[tone];
      context.lineWidth = width * fineness;
      context.stroke(paths.get(pace)!);
    }
    context.setLineDash([]);
  }

  /** Draws each straight piece a little to the right of its direction, on the side where vehicles drive. */
  private trace(road: LearnedRoad, path: Path2D, aside: number, sheet: DrawingSurface): void {
    const from = { x: 0, y: 0 };
    const to = { x: 0, y: 0 };
    road.geometry.coordinates.slice(1).forEach(([lon, lat], i) => {
      const [lonBefore, latBefore] = road.geometry.coordinates[i]!;
      sheet.project(latBefore, lonBefore, from);
      sheet.project(lat, lon, to);
      const length = Math.hypot(to.x - from.x, to.y - from.y);
      if (length === 0) return;
      const [x, y] = [(-(to.y - from.y) / length) * aside, ((to.x - from.x) / length) * aside];
      if (i === 0) path.moveTo(from.x + x, from.y + y);
      else path.lineTo(from.x + x, from.y + y);
      path.lineTo(to.x + x, to.y + y);
      for (let at = 0; at <= length; at += REACH)
        this.drawn.push({
          item: road,
          x: from.x + x + ((to.x - from.x) * at) / length,
          y: from.y + y + ((to.y - from.y) * at) / length,
        });
    });
  }
}

import { TONES, unitLook, type Tone } from '../../ui/design/tones.ts';
import { isMoving, placeAt, type Motion } from '../../lib/live/motion.ts';
import type { Positions } from '../../lib/live/positions.ts';
import { CanvasLayer, hit, type DrawnItem, type DrawingSurface } from './canvas-layer.ts';
import type { Ink } from '../ink.ts';
import { STALE_MS } from '../../lib/live/stale.ts';
import { clustered, type Cluster } from '../clusters.ts';
import type { TaskLayer } from './task-layer.ts';
import { LabelRoom, SymbolSheet } from '../symbols.ts';
import { isDrop, type Glyph } from '../unit-symbol.ts';

/** The data of a vehicle that the map draws, besides its position. */
interface VehicleFace {
  readonly id: number;
  readonly name: string;
  readonly glonassId: number;
}

interface VehicleScene {
  readonly positions: Pick<Positions, 'legs' | 'watch'>;
  readonly faces: ReadonlyMap<number, VehicleFace>;
  /** The data of each vehicle, by its id. */
  readonly glyphs: ReadonlyMap<number, Glyph>;
  /** Places in the ranking that is on the screen, by glonassId. */
  readonly ranks: ReadonlyMap<number, number>;
  /** glonassId */
  readonly chosen: number | undefined;
  /** In words: "4 min". */
  readonly ageText: (milliseconds: number) => string;
  /** The moment that is drawn, epoch ms; missing: now. */
  readonly at?: number;
}

const MOVING_KMH = 3;
const REACH = 16;
/** Near by, vehicles at rest within so many pixels are drawn as one, with the number of the others. */
const PARKED = 14;

/** Below this zoom vehicles that would lie over one another, within so many pixels, are one cluster. */
const NEAR_ZOOM = 14;
const SPACING = 28;

const FRAME_MS = 17;
/** On slow machines, too, vehicles keep moving. */
const LONGEST_WAIT_MS = 1_000;
/**
 * With more vehicles than this, zoomed out, headings are not visible and would cost as much as all the rest.
 */
const CROWD = 1_500;

/** A vehicle in the picture. */
interface VehicleSpot {
  readonly leg: Motion;
  readonly face: VehicleFace;
  readonly x: number;
  readonly y: number;
  readonly direction: number;
  /** How many others it represents; -1: another represents it. */
  others: number;
}
const STOOD_FOR = -1;

/**
 * All vehicles on one canvas: status by colour and shape, heading by shape, old positions hollow with their
 * age.
 */
export class VehicleLayer {
  readonly layer: CanvasLayer;
  private scene: VehicleScene;
  private ink: Ink;
  private sheet: SymbolSheet;
  private drawn: DrawnItem<VehicleFace>[] = [];
  private clusters: DrawnItem<Cluster<VehicleSpot>>[] = [];
  private next: ReturnType<typeof setTimeout> | undefined;
  private readonly tasks: TaskLayer | undefined;
  private readonly stop: () => void;
  private readonly ageing: ReturnType<typeof setInterval>;

  /** @param tasks a layer below, whose label of the chosen task stays free of names of vehicles */
  constructor(scene: VehicleScene, ink: Ink, tasks?: TaskLayer) {
    this.scene = scene;
    this.tasks = tasks;
    this.ink = ink;
    this.sheet = new SymbolSheet(ink, window.devicePixelRatio);
    this.layer = new CanvasLayer('vehicles', (sheet) => this.paint(sheet));
    // New positions begin new legs; the drawing that is under way takes them up.
    this.stop = scene.positions.watch(() => (this.next === undefined ? this.layer.redraw() : undefined));
    this.ageing = setInterval(() => this.layer.redraw(), 10_000);
  }

  show(scene: VehicleScene): void {
    this.scene = scene;
    this.layer.redraw();
  }

  recolour(ink: Ink): void {
    this.ink = ink;
    this.sheet = new SymbolSheet(ink, window.devicePixelRatio);
    this.layer.redraw();
  }

  at(x: number, y: number): VehicleFace | undefined {
    return hit(this.drawn, x, y, REACH);
  }

  /** The places of a cluster at this pixel; undefined: there is no cluster. */
  clusterAt(x: number, y: number): readonly (readonly [lat: number, lon: number])[] | undefined {
    return hit(this.clusters, x, y, REACH)?.spots.map(({ leg }) => [leg.fix.lat, leg.fix.lon]);
  }

  dispose(): void {
    this.stop();
    clearInterval(this.ageing);
    clearTimeout(this.next);
    this.layer.remove();
  }

  private paint(sheet: DrawingSurface): void {
    const now = performance.now();
    const wall = this.scene.at ?? Date.now();
    const radius = sheet.zoom < 12 ? 8 : sheet.zoom < NEAR_ZOOM ? 9 : 11;
    const near = sheet.zoom >= NEAR_ZOOM;
    const at = { x: 0, y: 0 };
    const place = { lat: 0, lon: 0, direction: 0 };
    const drawn: DrawnItem<VehicleFace>[] = [];
    const parked = new Map<number, VehicleSpot>();
    const below: VehicleSpot[] = [];
    const above: VehicleSpot[] = []; // the chosen one and the ranked ones lie on top
    let moving = false;
    for (const leg of this.scene.positions.legs.values()) {
      const face = this.scene.faces.get(leg.glonassId);
      if (!face) continue;
      placeAt(leg, now, place);
      sheet.project(place.lat, place.lon, at);
      if (!sheet.shows(at, 20)) continue;
      moving ||= isMoving(leg, now);
      const spot: VehicleSpot = { leg, face, x: at.x, y: at.y, direction: place.direction, others: 0 };
      const rest =
        near && leg.fix.speed <= MOVING_KMH
          ? Math.round(at.x / PARKED) * 65_536 + Math.round(at.y / PARKED)
          : undefined;
      const first = rest === undefined ? undefined : parked.get(rest);
      if (rest !== undefined && first && this.weight(first) >= this.weight(spot)) {
        first.others++;
        continue;
      }
      if (rest !== undefined) parked.set(rest, spot);
      if (first) {
        spot.others = first.others + 1;
        first.others = STOOD_FOR;
      }
      (this.weight(spot) > 0 ? above : below).push(spot);
    }
    const { alone, clusters } = near ? { alone: below, clusters: [] } : clustered(below, SPACING, this.originOf(sheet));
    const crowded = !near && alone.length > CROWD;
    const room = new LabelRoom();
    this.tasks?.claimChosen(sheet, room);
    for (const cluster of clusters) this.paintCluster(sheet.context, cluster);
    this.clusters = clusters.map((cluster) => ({ item: cluster, x: cluster.x, y: cluster.y }));
    for (const spot of [...alone, ...above]) {
      if (spot.others === STOOD_FOR) continue;
      this.paintOne(sheet, spot, radius, wall, room, crowded);
      drawn.push({ item: spot.face, x: spot.x, y: spot.y });
    }
    this.drawn = drawn;
    if (moving) this.drawAgain(sheet.zoom, now);
  }

  /**
   * Zoomed out, a vehicle needs many frames to move one pixel; in any case two thirds of the time are left
   * for the rest of the page. The cost of a frame is measured at the next one, because a browser without a
   * graphics card draws after the script.
   */
  private drawAgain(zoom: number, began: number): void {
    clearTimeout(this.next);
    this.next = setTimeout(() => {
      this.next = undefined;
    }, LONGEST_WAIT_MS);
    requestAnimationFrame(() => {
      const cost = Math.max(0, performance.now() - began - FRAME_MS);
      const pause = zoom < 14 ? 120 : zoom < 16 ? 50 : 0;
      clearTimeout(this.next);
      this.next = setTimeout(
        () => {
          this.next = undefined;
          this.layer.redraw();
        },
        Math.max(pause, Math.min(LONGEST_WAIT_MS, 2 * cost)),
      );
    });
  }

  /**
   * Weight of a vehicle among others that are parked in the same spot: the chosen one, the best of the
   * ranking, any other.
   */
  private weight({ leg }: VehicleSpot): number {
    if (this.scene.chosen === leg.glonassId) return 100;
    const rank = this.scene.ranks.get(leg.glonassId);
    return rank === undefined ? 0 : 50 - rank;
  }

  /** The grid of the clusters begins at a place, so that it goes along with the map. */
  private originOf(sheet: DrawingSurface): { x: number; y: number } {
    const origin = { x: 0, y: 0 };
    sheet.project(0, 0, origin);
    return origin;
  }

  /** A disc with the number, and around it the share of each status in its colour. */
  private paintCluster(context: CanvasRenderingContext2D, { spots, x, y }: Cluster<VehicleSpot>): void {
    const radius = spots.length < 10 ? 12 : spots.length < 100 ? 14 : 17;
    const counts = new Map<Tone, number>();
    for (const { leg } of spots) {
      const { tone } = unitLook(leg.fix.unitStatus);
      counts.set(tone, (counts.get(tone) ?? 0) + 1);
    }
    context.beginPath();
    context.arc(x, y, radius + 1.5, 0, 2 * Math.PI);
    context.fillStyle = this.ink.panel;
    context.fill();
    let from = -Math.PI / 2;
    context.lineWidth = 3;
    for (const tone of TONES) {
      const to = from + (2 * Math.PI * (counts.get(tone) ?? 0)) / spots.length;
      if (to === from) continue;
      context.beginPath();
      context.arc(x, y, radius - 1, from, to);
      context.strokeStyle = this.ink.tones[tone];
      context.stroke();
      from = to;
    }
    context.font = '700 11px Roboto';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = this.ink.text;
    context.fillText(String(spots.length), x, y + 0.5);
  }

  private paintOne(
    sheet: DrawingSurface,
    { leg, face, x, y, direction, others }: VehicleSpot,
    radius: number,
    wall: number,
    room: LabelRoom,
    crowded: boolean,
  ): void {
    const { context } = sheet;
    const { ranks, chosen } = this.scene;
    const look = unitLook(leg.fix.unitStatus);
    const age = wall - leg.fix.data;
    const old = age > STALE_MS;
    const isChosen = chosen === leg.glonassId;
    const turn = ((direction - 90) * Math.PI) / 180;
    if (isChosen) this.ring(context, x, y, radius + 8);
    if (!isDrop(look) && !old && leg.fix.speed > MOVING_KMH && (!crowded || isChosen))
      this.sheet.putBeak(context, look.tone, radius, x, y, turn);
    const glyph = this.scene.glyphs.get(face.id) ?? 'truck';
    this.sheet.putUnit(context, { look, glyph, old, radius }, x, y, turn);
    const rank = ranks.get(leg.glonassId);
    if (rank !== undefined) this.rankMark(context, rank, x + radius + 3, y - radius - 3);
    if (sheet.zoom < 14 && !isChosen && rank === undefined && !(old && sheet.zoom >= 13)) return;
    const text = [face.name, others > 0 ? `+${others}` : '', old ? `· ${this.scene.ageText(age)}` : '']
      .filter(Boolean)
      .join(' ');
    const width = text.length * 6;
    if (isChosen || rank !== undefined || room.claim(x - width / 2, y + radius + 3, width, 13))
      this.sheet.putLabel(context, text, x, y + radius + 4, isChosen);
  }

  private ring(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.lineWidth = 5;
    context.strokeStyle = this.ink.panel;
    context.stroke();
    context.lineWidth = 2.5;
    context.strokeStyle = this.ink.accent;
    context.stroke();
  }

  private rankMark(context: CanvasRenderingContext2D, rank: number, x: number, y: number): void {
    context.beginPath();
    context.arc(x, y, 8, 0, 2 * Math.PI);
    context.fillStyle = this.ink.accent;
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = this.ink.panel;
    context.stroke();
    context.font = '700 10px Roboto';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = this.ink.onAccent;
    context.fillText(String(rank), x, y + 0.5);
  }
}

import { speedBand, SPEED_BANDS, type Moment, type Track, type DrawnTrackPoint } from './track.ts';
import type { Look } from '../../../ui/design/tones.ts';
import { CanvasLayer, type DrawingSurface } from '../../../map/layers/canvas-layer.ts';
import type { Ink } from '../../../map/ink.ts';
import { LabelRoom, SymbolSheet } from '../../../map/symbols.ts';

/** A mark on a track, such as a stop. */
export interface TrackMark {
  readonly id: number;
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly look: Look;
  readonly text: string;
}

/** Pixels; a point that is nearer to the one before is not drawn. */
const FINEST = 1.5;
/** Pixels to a point of the track or a mark. */
const REACH = 14;
const DOUBT: Look = { tone: 'quiet', shape: 'cross', filled: false };
const PLACE: Look = { tone: 'action', shape: 'chevron', filled: true };

/**
 * The track of one vehicle: coloured, and wider where it is faster; dashed where positions are missing.
 * Doubtful positions are crosses beside it. Above it is the position at the selected moment.
 */
export class TrackLayer {
  readonly layer = new CanvasLayer('track', (sheet) => this.paint(sheet));
  readonly over = new CanvasLayer('track-place', (sheet) => this.paintPlace(sheet));
  private track: Track | undefined;
  private marks: readonly TrackMark[] = [];
  private place: Moment | undefined;
  private hovered: Moment | undefined;
  private ink: Ink;
  private symbols: SymbolSheet;
  /** Pixels of the plausible points as drawn last, to find them under the pointer. */
  private drawn: { readonly x: number; readonly y: number; readonly index: number }[] = [];
  private drawnMarks: { readonly x: number; readonly y: number; readonly mark: TrackMark }[] = [];

  constructor(ink: Ink) {
    this.ink = ink;
    this.symbols = new SymbolSheet(ink, window.devicePixelRatio);
  }

  show(track: Track | undefined, marks: readonly TrackMark[]): void {
    this.track = track;
    this.marks = marks;
    this.layer.redraw();
  }

  showPlace(place: Moment | undefined, hovered: Moment | undefined): void {
    this.place = place;
    this.hovered = hovered;
    this.over.redraw();
  }

  recolour(ink: Ink): void {
    this.ink = ink;
    this.symbols = new SymbolSheet(ink, window.devicePixelRatio);
    this.layer.redraw();
    this.over.redraw();
  }

  markAt(x: number, y: number): TrackMark | undefined {
    return nearest(this.drawnMarks, x, y)?.mark;
  }

  pointAt(x: number, y: number): DrawnTrackPoint | undefined {
    const found = nearest(this.drawn, x, y);
    return found && this.track?.points[found.index];
  }

  remove(): void {
    this.layer.remove();
    this.over.remove();
  }

  private paint(sheet: DrawingSurface): void {
    this.drawn = [];
    this.drawnMarks = [];
    if (!this.track) return;
    this.paintWay(sheet, this.track);
    const at = { x: 0, y: 0 };
    for (const point of this.track.doubtful) {
      sheet.project(point.lat, point.lon, at);
      if (sheet.shows(at, 10)) this.symbols.put(sheet.context, { look: DOUBT, hollow: false, radius: 4 }, at.x, at.y);
    }
    const room = new LabelRoom();
    for (const mark of this.marks) {
      sheet.project(mark.lat, mark.lon, at);
      if (!sheet.shows(at, 12)) continue;
      this.symbols.put(sheet.context, { look: mark.look, hollow: false, radius: 7 }, at.x, at.y);
      this.drawnMarks.push({ x: at.x, y: at.y, mark });
      if (mark.text && sheet.zoom >= 14 && room.claim(at.x - mark.text.length * 3, at.y + 9, mark.text.length * 6, 13))
        this.symbols.putLabel(sheet.context, mark.text, at.x, at.y + 9, false);
    }
  }

  /** One path per speed band, and one for gaps. */
  private paintWay(sheet: DrawingSurface, track: Track): void {
    const { context } = sheet;
    const paths = Array.from({ length: SPEED_BANDS.length + 1 }, () => new Path2D());
    const unknown = new Path2D();
    const whole = new Path2D();
    const at = { x: 0, y: 0 };
    let [lastX, lastY, seen] = [0, 0, false];
    track.points.forEach((point, index) => {
      sheet.project(point.lat, point.lon, at);
      const visible = sheet.shows(at, 40);
      const before = track.points[index - 1];
      const gap = before !== undefined && track.isGap(before, point);
      if (before && !gap && visible === seen && Math.abs(at.x - lastX) < FINEST && Math.abs(at.y - lastY) < FINEST)
        return;
      if (before && (visible || seen)) {
        for (const path of gap ? [unknown] : [paths[speedBand(point.speed)]!, whole]) {
          path.moveTo(lastX, lastY);
          path.lineTo(at.x, at.y);
        }
      }
      if (visible) this.drawn.push({ x: at.x, y: at.y, index });
      [lastX, lastY, seen] = [at.x, at.y, visible];
    });
    context.lineCap = 'round';
    context.lineJoin = 'round';
    context.strokeStyle = this.ink.routeCase;
    context.lineWidth = 8;
    context.stroke(whole);
    paths.forEach((path, band) => {
      context.strokeStyle = this.ink.speeds[band]!;
      context.lineWidth = 3 + band * 0.6;
      context.stroke(path);
    });
    context.setLineDash([2, 8]);
    context.strokeStyle = this.ink.tones.quiet;
    context.lineWidth = 2.5;
    context.stroke(unknown);
    context.setLineDash([]);
  }

  private paintPlace(sheet: DrawingSurface): void {
    const at = { x: 0, y: 0 };
    if (this.hovered) {
      sheet.project(this.hovered.lat, this.hovered.lon, at);
      sheet.context.beginPath();
      sheet.context.arc(at.x, at.y, 6, 0, 2 * Math.PI);
      sheet.context.lineWidth = 2.5;
      sheet.context.fillStyle = this.ink.panel;
      sheet.context.strokeStyle = this.ink.text;
      sheet.context.fill();
      sheet.context.stroke();
    }
    if (!this.place) return;
    sheet.project(this.place.lat, this.place.lon, at);
    this.symbols.put(
      sheet.context,
      { look: PLACE, hollow: this.place.gap !== undefined, radius: 12 },
      at.x,
      at.y,
      ((this.place.direction - 90) * Math.PI) / 180,
    );
  }
}

function nearest<T extends { readonly x: number; readonly y: number }>(
  drawn: readonly T[],
  x: number,
  y: number,
): T | undefined {
  let [best, least]: [T | undefined, number] = [undefined, REACH * REACH];
  for (const one of drawn) {
    const distance = (one.x - x) ** 2 + (one.y - y) ** 2;
    if (distance < least) [best, least] = [one, distance];
  }
  return best;
}

import L from 'leaflet';
import { afterPaint } from '../../lib/time/after-paint.ts';

/** The drawing surface, in CSS pixels of the map's frame. */
export interface DrawingSurface {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly zoom: number;
  /** Pixel of a place in this frame; written into `at` to spare garbage. */
  project(lat: number, lon: number, at: { x: number; y: number }): void;
  /** Whether something at this pixel that reaches so far around it is to be drawn. */
  shows(at: { readonly x: number; readonly y: number }, reach: number): boolean;
}

const EARTH = 256;
/**
 * The canvas is this share of the map larger on each side, so that a dragged map takes it along unchanged.
 */
const MARGIN = 0.12;
/** Seconds. To draw thousands of symbols on the way would take longer than the way. */
const SHORT_GLIDE = 0.3;

/**
 * One canvas over the map for any number of symbols. It is redrawn when the view changes and on `redraw`, at
 * most once a frame; it moves with the tiles during a drag, and scales with them during a zoom.
 */
export class CanvasLayer extends L.Layer {
  private readonly canvas = L.DomUtil.create('canvas', 'leaflet-zoom-animated canvas-layer');
  private readonly paint: (sheet: DrawingSurface) => void;
  private readonly paneName: string;
  private frame = 0;
  private putOff: (() => void) | undefined;
  private drawnZoom = 0;
  private drawnCorner = L.latLng(0, 0);
  private drawnSize = L.point(0, 0);
  private margin = L.point(0, 0);

  constructor(pane: string, paint: (sheet: DrawingSurface) => void) {
    super();
    this.paneName = pane;
    this.paint = paint;
    this.canvas.style.pointerEvents = 'none';
  }

  override onAdd(map: L.Map): this {
    const pane = map.getPane(this.paneName) ?? map.createPane(this.paneName);
    pane.appendChild(this.canvas);
    this.redraw();
    return this;
  }

  override onRemove(): this {
    this.callOff();
    this.canvas.remove();
    return this;
  }

  override getEvents(): Record<string, L.LeafletEventHandlerFn> {
    return {
      move: () => this.follow(),
      moveend: () => this.fit(),
      resize: () => this.fit(),
      zoomend: () => this.fit(),
      viewreset: () => this.fit(),
      zoomanim: (event) => this.animate(event as L.ZoomAnimEvent),
    };
  }

  /** Something that it shows has changed: a key that changed it is answered first. A move draws it at its end. */
  redraw(): void {
    this.putOff ??= afterPaint(() => {
      this.putOff = undefined;
      if (this.frame === 0 && !this.glides() && !this.isResized()) this.draw();
    });
  }

  /** The view has changed: it has to fit to the map in the next frame, or at the end of a short glide. */
  private fit(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      if (!this.glides()) this.draw();
    });
  }

  /** A move past the margin redraws it; after a short glide that is done once, at its end. */
  private follow(): void {
    if (this.glides()) return;
    if (!this._map.getSize().equals(this.drawnSize)) return this.fit(); // a glide may follow
    const corner = this._map.latLngToContainerPoint(this.drawnCorner);
    const { x, y } = this.margin;
    if (this._map.getZoom() !== this.drawnZoom || Math.abs(corner.x + x) >= x || Math.abs(corner.y + y) >= y)
      this.draw();
  }

  /** It is on a short way, whose end draws it. */
  private glides(): boolean {
    const glide = (this._map as { _panAnim?: { _inProgress?: boolean; _duration: number } } | null)?._panAnim;
    return glide?._inProgress === true && glide._duration <= SHORT_GLIDE;
  }

  /** The map has not heard of the new size of its element yet; then it is drawn for that. */
  private isResized(): boolean {
    const map = this._map as L.Map | null;
    if (!map) return false;
    const [size, element] = [map.getSize(), map.getContainer()];
    return element.clientWidth !== size.x || element.clientHeight !== size.y;
  }

  private animate(event: L.ZoomAnimEvent): void {
    const map = this._map as L.Map & {
      _latLngToNewLayerPoint(place: L.LatLng, zoom: number, center: L.LatLng): L.Point;
    };
    L.DomUtil.setTransform(
      this.canvas,
      map._latLngToNewLayerPoint(this.drawnCorner, event.zoom, event.center),
      map.getZoomScale(event.zoom, this.drawnZoom),
    );
  }

  /** Cancels the request to draw: it was drawn, or nothing is left to draw. */
  private callOff(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.putOff?.();
    this.putOff = undefined;
  }

  private draw(): void {
    this.callOff();
    const map = this._map;
    if (!map || (map as { _animatingZoom?: boolean })._animatingZoom) return;
    const size = (this.drawnSize = map.getSize());
    const { x: width, y: height } = size;
    const margin = (this.margin = size.multiplyBy(MARGIN).round());
    const [wide, high] = [width + 2 * margin.x, height + 2 * margin.y];
    const ratio = window.devicePixelRatio;
    if (this.canvas.width !== Math.round(wide * ratio) || this.canvas.height !== Math.round(high * ratio)) {
      this.canvas.width = Math.round(wide * ratio);
      this.canvas.height = Math.round(high * ratio);
      this.canvas.style.width = `${wide}px`;
      this.canvas.style.height = `${high}px`;
    }
    const corner = margin.multiplyBy(-1);
    L.DomUtil.setTransform(this.canvas, map.containerPointToLayerPoint(corner), 1);
    this.drawnZoom = map.getZoom();
    this.drawnCorner = map.containerPointToLatLng(corner);
    const origin = map.project(map.containerPointToLatLng([0, 0]), this.drawnZoom);
    const earth = EARTH * 2 ** this.drawnZoom;
    const context = this.canvas.getContext('2d')!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(ratio, 0, 0, ratio, margin.x * ratio, margin.y * ratio);
    this.paint({
      context,
      width,
      height,
      zoom: this.drawnZoom,
      project(lat, lon, at) {
        const sine = Math.sin((lat * Math.PI) / 180);
        at.x = (lon / 360 + 0.5) * earth - origin.x;
        at.y = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * earth - origin.y;
      },
      shows: ({ x, y }, reach) =>
        x >= -margin.x - reach &&
        y >= -margin.y - reach &&
        x <= width + margin.x + reach &&
        y <= height + margin.y + reach,
    });
  }
}

/** Where something was drawn, for finding it under the pointer. */
export interface DrawnItem<T> {
  readonly item: T;
  readonly x: number;
  readonly y: number;
}

/** The nearest of `drawn` within `reach` pixels of a point; later ones lie on top and win ties. */
export function hit<T>(drawn: readonly DrawnItem<T>[], x: number, y: number, reach: number): T | undefined {
  let best: T | undefined;
  let least = reach * reach;
  for (const one of drawn) {
    const distance = (one.x - x) ** 2 + (one.y - y) ** 2;
    if (distance <= least) [best, least] = [one.item, distance];
  }
  return best;
}

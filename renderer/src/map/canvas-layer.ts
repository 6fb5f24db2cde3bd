import L from 'leaflet';

/** What is drawn on, in CSS pixels of the map's own frame. */
export interface Sheet {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly zoom: number;
  /** Pixel of a place in this frame; written into `at` to spare garbage. */
  project(lat: number, lon: number, at: { x: number; y: number }): void;
}

const EARTH = 256;

/**
 * One canvas over the map for any number of symbols. It is redrawn when the view changes and when `redraw` is called, at
 * most once a frame; while the map zooms it is scaled along with the tiles.
 */
export class CanvasLayer extends L.Layer {
  private readonly canvas = L.DomUtil.create('canvas', 'leaflet-zoom-animated canvas-layer');
  private readonly paint: (sheet: Sheet) => void;
  private readonly paneName: string;
  private frame = 0;
  private drawnZoom = 0;
  private drawnCorner = L.latLng(0, 0);

  constructor(pane: string, paint: (sheet: Sheet) => void) {
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
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.canvas.remove();
    return this;
  }

  override getEvents(): Record<string, L.LeafletEventHandlerFn> {
    return {
      move: () => this.draw(),
      moveend: () => this.redraw(),
      resize: () => this.redraw(),
      zoomend: () => this.redraw(),
      viewreset: () => this.redraw(),
      zoomanim: (event) => this.animate(event as L.ZoomAnimEvent),
    };
  }

  redraw(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private animate(event: L.ZoomAnimEvent): void {
    const map = this._map as L.Map & { _latLngToNewLayerPoint(place: L.LatLng, zoom: number, center: L.LatLng): L.Point };
    L.DomUtil.setTransform(this.canvas, map._latLngToNewLayerPoint(this.drawnCorner, event.zoom, event.center), map.getZoomScale(event.zoom, this.drawnZoom));
  }

  private draw(): void {
    const map = this._map;
    if (!map || (map as { _animatingZoom?: boolean })._animatingZoom) return;
    const { x: width, y: height } = map.getSize();
    const ratio = window.devicePixelRatio;
    if (this.canvas.width !== width * ratio || this.canvas.height !== height * ratio) {
      this.canvas.width = width * ratio;
      this.canvas.height = height * ratio;
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    const corner = map.containerPointToLayerPoint([0, 0]);
    L.DomUtil.setTransform(this.canvas, corner, 1);
    this.drawnZoom = map.getZoom();
    this.drawnCorner = map.containerPointToLatLng([0, 0]);
    const origin = map.project(this.drawnCorner, this.drawnZoom);
    const size = EARTH * 2 ** this.drawnZoom;
    const context = this.canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.paint({
      context,
      width,
      height,
      zoom: this.drawnZoom,
      project(lat, lon, at) {
        const sine = Math.sin((lat * Math.PI) / 180);
        at.x = (lon / 360 + 0.5) * size - origin.x;
        at.y = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size - origin.y;
      },
    });
  }
}

/** Where something was drawn, for finding it under the pointer. */
export interface Drawn<T> {
  readonly item: T;
  readonly x: number;
  readonly y: number;
}

/** The nearest of `drawn` within `reach` pixels of a point; later ones lie on top and win ties. */
export function hit<T>(drawn: readonly Drawn<T>[], x: number, y: number, reach: number): T | undefined {
  let best: T | undefined;
  let least = reach * reach;
  for (const one of drawn) {
    const distance = (one.x - x) ** 2 + (one.y - y) ** 2;
    if (distance <= least) [best, least] = [one.item, distance];
  }
  return best;
}

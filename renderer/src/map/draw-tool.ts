import L from 'leaflet';
import type { LonLat } from '../../../shared/shapes.ts';
import { addVertex, DrawHistory, holdOfRadius, insertVertex, isWhole, middles, moveVertex, nothingDrawn, reachTo, removeVertex, type Drawing, type DrawKind } from './draw-geometry.ts';
import './draw-tool.css';
import type { Ink } from './ink.ts';

export interface DrawOptions {
  /** Told of every change, also in the middle of a drag, and when drawing goes over to editing. */
  readonly onChange: (drawing: Drawing) => void;
  /** Escape in the map. */
  readonly onLeave: () => void;
  /** What a handle is called for those who hear the screen; `place` counts from 1. */
  readonly nameOf: (handle: 'vertex' | 'middle' | 'radius', place: number) => string;
  /** Makes something better of a drawing to which a vertex was just added, such as a line that follows a road. */
  readonly refine?: (drawing: Drawing) => Promise<Drawing | undefined>;
}

interface Handle {
  readonly role: 'vertex' | 'middle' | 'radius';
  readonly index: number;
  readonly at: LonLat;
}

const PANE = 'drawing';
/** Pixels that an arrow key moves a handle by; with Shift. */
const STEP = 2;
const LONG_STEP = 20;
/** More handles than this in sight could not be told apart. */
const MOST_HANDLES = 300;

/**
 * Drawing by hand on a map: `add` by clicks (Space sets a vertex in the middle of the picture, Enter and a double click end), then handles
 * to drag, and dots between them that become vertices. A handle in focus moves by arrow keys and goes with Delete; Ctrl+Z and Ctrl+Y go
 * back and forth. It lives until `remove`.
 */
export class DrawTool {
  /** Still taking vertices, and not only changing those there are. */
  adding: boolean;
  private readonly map: L.Map;
  private readonly options: DrawOptions;
  private readonly history: DrawHistory;
  private readonly lines: L.FeatureGroup = L.featureGroup();
  private readonly handles: L.LayerGroup = L.layerGroup();
  private shown: { handle: Handle; marker: L.Marker }[] = [];
  /** What a drag or the pointer would make of it. */
  private preview: Drawing | undefined;
  private pointer: LonLat | undefined;
  private ink: Ink;

  constructor(map: L.Map, start: Drawing, ink: Ink, options: DrawOptions) {
    this.map = map;
    this.ink = ink;
    this.options = options;
    this.history = new DrawHistory(start);
    this.adding = !isWhole(start);
    const pane = map.getPane(PANE) ?? map.createPane(PANE);
    pane.style.zIndex = '620';
    this.lines.addTo(map);
    this.handles.addTo(map);
    map.on('click', this.onClick).on('mousemove', this.onPointer).on('dblclick', this.onDoubleClick).on('moveend', this.rebuild);
    map.getContainer().addEventListener('keydown', this.onKey, true);
    this.showMode();
    this.draw();
    this.rebuild();
    if (this.adding) map.getContainer().focus({ preventScroll: true });
  }

  static begin(map: L.Map, kind: DrawKind, ink: Ink, options: DrawOptions): DrawTool {
    return new DrawTool(map, nothingDrawn(kind), ink, options);
  }

  get drawing(): Drawing {
    return this.history.now;
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  undo(): void {
    this.history.undo();
    if (!isWhole(this.drawing)) this.adding = true;
    this.changed();
  }

  redo(): void {
    this.history.redo();
    this.changed();
  }

  /** Another shape in place of this one, as one step that can be taken back. */
  change(drawing: Drawing): void {
    this.history.change(drawing);
    this.changed();
  }

  /** No more vertices, if it is a shape already. */
  finish(): void {
    if (!isWhole(this.drawing)) return;
    this.adding = false;
    this.changed();
  }

  /** More vertices at the end of a line or ring. */
  goOn(): void {
    this.adding = true;
    this.changed();
    this.map.getContainer().focus({ preventScroll: true });
  }

  recolour(ink: Ink): void {
    this.ink = ink;
    this.draw();
  }

  remove(): void {
    this.map.off('click', this.onClick).off('mousemove', this.onPointer).off('dblclick', this.onDoubleClick).off('moveend', this.rebuild);
    this.map.getContainer().removeEventListener('keydown', this.onKey, true);
    this.map.getContainer().classList.remove('draw-adding');
    this.map.doubleClickZoom.enable();
    this.lines.remove();
    this.handles.remove();
  }

  private readonly onClick = (event: L.LeafletMouseEvent): void => this.addAt(lonLat(event.latlng));

  private addAt(at: LonLat): void {
    if (!this.adding) return;
    const { kind, vertices } = this.drawing;
    const next = kind === 'circle' && vertices.length === 1 ? reachTo(this.drawing, at) : addVertex(this.drawing, at);
    this.history.change(next);
    if ((kind === 'point' || kind === 'circle') && isWhole(next)) this.adding = false;
    this.changed();
    void this.refine();
  }

  private async refine(): Promise<void> {
    const before = this.drawing;
    const better = await this.options.refine?.(before);
    if (!better || this.drawing !== before) return; // gone on meanwhile
    this.history.amend(better);
    this.changed();
  }

  private readonly onDoubleClick = (): void => {
    if (this.adding) this.finish();
  };

  private readonly onPointer = (event: L.LeafletMouseEvent): void => {
    if (!this.adding) return;
    this.pointer = lonLat(event.latlng);
    this.draw();
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const held = this.shown.find(({ marker }) => marker.getElement() === event.target)?.handle;
    const used = this.press(event, held);
    if (!used) return;
    event.preventDefault();
    event.stopPropagation();
  };

  private press(event: KeyboardEvent, held: Handle | undefined): boolean {
    const control = event.ctrlKey || event.metaKey;
    if (control && event.code === 'KeyZ') return event.shiftKey ? this.redo() : this.undo(), true;
    if (control && event.code === 'KeyY') return this.redo(), true;
    if (control || event.altKey) return false;
    switch (event.key) {
      case 'Escape':
        return this.options.onLeave(), true;
      case 'Enter':
        if (held?.role === 'middle') return this.insertAt(held), true;
        return this.adding && (this.finish(), true);
      case ' ':
        if (held?.role === 'middle') return this.insertAt(held), true;
        return this.adding && (this.addAt(lonLat(this.map.getCenter())), true);
      case 'Backspace':
      case 'Delete':
        if (held) return this.removeAt(held), true;
        return this.adding && (this.undo(), true);
      default: {
        const arrow = ARROWS[event.key];
        return arrow !== undefined && held !== undefined && (this.nudge(held, arrow, event.shiftKey ? LONG_STEP : STEP), true);
      }
    }
  }

  private insertAt({ index, at }: Handle): void {
    this.change(insertVertex(this.drawing, index, at));
    this.focus('vertex', index);
  }

  private removeAt({ role, index }: Handle): void {
    if (role !== 'vertex') return;
    this.change(removeVertex(this.drawing, index));
    this.focus('vertex', Math.min(index, this.drawing.vertices.length - 1));
  }

  private nudge(handle: Handle, [right, down]: readonly [number, number], step: number): void {
    const pixel = this.map.latLngToContainerPoint(latLng(handle.at));
    this.change(this.moved(handle, lonLat(this.map.containerPointToLatLng([pixel.x + right * step, pixel.y + down * step])))(this.drawing));
    this.focus(handle.role === 'middle' ? 'vertex' : handle.role, handle.index);
  }

  /** What a handle that has come to `to` makes of a drawing. */
  private moved({ role, index }: Handle, to: LonLat): (drawing: Drawing) => Drawing {
    switch (role) {
      case 'vertex':
        return (drawing) => moveVertex(drawing, index, to);
      case 'middle':
        return (drawing) => insertVertex(drawing, index, to);
      case 'radius':
        return (drawing) => reachTo(drawing, to);
    }
  }

  private changed(): void {
    this.preview = undefined;
    this.showMode();
    this.draw();
    this.rebuild();
    this.options.onChange(this.drawing);
  }

  private showMode(): void {
    this.map.getContainer().classList.toggle('draw-adding', this.adding);
    if (this.adding) this.map.doubleClickZoom.disable();
    else this.map.doubleClickZoom.enable();
    if (!this.adding) this.pointer = undefined;
  }

  private draw(): void {
    this.lines.clearLayers();
    const drawing = this.preview ?? this.drawing;
    const { kind, vertices, radius } = drawing;
    const corners = vertices.map(latLng);
    const common = { pane: PANE, interactive: false, renderer: this.renderer() };
    const stroke = { ...common, color: this.ink.accent, weight: 3, opacity: 1 };
    const casing = { ...common, color: this.ink.routeCase, weight: 7, opacity: 0.85 };
    const area = { ...stroke, fillColor: this.ink.accent, fillOpacity: 0.14 };
    const put = (layer: L.Layer) => this.lines.addLayer(layer);
    const guide = { ...stroke, weight: 2, dashArray: '5 5' };
    if (kind === 'circle' && corners[0]) {
      const reach = this.adding && this.pointer ? reachTo(drawing, this.pointer).radius : radius;
      if (reach > 0) put(L.circle(corners[0], { ...area, radius: reach, ...(this.adding && { dashArray: '5 5' }) }));
    } else if (kind === 'polygon' && corners.length > 2) {
      put(L.polygon(corners, { ...casing, fill: false }));
      put(L.polygon(corners, area));
    } else if (corners.length > 1) {
      put(L.polyline(corners, casing));
      put(L.polyline(corners, stroke));
    }
    const last = corners.at(-1);
    if (this.adding && this.pointer && last && kind !== 'circle') put(L.polyline([last, latLng(this.pointer)], guide));
  }

  /** Paths of their own pane have their own canvas. */
  private canvas: L.Renderer | undefined;
  private renderer(): L.Renderer {
    return (this.canvas ??= L.svg({ pane: PANE, padding: 0.3 }));
  }

  /** The handles anew: those in sight. The one in focus keeps it. */
  private readonly rebuild = (): void => {
    if (this.preview) return; // a drag that moves the map at its edge
    const focused = this.shown.find(({ marker }) => marker.getElement() === document.activeElement)?.handle;
    this.handles.clearLayers();
    const sight = this.map.getBounds().pad(0.1);
    const wanted = this.wantedHandles().filter(({ at }) => sight.contains(latLng(at)));
    this.shown = wanted.slice(0, MOST_HANDLES).map((handle) => ({ handle, marker: this.makeMarker(handle) }));
    for (const { handle, marker } of this.shown) {
      this.handles.addLayer(marker);
      marker.getElement()!.setAttribute('aria-label', this.options.nameOf(handle.role, handle.index + (handle.role === 'middle' ? 0 : 1)));
    }
    if (focused) this.focus(focused.role, focused.index);
  };

  private wantedHandles(): Handle[] {
    const { drawing } = this;
    const vertices = drawing.vertices.map((at, index): Handle => ({ role: 'vertex', index, at }));
    if (drawing.kind === 'circle') {
      const at = drawing.radius > 0 ? holdOfRadius(drawing) : undefined;
      return at ? [...vertices, { role: 'radius', index: 0, at }] : vertices;
    }
    return this.adding ? vertices : [...vertices, ...middles(drawing).map(({ index, at }): Handle => ({ role: 'middle', index, at }))];
  }

  private makeMarker(handle: Handle): L.Marker {
    const size = 24; // the dot in it is smaller
    const marker = L.marker(latLng(handle.at), { icon: L.divIcon({ className: `draw-handle draw-${handle.role}`, iconSize: [size, size] }), draggable: true, keyboard: true, zIndexOffset: handle.role === 'middle' ? 0 : 1_000, pane: PANE });
    const before = () => this.history.now;
    const preview = () => {
      this.preview = this.moved(handle, lonLat(marker.getLatLng()))(before());
      this.draw();
      this.options.onChange(this.preview);
    };
    return marker
      .on('drag', preview)
      .on('dragend', () => {
        const next = this.preview ?? before();
        this.preview = undefined;
        this.change(next);
      })
      .on('click', () => this.onHandle(handle));
  }

  private onHandle(handle: Handle): void {
    const { kind, vertices } = this.drawing;
    if (handle.role === 'middle') this.insertAt(handle);
    else if (this.adding && (handle.index === vertices.length - 1 || (kind === 'polygon' && handle.index === 0))) this.finish();
  }

  private focus(role: Handle['role'], index: number): void {
    this.shown.find(({ handle }) => handle.role === role && handle.index === index)?.marker.getElement()?.focus({ preventScroll: true });
  }
}

const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const lonLat = ({ lat, lng }: L.LatLng): LonLat => [lng, lat];
const latLng = ([lon, lat]: LonLat): L.LatLngTuple => [lat, lon];

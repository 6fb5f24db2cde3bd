import L from 'leaflet';
import type { LonLat } from '../../../../shared/geo/shapes.ts';
import { radiusHandle, middles, type Drawing } from './draw-geometry.ts';
import './draw-tool.css';
import { DRAW_PANE, latLng, lonLat, openDrawPane } from './draw-pane.ts';
import { textIcon } from '../text-marks.ts';

/** A handle of a drawing: a vertex, the middle of an edge, which becomes one, or the border of a circle. */
export interface Handle {
  readonly role: 'vertex' | 'middle' | 'radius';
  readonly index: number;
  readonly at: LonLat;
}

interface HandleOptions {
  /** The name of a handle for screen readers. `place` counts from 1. */
  readonly nameOf: (role: Handle['role'], place: number) => string;
  /** A handle is dragged over `to`. */
  readonly onDrag: (handle: Handle, to: LonLat) => void;
  readonly onDrop: () => void;
  readonly onClick: (handle: Handle) => void;
}

/** Pixels; the dot in it is smaller. */
const SIZE = 24;
/** More visible handles could not be distinguished on the screen. */
const MOST = 300;

/** No vertex can be inserted while vertices are added at the end. */
export function handlesOf(drawing: Drawing, adding: boolean): Handle[] {
  const vertices = drawing.vertices.map((at, index): Handle => ({ role: 'vertex', index, at }));
  if (drawing.kind === 'circle') {
    const at = drawing.radius > 0 ? radiusHandle(drawing) : undefined;
    return at ? [...vertices, { role: 'radius', index: 0, at }] : vertices;
  }
  return adding
    ? vertices
    : [...vertices, ...middles(drawing).map(({ index, at }): Handle => ({ role: 'middle', index, at }))];
}

/** The handles of a drawing on the map, to drag, to click and to go to by keyboard. */
export class DrawHandles {
  private readonly map: L.Map;
  private readonly options: HandleOptions;
  private readonly group: L.LayerGroup = L.layerGroup();
  private shown: { handle: Handle; marker: L.Marker }[] = [];

  constructor(map: L.Map, options: HandleOptions) {
    this.map = map;
    this.options = options;
    openDrawPane(map);
    this.group.addTo(map);
  }

  /** Shows the visible handles. The one with the focus stays. */
  show(handles: readonly Handle[]): void {
    const focused = this.heldBy(document.activeElement);
    this.group.clearLayers();
    const sight = this.map.getBounds().pad(0.1);
    const wanted = handles.filter(({ at }) => sight.contains(latLng(at)));
    this.shown = wanted.slice(0, MOST).map((handle) => ({ handle, marker: this.makeMarker(handle) }));
    for (const { handle, marker } of this.shown) {
      this.group.addLayer(marker);
      marker
        .getElement()!
        .setAttribute(
          'aria-label',
          this.options.nameOf(handle.role, handle.index + (handle.role === 'middle' ? 0 : 1)),
        );
    }
    if (focused) this.focus(focused.role, focused.index);
  }

  /** The handle that is this element of the page. */
  heldBy(element: EventTarget | null): Handle | undefined {
    return this.shown.find(({ marker }) => marker.getElement() === element)?.handle;
  }

  focus(role: Handle['role'], index: number): void {
    this.shown
      .find(({ handle }) => handle.role === role && handle.index === index)
      ?.marker.getElement()
      ?.focus({ preventScroll: true });
  }

  remove(): void {
    this.group.remove();
  }

  private makeMarker(handle: Handle): L.Marker {
    const icon = textIcon({ className: `draw-handle draw-${handle.role}`, size: [SIZE, SIZE] });
    const marker = L.marker(latLng(handle.at), {
      icon,
      draggable: true,
      keyboard: true,
      zIndexOffset: handle.role === 'middle' ? 0 : 1_000,
      pane: DRAW_PANE,
    });
    return marker
      .on('drag', () => this.options.onDrag(handle, lonLat(marker.getLatLng())))
      .on('dragend', () => this.options.onDrop())
      .on('click', () => this.options.onClick(handle));
  }
}

import type L from 'leaflet';
import type { LonLat } from '../../../../shared/geo/shapes.ts';
import {
  addVertex,
  DrawHistory,
  insertVertex,
  isWhole,
  moveVertex,
  nothingDrawn,
  reachTo,
  removeVertex,
  type Drawing,
  type DrawKind,
} from './draw-geometry.ts';
import { DrawHandles, handlesOf, type Handle } from './draw-handles.ts';
import { latLng, lonLat } from './draw-pane.ts';
import { DrawStrokes } from './draw-strokes.ts';
import type { Ink } from '../ink.ts';

export interface DrawOptions {
  /** Called on every change, also during a drag, and when drawing switches to editing. */
  readonly onChange: (drawing: Drawing) => void;
  /** Escape in the map. */
  readonly onLeave: () => void;
  /** The name of a handle for screen readers. `place` counts from 1. */
  readonly nameOf: (handle: Handle['role'], place: number) => string;
  /**
   * Makes something better of a drawing to which a vertex was just added, such as a line that follows a road.
   */
  readonly refine?: (drawing: Drawing) => Promise<Drawing | undefined>;
}

/** Pixels that an arrow key moves a handle by; with Shift. */
const STEP = 2;
const LONG_STEP = 20;

/**
 * Drawing by hand on a map. `add`: clicks (Space sets a vertex in the middle of the map; Enter and a double
 * click end), then handles to drag, and midpoints that become vertices. A focused handle moves by arrow keys
 * and is removed with Delete; Ctrl+Z and Ctrl+Y undo and redo. It lives until `remove`.
 */
export class DrawTool {
  /** Still taking vertices, and not only changing those there are. */
  adding: boolean;
  private readonly map: L.Map;
  private readonly options: DrawOptions;
  private readonly history: DrawHistory;
  private readonly strokes: DrawStrokes;
  private readonly handles: DrawHandles;
  /** Nothing is changed by hand, as while it is being saved. */
  private locked = false;
  /** The drawing as a drag or the pointer would change it. */
  private preview: Drawing | undefined;
  private pointer: LonLat | undefined;

  constructor(map: L.Map, start: Drawing, ink: Ink, options: DrawOptions) {
    this.map = map;
    this.options = options;
    this.history = new DrawHistory(start);
    this.adding = !isWhole(start);
    this.strokes = new DrawStrokes(map, ink);
    this.handles = new DrawHandles(map, {
      nameOf: options.nameOf,
      onDrag: this.onDrag,
      onDrop: this.onDrop,
      onClick: this.onHandle,
    });
    map
      .on('click', this.onClick)
      .on('mousemove', this.onPointer)
      .on('dblclick', this.onDoubleClick)
      .on('moveend', this.rebuild);
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
  resume(): void {
    this.adding = true;
    this.changed();
    this.map.getContainer().focus({ preventScroll: true });
  }

  lock(locked: boolean): void {
    this.locked = locked;
    this.rebuild();
  }

  recolour(ink: Ink): void {
    this.strokes.ink = ink;
    this.draw();
  }

  remove(): void {
    this.map
      .off('click', this.onClick)
      .off('mousemove', this.onPointer)
      .off('dblclick', this.onDoubleClick)
      .off('moveend', this.rebuild);
    this.map.getContainer().removeEventListener('keydown', this.onKey, true);
    this.map.getContainer().classList.remove('draw-adding');
    this.map.doubleClickZoom.enable();
    this.strokes.remove();
    this.handles.remove();
  }

  private readonly onClick = (event: L.LeafletMouseEvent): void => this.addAt(lonLat(event.latlng));

  private addAt(at: LonLat): void {
    if (!this.adding || this.locked) return;
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
    if (!better || this.drawing !== before || this.locked) return; // gone on meanwhile, or sent as it was
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
    const used = this.press(event, this.handles.heldBy(event.target));
    if (!used) return;
    event.preventDefault();
    event.stopPropagation();
  };

  private press(event: KeyboardEvent, held: Handle | undefined): boolean {
    if (this.locked && event.key !== 'Escape') return false;
    const control = event.ctrlKey || event.metaKey;
    if (control && event.code === 'KeyZ') return (event.shiftKey ? this.redo() : this.undo(), true);
    if (control && event.code === 'KeyY') return (this.redo(), true);
    if (control || event.altKey) return false;
    switch (event.key) {
      case 'Escape':
        return (this.options.onLeave(), true);
      case 'Enter':
        if (held?.role === 'middle') return (this.insertAt(held), true);
        return this.adding && (this.finish(), true);
      case ' ':
        if (held?.role === 'middle') return (this.insertAt(held), true);
        return this.adding && (this.addAt(lonLat(this.map.getCenter())), true);
      case 'Backspace':
      case 'Delete':
        if (held) return (this.removeAt(held), true);
        return this.adding && (this.undo(), true);
      default: {
        const arrow = ARROWS[event.key];
        return (
          arrow !== undefined &&
          held !== undefined &&
          (this.nudge(held, arrow, event.shiftKey ? LONG_STEP : STEP), true)
        );
      }
    }
  }

  private insertAt({ index, at }: Handle): void {
    this.change(insertVertex(this.drawing, index, at));
    this.handles.focus('vertex', index);
  }

  private removeAt({ role, index }: Handle): void {
    if (role !== 'vertex') return;
    this.change(removeVertex(this.drawing, index));
    this.handles.focus('vertex', Math.min(index, this.drawing.vertices.length - 1));
  }

  private nudge(handle: Handle, [right, down]: readonly [number, number], step: number): void {
    const pixel = this.map.latLngToContainerPoint(latLng(handle.at));
    this.change(
      this.moved(handle, lonLat(this.map.containerPointToLatLng([pixel.x + right * step, pixel.y + down * step]))),
    );
    this.handles.focus(handle.role === 'middle' ? 'vertex' : handle.role, handle.index);
  }

  /** The drawing after a handle was moved to `to`. */
  private moved({ role, index }: Handle, to: LonLat): Drawing {
    switch (role) {
      case 'vertex':
        return moveVertex(this.drawing, index, to);
      case 'middle':
        return insertVertex(this.drawing, index, to);
      case 'radius':
        return reachTo(this.drawing, to);
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
    this.strokes.show(this.preview ?? this.drawing, this.adding, this.pointer);
  }

  private readonly rebuild = (): void => {
    if (this.preview) return; // a drag that moves the map at its edge
    this.handles.show(this.locked ? [] : handlesOf(this.drawing, this.adding));
  };

  private readonly onDrag = (handle: Handle, to: LonLat): void => {
    this.preview = this.moved(handle, to);
    this.draw();
    this.options.onChange(this.preview);
  };

  private readonly onDrop = (): void => {
    const next = this.preview ?? this.drawing;
    this.preview = undefined;
    this.change(next);
  };

  private readonly onHandle = (handle: Handle): void => {
    const { kind, vertices } = this.drawing;
    if (handle.role === 'middle') this.insertAt(handle);
    else if (this.adding && (handle.index === vertices.length - 1 || (kind === 'polygon' && handle.index === 0)))
      this.finish();
  };
}

const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

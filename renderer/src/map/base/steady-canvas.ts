import L from 'leaflet';

/** Internals of Leaflet's canvas renderer. */
interface CanvasInside {
  /** The frame in which it is going to draw, when it has asked for one. */
  _redrawRequest?: number | null;
  /** The first layer that is drawn on it. */
  _drawFirst?: object | null;
  _container: HTMLCanvasElement;
  _update(): void;
  _addPath(layer: L.Path): void;
  _redraw(): void;
}
const inside = L.Canvas.prototype as unknown as CanvasInside;
const { _redraw: redraw, _update: update, _addPath: addPath } = inside;
const measure = (L.Renderer.prototype as unknown as Pick<CanvasInside, '_update'>)._update;

/**
 * Leaflet (1.9.4) draws at once when the map moves, and forgets the requested frame; removing the canvas then
 * cannot cancel that frame, and it fires when there is nothing to draw on any more. So the frame is cancelled
 * when something else draws before it. It also recreates a canvas after each move, for the whole map, which
 * takes 20 ms without a graphics card. So an empty canvas has no pixels until its first layer is added.
 */
L.Canvas.include({
  _redraw(this: CanvasInside): void {
    if (this._redrawRequest) L.Util.cancelAnimFrame(this._redrawRequest);
    redraw.call(this);
  },
  _update(this: CanvasInside): void {
    if (this._drawFirst) return update.call(this);
    measure.call(this); // layers are clipped to its area
    if (this._container.width > 0) this._container.width = 0;
  },
  _addPath(this: CanvasInside, layer: L.Path): void {
    if (this._container.width === 0) update.call(this);
    addPath.call(this, layer);
  },
});

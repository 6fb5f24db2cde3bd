import L from 'leaflet';

/** Internals of Leaflet's canvas renderer. */
interface CanvasInside {
  /** The frame in which it is going to draw, when it has asked for one. */
  _redrawRequest?: number | null;
  _redraw(): void;
}
const inside = L.Canvas.prototype as unknown as CanvasInside;
const redraw = inside._redraw;

/**
 * Leaflet (1.9.4) draws at once when the map moves, and forgets the frame that it had asked for; taking the
 * canvas down then cannot call that frame off, and it comes when there is nothing to draw on any more. So the
 * frame is called off when something else draws before it.
 */
L.Canvas.include({
  _redraw(this: CanvasInside): void {
    if (this._redrawRequest) L.Util.cancelAnimFrame(this._redrawRequest);
    redraw.call(this);
  },
});

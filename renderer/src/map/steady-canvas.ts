import L from 'leaflet';

/** What Leaflet's canvas renderer keeps to itself. */
interface CanvasInside {
  _ctx?: CanvasRenderingContext2D;
  _redrawRequest: number | null;
  _redraw(): void;
}
const inside = L.Canvas.prototype as unknown as CanvasInside;
const redraw = inside._redraw;

/** Seen now and then when a page with a map is left: a redraw that was asked for comes when the canvas is taken down already. Nothing is to be drawn then. */
L.Canvas.include({
  _redraw(this: CanvasInside): void {
    this._redrawRequest = null;
    if (this._ctx) redraw.call(this);
  },
});

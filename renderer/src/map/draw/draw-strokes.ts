import L from 'leaflet';
import type { LonLat } from '../../../../shared/geo/shapes.ts';
import { reachTo, type Drawing } from './draw-geometry.ts';
import { DRAW_PANE, latLng, openDrawPane } from './draw-pane.ts';
import type { Ink } from '../ink.ts';

/** A drawing on the map: its lines and its area, and while vertices are added the way to the pointer. */
export class DrawStrokes {
  ink: Ink;
  private readonly lines: L.FeatureGroup = L.featureGroup();
  /** A pane of its own needs a renderer of its own. */
  private readonly renderer = L.svg({ pane: DRAW_PANE, padding: 0.3 });

  constructor(map: L.Map, ink: Ink) {
    this.ink = ink;
    openDrawPane(map);
    this.lines.addTo(map);
  }

  /** `pointer`: where the next vertex, or the border of a circle, would be; undefined while none is added. */
  show(drawing: Drawing, adding: boolean, pointer: LonLat | undefined): void {
    this.lines.clearLayers();
    const { kind, vertices, radius } = drawing;
    const corners = vertices.map(latLng);
    const common = { pane: DRAW_PANE, interactive: false, renderer: this.renderer };
    const stroke = { ...common, color: this.ink.accent, weight: 3, opacity: 1 };
    const casing = { ...common, color: this.ink.routeCase, weight: 7, opacity: 0.85 };
    const area = { ...stroke, fillColor: this.ink.accent, fillOpacity: 0.14 };
    const guide = { ...stroke, weight: 2, dashArray: '5 5' };
    const put = (layer: L.Layer) => this.lines.addLayer(layer);
    if (kind === 'circle' && corners[0]) {
      const reach = adding && pointer ? reachTo(drawing, pointer).radius : radius;
      if (reach > 0) put(L.circle(corners[0], { ...area, radius: reach, ...(adding && { dashArray: '5 5' }) }));
    } else if (kind === 'polygon' && corners.length > 2) {
      put(L.polygon(corners, { ...casing, fill: false }));
      put(L.polygon(corners, area));
    } else if (corners.length > 1) {
      put(L.polyline(corners, casing));
      put(L.polyline(corners, stroke));
    }
    const last = corners.at(-1);
    if (adding && pointer && last && kind !== 'circle') put(L.polyline([last, latLng(pointer)], guide));
  }

  remove(): void {
    this.lines.remove();
  }
}

/// <reference types="vite/client" />
import L from 'leaflet';
import type { Feature, Labeler, Labelers, View } from 'protomaps-leaflet';
import { BASE_COLOURS } from '../../../renderer/src/map/base/base-colours.ts';
import { baseLayer } from '../../../renderer/src/map/base/base-layer.ts';
import { worldLayer } from '../../../renderer/src/map/base/world/world-layer.ts';

/** A page with nothing but the base map, for pictures and figures. */
let map: L.Map | undefined;
let layer: L.GridLayer | undefined;
let drawn = Promise.resolve();

/** Pixels of a street in view that make it one to be named. */
const IN_VIEW = 50;
const STREETS = ['motorway', 'trunk', 'primary', 'secondary', 'tertiary', 'minor', 'pedestrian'];

Object.assign(globalThis, {
  showMap(lat: number, lon: number, zoom: number, palette: 'day' | 'dusk' | 'night', language: string) {
    map?.remove();
    map = L.map(document.body, { zoomControl: false, attributionControl: false, fadeAnimation: false, maxZoom: 19 });
    document.body.style.backgroundColor = BASE_COLOURS[palette].unknown;
    map.setView([lat, lon], zoom, { animate: false });
    const made = (layer = baseLayer(palette, language, '1', { isOpenBeyond: true }) as L.GridLayer);
    const world = worldLayer(palette, language, undefined) as L.GridLayer;
    drawn = Promise.all(
      [made, ...(zoom > 9 ? [] : [world])].map(
        (one) => new Promise<void>((resolve) => one.on('load', () => resolve())),
      ),
    ).then(() => {});
    world.addTo(map);
    made.addTo(map);
  },
  whenDrawn: () => drawn,
  namedStreets,
  /** Moves the map and resolves to the milliseconds until every tile in view is drawn. */
  async pan(x: number, y: number): Promise<number> {
    const begun = performance.now();
    map!.panBy([x, y], { animate: false });
    while ([...document.querySelectorAll('canvas.leaflet-tile')].some(isUndrawn))
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - begun;
  },
});

function isUndrawn(tile: Element): boolean {
  const { left, top, right, bottom } = tile.getBoundingClientRect();
  const isInView = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  return isInView && !tile.classList.contains('leaflet-tile-loaded');
}

/** How many named streets are in view, and the names of those that are not written there. */
function namedStreets(): { streets: number; without: string[] } {
  const zoom = map!.getZoom();
  const { min } = map!.getPixelBounds();
  const isInView = (x: number, y: number) =>
    x >= min!.x && x <= min!.x + innerWidth && y >= min!.y && y <= min!.y + innerHeight;
  const inside = layer as unknown as { views: Map<string, View>; labelers: Labelers };
  const seen = new Map<string, number>();
  const bounds = { minX: min!.x, minY: min!.y, maxX: min!.x + innerWidth, maxY: min!.y + innerHeight };
  for (const { dataTile, origin, scale } of inside.views.get('')!.dataTilesForBounds(zoom, bounds)) {
    const entry = inside.views.get('')!.tileCache.cache.get(`${dataTile.x}:${dataTile.y}:${dataTile.z}`);
    for (const { props, geom } of entry?.data.get('street') ?? []) {
      const name = String(props['name:en'] ?? props['name']);
      if (!STREETS.includes(String(props['kind']))) continue;
      const visible = pixelsInView(geom, (x, y) => isInView(x * scale + origin.x, y * scale + origin.y), scale);
      seen.set(name, (seen.get(name) ?? 0) + visible);
    }
  }
  const written = new Set<string>();
  const labels = inside.labelers.getIndex(zoom) as Labeler['index'] | undefined;
  for (const { indexedLabel } of labels?.searchBbox(bounds, Infinity) ? labels.tree.search(bounds) : [])
    written.add(String(indexedLabel.deduplicationKey));
  const named = [...seen].filter(([, pixels]) => pixels >= IN_VIEW).map(([name]) => name);
  return { streets: named.length, without: named.filter((name) => !written.has(name)) };
}

function pixelsInView(geom: Feature['geom'], isInView: (x: number, y: number) => boolean, scale: number): number {
  let pixels = 0;
  for (const line of geom)
    line.slice(1).forEach((b, i) => {
      const a = line[i]!;
      const steps = Math.max(1, Math.round((Math.hypot(b.x - a.x, b.y - a.y) * scale) / 4));
      for (let step = 0; step < steps; step++) {
        const t = (step + 0.5) / steps;
        if (isInView(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y))) pixels += 4;
      }
    });
  return pixels;
}

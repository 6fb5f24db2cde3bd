import L from 'leaflet';
import type { RoadClosure } from '../../../../shared/records/index.ts';
import './closure-layer.css';
import type { Ink } from '../ink.ts';
import { textIcon } from '../text-marks.ts';

interface DrawnClosure {
  readonly closure: RoadClosure;
  /** One that has not begun is drawn hollow. */
  readonly coming: boolean;
  readonly chosen: boolean;
}

/** Where there are more, their marks are small from afar: they would hide the town. */
const MANY = 40;

/**
 * Closed roads as a barred line with a round no-entry sign, slowed ones as a dotted line with a hollow ring
 * and the percentage: distinct without colour. The tooltip has the name; without `choose` a click on the sign
 * is a click on the map.
 */
export function closureLayer(closures: readonly DrawnClosure[], ink: Ink, choose?: (id: number) => void): L.LayerGroup {
  const group = L.layerGroup();
  for (const { closure, coming, chosen } of closures) {
    const closed = closure.factor === 0;
    const opacity = coming ? 0.55 : 1;
    const colour = ink.tones.abnormal;
    const { geometry } = closure;
    const line = {
      color: colour,
      weight: chosen ? 6 : 4.5,
      opacity,
      dashArray: closed ? '9 5' : '1 8',
      lineCap: closed ? ('butt' as const) : ('round' as const),
      interactive: false,
    };
    const casing = { color: ink.routeCase, weight: chosen ? 11 : 8, opacity: 0.9, interactive: false };
    if (geometry.type === 'LineString') {
      const path = geometry.coordinates.map(latLng);
      group.addLayer(L.polyline(path, casing)).addLayer(L.polyline(path, line));
    } else if (geometry.type === 'Polygon') {
      const rings = geometry.coordinates.map((ring) => ring.map(latLng));
      group
        .addLayer(L.polygon(rings, { ...casing, fill: false, weight: 6 }))
        .addLayer(
          L.polygon(rings, { ...line, weight: chosen ? 4 : 3, fillColor: colour, fillOpacity: coming ? 0.06 : 0.14 }),
        );
    }
    group.addLayer(mark(closure, coming, chosen, closures.length > MANY, choose));
  }
  return group;
}

/** The roads that a drawing would close, below the drawing. */
export function underLayer(lines: readonly (readonly (readonly [lon: number, lat: number])[])[], ink: Ink): L.Layer {
  return L.polyline(
    lines.map((line) => line.map(latLng)),
    { color: ink.tones.abnormal, weight: 9, opacity: 0.45, interactive: false },
  );
}

function mark(
  closure: RoadClosure,
  coming: boolean,
  chosen: boolean,
  many: boolean,
  choose: ((id: number) => void) | undefined,
): L.Marker {
  const closed = closure.factor === 0;
  const names = [
    'closure-mark',
    closed ? 'closure-closed' : 'closure-slowed',
    ...(coming ? ['closure-coming'] : []),
    ...(chosen ? ['closure-chosen'] : []),
    ...(many ? ['closure-many'] : []),
  ];
  const icon = textIcon({
    className: names.join(' '),
    size: [24, 24],
    text: closed ? '' : String(Math.round(closure.factor * 100)),
    textClass: 'closure-sign',
  });
  const marker = L.marker(closureCentre(closure.geometry), {
    icon,
    title: closure.reason ? `${closure.name}\n${closure.reason}` : closure.name,
    keyboard: false,
    bubblingMouseEvents: choose === undefined,
    zIndexOffset: 300,
  });
  return choose ? marker.on('click', () => choose(closure.id)) : marker;
}

/**
 * Where the mark of a closure stands: half-way along a line by its vertices, in the middle of an area's box.
 */
export function closureCentre(geometry: RoadClosure['geometry']): L.LatLngTuple {
  if (geometry.type === 'Point') return latLng(geometry.coordinates);
  if (geometry.type === 'Polygon') {
    const { lat, lng } = closureBounds(geometry).getCenter();
    return [lat, lng];
  }
  const half = (geometry.coordinates.length - 1) / 2;
  const [one, other] = [
    latLng(geometry.coordinates[Math.floor(half)]!),
    latLng(geometry.coordinates[Math.ceil(half)]!),
  ];
  return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
}

export function closureBounds(geometry: RoadClosure['geometry']): L.LatLngBounds {
  const positions =
    geometry.type === 'Point'
      ? [geometry.coordinates]
      : geometry.type === 'LineString'
        ? geometry.coordinates
        : geometry.coordinates[0]!;
  return L.latLngBounds(positions.map(latLng));
}

function latLng([lon, lat]: readonly number[]): L.LatLngTuple {
  return [lat!, lon!];
}

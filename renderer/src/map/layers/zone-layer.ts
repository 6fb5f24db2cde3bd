import L from 'leaflet';
import type { LonLat, Shape } from '../../../../shared/geo/shapes.ts';
import { nameOn } from '../text-marks.ts';
import './zone-layer.css';

/** From here on names are shown. */
const NAMES_FROM_ZOOM = 13;

export interface DrawnZone {
  readonly shape: Shape;
  readonly name: string;
  /** CSS colour, resolved */
  readonly colour: string;
  readonly chosen: boolean;
}

const latLng = ([lon, lat]: LonLat): L.LatLngTuple => [lat, lon];

/**
 * Zones as tinted areas with their names; the selected one has a stronger border. A corridor is its centre
 * line, as wide as on the ground.
 */
export function zoneLayer(zones: readonly DrawnZone[], map: L.Map): L.Layer {
  const layers = L.layerGroup(
    zones.map(({ shape, name, colour, chosen }) => {
      const style: L.PathOptions = {
        color: colour,
        weight: chosen ? 3.5 : 1.5,
        opacity: 0.95,
        fillColor: colour,
        fillOpacity: chosen ? 0.22 : 0.12,
        interactive: false,
      };
      const layer = drawn(shape, style, map);
      return name
        ? nameOn(layer, name, { permanent: true, direction: 'center', className: 'zone-name', opacity: 1 })
        : layer;
    }),
  );
  const nameThem = () => map.getContainer().classList.toggle('zones-afar', map.getZoom() < NAMES_FROM_ZOOM);
  nameThem();
  map.on('zoomend', nameThem);
  layers.on('remove', () => map.off('zoomend', nameThem));
  return layers;
}

function drawn(shape: Shape, style: L.PathOptions, map: L.Map): L.Path {
  switch (shape.kind) {
    case 'circle':
      return L.circle(latLng(shape.center), { ...style, radius: shape.radius });
    case 'polygon':
      return L.polygon(
        shape.rings.map((ring) => ring.map(latLng)),
        style,
      );
    case 'corridor':
      return corridor(shape.line.map(latLng), shape.width, style, map);
  }
}

/** A line whose width is in metres: updated at each zoom. */
function corridor(line: L.LatLngTuple[], width: number, style: L.PathOptions, map: L.Map): L.Polyline {
  const pixels = () => {
    const middle = L.latLng(line[0]!);
    const metres =
      map.distance(middle, map.containerPointToLatLng(map.latLngToContainerPoint(middle).add([100, 0]))) / 100;
    return Math.max(3, (2 * width) / metres);
  };
  const path = L.polyline(line, {
    ...style,
    weight: pixels(),
    opacity: (style.fillOpacity ?? 0.1) + 0.15,
    lineJoin: 'round',
  });
  const fit = () => path.setStyle({ weight: pixels() });
  map.on('zoomend', fit);
  path.on('remove', () => map.off('zoomend', fit));
  return path;
}

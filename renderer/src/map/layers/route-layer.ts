import L from 'leaflet';
import type { Ink } from '../ink.ts';

type Way = readonly (readonly [lat: number, lon: number])[];

const lineOf = (points: Way) => points.map(([lat, lon]): L.LatLngTuple => [lat, lon]);

/** A way on the map: a line in the colour of routes on a case that sets it off from roads. */
export function routeLayer(points: Way, ink: Ink): L.LayerGroup {
  const line = lineOf(points);
  return L.layerGroup([
    L.polyline(line, { color: ink.routeCase, weight: 8, opacity: 0.9, interactive: false, lineJoin: 'round' }),
    L.polyline(line, { color: ink.route, weight: 4.5, opacity: 1, interactive: false, lineJoin: 'round' }),
  ]);
}

/**
 * Ways to choose from: the chosen one on top, the others thinner and grey below it, to be clicked. `before`,
 * dashed, is how it was.
 */
export function choiceLayer(
  ways: readonly Way[],
  chosen: number,
  before: Way | undefined,
  ink: Ink,
  choose: (index: number) => void,
): L.Layer {
  const group = L.layerGroup();
  if (before)
    for (const style of [
      { color: ink.routeCase, weight: 6 },
      { color: ink.tones.quiet, weight: 3.5, dashArray: '2 8' },
    ])
      group.addLayer(L.polyline(lineOf(before), { ...style, interactive: false, lineCap: 'round' }));
  ways.forEach((way, index) => {
    if (index === chosen) return;
    const line = lineOf(way);
    group.addLayer(L.polyline(line, { color: ink.routeCase, weight: 7, opacity: 0.9, interactive: false }));
    group.addLayer(L.polyline(line, { color: ink.tones.quiet, weight: 4, opacity: 1, interactive: false }));
    group.addLayer(
      L.polyline(line, { weight: 18, opacity: 0, bubblingMouseEvents: false }).on('click', () => choose(index)),
    );
  });
  const way = ways[chosen];
  if (way) group.addLayer(routeLayer(way, ink));
  return group;
}

/** One stretch of a way set off, such as that of the instruction under the pointer. */
export function stretchLayer(points: Way, ink: Ink): L.Layer {
  const [at] = lineOf(points);
  return L.layerGroup([
    L.polyline(lineOf(points), { color: ink.text, weight: 6, opacity: 0.9, interactive: false }),
    ...(at
      ? [
          L.circleMarker(at, {
            radius: 7,
            color: ink.text,
            weight: 3,
            fillColor: ink.panel,
            fillOpacity: 1,
            interactive: false,
          }),
        ]
      : []),
  ]);
}

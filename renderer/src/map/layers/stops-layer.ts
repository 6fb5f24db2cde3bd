import L from 'leaflet';
import './stops-layer.css';
import { textIcon } from '../text-marks.ts';

export interface StopMark {
  /** Its text: a number, or empty for start and destination. */
  readonly text: string;
  readonly role: 'start' | 'via' | 'goal';
  readonly lat: number;
  readonly lon: number;
  readonly label: string;
  /** A vehicle goes where it goes: it cannot be dragged. */
  readonly fixed: boolean;
}

interface StopDrag {
  /** During a drag, and with `last` when it ends. */
  readonly move: (index: number, lat: number, lon: number, last: boolean) => void;
}

/** Start, stops and goal as marks that can be dragged. */
export function stopsLayer(stops: readonly StopMark[], { move }: StopDrag): L.LayerGroup {
  return L.layerGroup(
    stops.map((stop, index) => {
      const icon = textIcon({ className: `stop-mark stop-${stop.role}`, size: [26, 26], text: stop.text });
      const marker = L.marker([stop.lat, stop.lon], {
        icon,
        draggable: !stop.fixed,
        keyboard: false,
        title: stop.label,
        zIndexOffset: 500,
      });
      const onDrag = (last: boolean) => () => {
        const { lat, lng } = marker.getLatLng();
        move(index, lat, lng, last);
      };
      return marker.on('drag', onDrag(false)).on('dragend', onDrag(true));
    }),
  );
}

/** Pixels from the way within which the pointer takes hold of it. */
const REACH = 10;

interface WayHold {
  /** Called when the way is taken hold of; gives what to tell of the drag, or nothing when it cannot be. */
  readonly begin: (
    vertex: number,
    lat: number,
    lon: number,
  ) => ((lat: number, lon: number, last: boolean) => void) | undefined;
  /** Asked for whenever the grip appears, so that it follows the language. */
  readonly title: () => string;
}

/**
 * A grip that follows the pointer along a route and drags it to another road. `way` is read at each movement;
 * returns the function that removes the grip.
 */
export function addGrip(
  map: L.Map,
  way: () => readonly (readonly [lat: number, lon: number])[] | undefined,
  { begin, title }: WayHold,
): () => void {
  const marker = L.marker([0, 0], {
    icon: textIcon({ className: 'way-grip', size: [24, 24] }),
    draggable: true,
    keyboard: false,
    zIndexOffset: 400,
  });
  let vertex = 0;
  let moveTo: ((lat: number, lon: number, last: boolean) => void) | undefined;
  let held = false;

  const follow = (event: L.LeafletMouseEvent) => {
    if (held) return;
    const found = nearestOnWay(map, way() ?? [], event.containerPoint);
    if (!found) return void marker.remove();
    vertex = found.vertex;
    marker.setLatLng(found.at);
    if (map.hasLayer(marker)) return;
    marker.addTo(map);
    marker.getElement()?.setAttribute('title', title());
  };
  const place = () => marker.getLatLng();
  marker
    .on('dragstart', () => {
      held = true;
      moveTo = begin(vertex, place().lat, place().lng);
    })
    .on('drag', () => moveTo?.(place().lat, place().lng, false))
    .on('dragend', () => {
      moveTo?.(place().lat, place().lng, true);
      held = false;
      moveTo = undefined;
      marker.remove();
    });
  map.on('mousemove', follow);
  return () => {
    map.off('mousemove', follow);
    marker.remove();
  };
}

/** The place on a way within reach of a point of the screen, and the vertex before it. */
function nearestOnWay(
  map: L.Map,
  way: readonly (readonly [lat: number, lon: number])[],
  pointer: L.Point,
): { at: L.LatLng; vertex: number } | undefined {
  let least = REACH;
  let best: { at: L.Point; vertex: number } | undefined;
  let from = way[0] && map.latLngToContainerPoint([way[0][0], way[0][1]]);
  for (let i = 1; i < way.length && from; i++) {
    const to = map.latLngToContainerPoint([way[i]![0], way[i]![1]]);
    const at = L.LineUtil.closestPointOnSegment(pointer, from, to);
    const distance = at.distanceTo(pointer);
    if (distance < least) [least, best] = [distance, { at, vertex: i - 1 }];
    from = to;
  }
  return best && { at: map.containerPointToLatLng(best.at), vertex: best.vertex };
}

import type { MultiPolygon, Position } from 'geojson';
import L from 'leaflet';
import type { Ink } from '../ink.ts';
import './reach-layer.css';
import { textIcon } from '../text-marks.ts';

/** The area reached within these minutes. */
export interface ReachArea {
  readonly minutes: number;
  readonly geometry: MultiPolygon;
}

/** Dashes by rank from the inside, so that borders differ in more than shade. */
const DASHES = ['', '10 5', '4 5', '1 6', '12 4 2 4', '6 10'] as const;
export const dashOf = (rank: number): string => DASHES[rank % DASHES.length]!;

/**
 * Reachable areas from the widest to the narrowest, each shade on top of the wider ones, so that nearer is
 * darker; each border has its own dashes and two labels with its minutes.
 */
export function reachLayer(areas: readonly ReachArea[], ink: Ink, textOf: (minutes: number) => string): L.LayerGroup {
  const group = L.layerGroup();
  const ranked = areas.map((area, rank) => ({ ...area, rank })).toReversed();
  for (const { geometry, rank } of ranked) {
    const rings = geometry.coordinates.map((polygon) => polygon.map((ring) => ring.map(latLng)));
    const common = { interactive: false, fillRule: 'evenodd' as const };
    group.addLayer(
      L.polygon(rings, {
        ...common,
        color: ink.routeCase,
        weight: 4,
        opacity: 0.8,
        fillColor: ink.tones.busy,
        fillOpacity: 0.16,
      }),
    );
    group.addLayer(
      L.polygon(rings, {
        ...common,
        color: ink.tones.busy,
        weight: rank === 0 ? 2.5 : 2,
        dashArray: dashOf(rank),
        fill: false,
      }),
    );
  }
  const labelled: Position[] = [];
  for (const { geometry, minutes, rank } of ranked) {
    const outer = geometry.coordinates.map(([ring]) => ring!).sort((one, other) => other.length - one.length)[0];
    if (!outer) continue;
    for (const heading of [90, 270]) {
      const at = freeEnd(outer, heading - rank * LABEL_STEP, labelled);
      labelled.push(at);
      group.addLayer(
        L.marker(latLng(at), {
          icon: textIcon({ className: 'reach-label', size: [60, 18], text: textOf(minutes) }),
          interactive: false,
          keyboard: false,
        }),
      );
    }
  }
  return group;
}

/**
 * Degrees by which the labels of each border are rotated from those of the inner one: where borders meet they
 * would overlap.
 */
const LABEL_STEP = 32;

/**
 * The end of a ring in a direction, or in the next one if another label is there: on a road that leaves the
 * territory borders end together.
 */
function freeEnd(ring: readonly Position[], heading: number, taken: readonly Position[]): Position {
  const width = farApart(extreme(ring, 0), extreme(ring, 180));
  const ends = Array.from({ length: Math.floor(360 / LABEL_STEP) }, (_, turn) =>
    extreme(ring, heading - turn * LABEL_STEP),
  );
  return ends.find((end) => taken.every((other) => farApart(end, other) > width / LABELS_ABREAST)) ?? ends[0]!;
}
/** How many labels stand side by side on an area that fills a narrow map. */
const LABELS_ABREAST = 8;

/** How far two positions lie apart, in degrees of latitude. */
const farApart = (one: Position, other: Position): number =>
  Math.hypot((one[0]! - other[0]!) * Math.cos((one[1]! * Math.PI) / 180), one[1]! - other[1]!);

/** The position of a ring that is furthest in a direction, degrees counter-clockwise from east. */
function extreme(ring: readonly Position[], heading: number): Position {
  const [across, up] = [
    Math.cos((heading * Math.PI) / 180) * Math.cos((ring[0]![1]! * Math.PI) / 180),
    Math.sin((heading * Math.PI) / 180),
  ];
  const far = ([lon, lat]: Position) => lon! * across + lat! * up;
  return ring.reduce((best, at) => (far(at) > far(best) ? at : best));
}
const latLng = ([lon, lat]: Position): L.LatLngTuple => [lat!, lon!];

import { LineSymbolizer, exp, type Feature, type PaintRule } from 'protomaps-leaflet';
import type { BaseColours } from './base-colours.ts';
import { OnewayArrows } from './oneway-arrows.ts';

type Stops = number[][];
/** Widths in pixels by zoom. */
const WIDTHS: Readonly<Record<string, Stops>> = {
  motorway: [
    [5, 0.8],
    [10, 2],
    [13, 4],
    [16, 12],
    [19, 40],
  ],
  trunk: [
    [6, 0.8],
    [10, 1.8],
    [13, 3.8],
    [16, 11],
    [19, 36],
  ],
  primary: [
    [7, 0.7],
    [11, 1.8],
    [13, 3.4],
    [16, 10],
    [19, 34],
  ],
  secondary: [
    [8, 0.6],
    [11, 1.4],
    [13, 2.8],
    [16, 9],
    [19, 30],
  ],
  tertiary: [
    [10, 0.6],
    [12, 1.3],
    [13, 2.2],
    [16, 8],
    [19, 28],
  ],
  minor: [
    [11, 0.4],
    [13, 1.2],
    [14, 2],
    [16, 6.5],
    [19, 24],
  ],
  service: [
    [13, 0.6],
    [16, 3.5],
    [19, 14],
  ],
  pedestrian: [
    [13, 0.8],
    [16, 4.5],
    [19, 16],
  ],
};

/** The roads and rails that lie at one level; `territory-tiles.ts` sorts them. 0 is the ground. */
export type RoadLevel = -5 | -4 | -3 | -2 | -1 | 0 | 1 | 2 | 3 | 4 | 5;
export const ROAD_LEVELS: readonly RoadLevel[] = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5];

/** Where a road or rail lies among what crosses it: by its `layer`, else by being a bridge or a tunnel. */
export function levelOf({ props }: Feature): number {
  const layer = props['layer'];
  if (typeof layer === 'number') return layer;
  return props['bridge'] === true ? 1 : props['tunnel'] === true ? -1 : 0;
}

/** Roads and rails from the lowest level to the highest: the edges of a level, then what lies between them. */
export function roads(colours: BaseColours): PaintRule[] {
  return [
    ...ROAD_LEVELS.flatMap((level) => [...roadsAt(level, colours), ...railsAt(level, colours)]),
    ...arrows(colours),
  ];
}

const STREETS = Object.keys(WIDTHS);

function roadsAt(level: RoadLevel, colours: BaseColours): PaintRule[] {
  const dataLayer = `road ${level}`;
  const fills: Readonly<Record<string, string>> = {
    service: colours.street,
    pedestrian: colours.paved,
    minor: colours.street,
    tertiary: colours.street,
    secondary: colours.primary,
    primary: colours.primary,
    trunk: colours.trunk,
    motorway: colours.motorway,
  };
  const width = (extra: number) => (zoom: number, feature?: Feature) =>
    exp(1.5, WIDTHS[feature!.props['kind'] as string]!)(zoom) * (feature!.props['link'] === true ? 0.7 : 1) + extra;
  const isStreet = ({ props }: Feature) => Object.hasOwn(WIDTHS, props['kind'] as string);
  const isBuilt = (feature: Feature) => isStreet(feature) && feature.props['construction'] !== true;
  const inTunnel = (feature: Feature) => feature.props['tunnel'] === true;
  const isClosed = ({ props }: Feature) => props['access'] === 'private' || props['access'] === 'no';
  const street = (when: (feature: Feature) => boolean, minzoom: number, symbolizer: PaintRule['symbolizer']) => ({
    dataLayer,
    minzoom,
    filter: (_zoom: number, feature: Feature) => when(feature),
    symbolizer,
  });
  const edges = (when: (feature: Feature) => boolean, extra: number) =>
    street(
      when,
      12,
      new LineSymbolizer({ color: colours.roadCase, lineCap: 'butt', lineJoin: 'round', width: width(extra) }),
    );
  return [
    dashed(dataLayer, ['path'], colours.path, [3, 2], 14, [14, 0.8], [19, 3]),
    dashed(dataLayer, ['track'], colours.track, [6, 2], 13, [13, 0.8], [19, 5]),
    dashed(dataLayer, ['ferry'], colours.labelWater, [6, 4], 8, [8, 1], [19, 1]),
    street(
      (feature) => isStreet(feature) && inTunnel(feature),
      13,
      new LineSymbolizer({
        dash: [3, 3],
        dashColor: colours.roadCase,
        dashWidth: width(1.6),
        perFeature: true,
      }),
    ),
    edges((feature) => isBuilt(feature) && !inTunnel(feature), level > 0 ? 2.6 : 1.4),
    street(
      isBuilt,
      0,
      new LineSymbolizer({
        color: (_zoom: number, feature?: Feature) =>
          isClosed(feature!) ? colours.privateRoad : fills[feature!.props['kind'] as string]!,
        opacity: (_zoom: number, feature?: Feature) => (inTunnel(feature!) ? 0.55 : 1),
        lineCap: 'round',
        lineJoin: 'round',
        width: width(0),
      }),
    ),
    // Surface and state of the road: no tar, or building site.
    street(
      (feature) => isBuilt(feature) && feature.props['unpaved'] === true,
      14,
      new LineSymbolizer({
        dash: [5, 4],
        dashColor: colours.track,
        dashWidth: (zoom: number, feature?: Feature) => width(0)(zoom, feature) * 0.45,
        perFeature: true,
      }),
    ),
    street(
      (feature) => isStreet(feature) && feature.props['construction'] === true,
      12,
      new LineSymbolizer({ dash: [7, 5], dashColor: colours.track, dashWidth: width(0), perFeature: true }),
    ),
  ];
}

function dashed(
  dataLayer: string,
  kinds: readonly string[],
  color: string,
  dash: number[],
  minzoom: number,
  ...stops: Stops
): PaintRule {
  return {
    dataLayer,
    minzoom,
    filter: (_zoom, feature) => kinds.includes(feature.props['kind'] as string),
    symbolizer: new LineSymbolizer({ color, dash, width: exp(1.4, stops) }),
  };
}

function railsAt(level: RoadLevel, colours: BaseColours): PaintRule[] {
  const dataLayer = `rail ${level}`;
  const isOpen = (feature: Feature) => feature.props['tunnel'] !== true;
  return [
    {
      dataLayer,
      filter: (zoom, feature) => isOpen(feature) && (zoom >= 14 || !feature.props['service']),
      symbolizer: new LineSymbolizer({
        color: colours.rail,
        width: exp(1.4, [
          [8, 0.7],
          [14, 1.6],
          [19, 4],
        ]),
      }),
    },
    {
      dataLayer,
      minzoom: 15,
      filter: (_zoom, feature) => isOpen(feature),
      symbolizer: new LineSymbolizer({
        color: colours.halo,
        dash: [6, 8],
        width: exp(1.4, [
          [15, 0.9],
          [19, 2],
        ]),
      }),
    },
  ];
}

function arrows(colours: BaseColours): PaintRule[] {
  return ROAD_LEVELS.map((level) => ({
    dataLayer: `road ${level}`,
    minzoom: 16,
    filter: (_zoom, feature) =>
      typeof feature.props['oneway'] === 'number' && STREETS.includes(feature.props['kind'] as string),
    symbolizer: new OnewayArrows(colours.oneway),
  }));
}

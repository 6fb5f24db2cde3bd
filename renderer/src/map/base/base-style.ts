import {
  LineSymbolizer,
  PolygonSymbolizer,
  exp,
  type Feature,
  type LabelRule,
  type PaintRule,
} from 'protomaps-leaflet';
import type { BaseColours } from './base-colours.ts';
import { labelRules } from './base-labels.ts';

interface BaseStyle {
  readonly backgroundColor: string;
  readonly paintRules: PaintRule[];
  readonly labelRules: LabelRule[];
}

/** How the territory's tiles are drawn (layers and attributes: server/map/README.md), ground first. */
export function baseStyle(colours: BaseColours, language: string): BaseStyle {
  return {
    backgroundColor: colours.unknown,
    paintRules: [...ground(colours), ...water(colours), ...buildings(colours), ...lines(colours), ...roads(colours)],
    labelRules: labelRules(colours, language),
  };
}

const has =
  (...kinds: string[]) =>
  (_zoom: number, feature: Feature) =>
    kinds.includes(feature.props['kind'] as string);

function ground(colours: BaseColours): PaintRule[] {
  const area = (fill: string, ...kinds: string[]): PaintRule => ({
    dataLayer: 'landuse',
    filter: has(...kinds),
    symbolizer: new PolygonSymbolizer({ fill }),
  });
  return [
    { dataLayer: 'earth', symbolizer: new PolygonSymbolizer({ fill: colours.earth }) },
    area(colours.built, 'residential'),
    area(
      colours.works,
      'commercial',
      'retail',
      'industrial',
      'railway',
      'military',
      'quarry',
      'landfill',
      'construction',
      'greenhouse',
    ),
    area(
      colours.green,
      'farmland',
      'meadow',
      'orchard',
      'vineyard',
      'allotments',
      'grass',
      'heath',
      'golf',
      'cemetery',
      'wetland',
    ),
    area(colours.wood, 'forest', 'scrub'),
    area(colours.sand, 'beach', 'sand', 'rock', 'glacier'),
    area(colours.civic, 'school', 'university', 'hospital'),
    area(colours.green, 'park', 'garden', 'pitch', 'sports', 'playground'),
    area(colours.paved, 'parking', 'aerodrome', 'apron', 'pedestrian', 'pier'),
  ];
}

function water(colours: BaseColours): PaintRule[] {
  return [
    {
      dataLayer: 'waterway',
      symbolizer: new LineSymbolizer({
        color: colours.waterLine,
        lineCap: 'round',
        width: (zoom: number, feature?: Feature) =>
          feature?.props['kind'] === 'river'
            ? exp(1.5, [
                [8, 0.8],
                [14, 3],
                [18, 12],
              ])(zoom)
            : exp(1.5, [
                [12, 0.5],
                [18, 4],
              ])(zoom),
      }),
      filter: (_zoom, feature) => feature.props['tunnel'] !== true,
    },
    { dataLayer: 'water', symbolizer: new PolygonSymbolizer({ fill: colours.water }) },
  ];
}

function buildings(colours: BaseColours): PaintRule[] {
  return [
    {
      dataLayer: 'building',
      minzoom: 13,
      symbolizer: new PolygonSymbolizer({
        fill: colours.building,
        stroke: colours.buildingEdge,
        width: (zoom: number) => (zoom >= 16 ? 0.7 : 0),
      }),
    },
  ];
}

function lines(colours: BaseColours): PaintRule[] {
  return [
    {
      dataLayer: 'aeroway',
      symbolizer: new LineSymbolizer({
        color: colours.paved,
        width: exp(1.6, [
          [10, 1],
          [14, 8],
          [18, 60],
        ]),
      }),
    },
    {
      dataLayer: 'boundary',
      filter: (_zoom, feature) => feature.props['maritime'] !== true,
      symbolizer: new LineSymbolizer({ color: colours.boundary, width: 1, opacity: 0.7, dash: [5, 3] }),
    },
    { dataLayer: 'barrier', minzoom: 16, symbolizer: new LineSymbolizer({ color: colours.buildingEdge, width: 1 }) },
  ];
}

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

function roads(colours: BaseColours): PaintRule[] {
  const fills: [string, string][] = [
    ['service', colours.street],
    ['pedestrian', colours.paved],
    ['minor', colours.street],
    ['tertiary', colours.street],
    ['secondary', colours.primary],
    ['primary', colours.primary],
    ['trunk', colours.trunk],
    ['motorway', colours.motorway],
  ];
  const width = (kind: string, extra: number) => (zoom: number, feature?: Feature) =>
    exp(1.5, WIDTHS[kind]!)(zoom) * (feature?.props['link'] === true ? 0.7 : 1) + extra;
  const kindIs = (kind: string, when: (feature: Feature) => boolean) => (_zoom: number, feature: Feature) =>
    feature.props['kind'] === kind && when(feature);
  const inTunnel = (feature: Feature) => feature.props['tunnel'] === true;
  const onBridge = (feature: Feature) => feature.props['bridge'] === true;
  const atGround = (feature: Feature) => !inTunnel(feature) && !onBridge(feature);
  const dashed = (
    kinds: string[],
    color: string,
    dash: number[],
    minzoom: number,
    lineWidth: (zoom: number) => number,
  ): PaintRule => ({
    dataLayer: 'road',
    minzoom,
    filter: has(...kinds),
    symbolizer: new LineSymbolizer({ color, dash, width: lineWidth }),
  });

  const cases = (when: (feature: Feature) => boolean, minzoom: number, extra: number): PaintRule[] =>
    fills.map(([kind]) => ({
      dataLayer: 'road',
      minzoom,
      filter: kindIs(kind, when),
      symbolizer: new LineSymbolizer({
        color: colours.roadCase,
        lineCap: 'butt',
        lineJoin: 'round',
        width: width(kind, extra),
      }),
    }));
  const bodies = (when: (feature: Feature) => boolean, opacity = 1): PaintRule[] =>
    fills.map(([kind, color]) => ({
      dataLayer: 'road',
      filter: kindIs(kind, when),
      symbolizer: new LineSymbolizer({ color, opacity, lineCap: 'round', lineJoin: 'round', width: width(kind, 0) }),
    }));

  return [
    ...bodies(inTunnel, 0.55),
    dashed(
      ['path'],
      colours.path,
      [3, 2],
      14,
      exp(1.4, [
        [14, 0.8],
        [19, 3],
      ]),
    ),
    dashed(
      ['track'],
      colours.track,
      [6, 2],
      13,
      exp(1.4, [
        [13, 0.8],
        [19, 5],
      ]),
    ),
    dashed(['ferry'], colours.labelWater, [6, 4], 8, () => 1),
    ...cases(atGround, 12, 1.4),
    ...bodies(atGround),
    {
      dataLayer: 'rail',
      filter: (zoom, feature) => feature.props['tunnel'] !== true && (zoom >= 14 || !feature.props['service']),
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
      dataLayer: 'rail',
      minzoom: 15,
      filter: (_zoom, feature) => feature.props['tunnel'] !== true,
      symbolizer: new LineSymbolizer({
        color: colours.halo,
        dash: [6, 8],
        width: exp(1.4, [
          [15, 0.9],
          [19, 2],
        ]),
      }),
    },
    ...cases(onBridge, 12, 2.6),
    ...bodies(onBridge),
  ];
}

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
import { roads } from './road-style.ts';

interface BaseStyle {
  readonly backgroundColor: string;
  readonly paintRules: PaintRule[];
  readonly labelRules: LabelRule[];
}

/** How the territory's tiles are drawn (layers and attributes: server/geo/map/README.md), ground first. */
export function baseStyle(colours: BaseColours, language: string, needIcons: () => void): BaseStyle {
  return {
    backgroundColor: colours.unknown,
    paintRules: [...ground(colours), ...water(colours), ...buildings(colours), ...lines(colours), ...roads(colours)],
    labelRules: labelRules(colours, language, needIcons),
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
    ...frontiers(colours),
    { dataLayer: 'barrier', minzoom: 16, symbolizer: new LineSymbolizer({ color: colours.buildingEdge, width: 1 }) },
  ];
}

/** Frontiers of countries are the heaviest; the smaller an area, the lighter and the later its boundary. */
function frontiers(colours: BaseColours): PaintRule[] {
  const boundary = (kinds: string[], minzoom: number, width: number, dash: number[], opacity: number): PaintRule => ({
    dataLayer: 'boundary',
    minzoom,
    filter: (zoom, feature) => feature.props['maritime'] !== true && has(...kinds)(zoom, feature),
    symbolizer: new LineSymbolizer({ color: colours.boundary, width, opacity, dash }),
  });
  return [
    boundary(['district'], 14, 0.7, [1, 3], 0.6),
    boundary(['municipality'], 11, 0.8, [3, 3], 0.6),
    boundary(['county'], 8, 1, [5, 3], 0.65),
    boundary(['region'], 4, 1.3, [7, 3], 0.75),
    {
      dataLayer: 'boundary',
      filter: (zoom, feature) => feature.props['maritime'] !== true && has('country')(zoom, feature),
      symbolizer: new LineSymbolizer({
        color: colours.boundary,
        width: exp(1.4, [
          [4, 0.9],
          [10, 1.8],
          [16, 3],
        ]),
        dash: [10, 3, 2, 3],
        opacity: 0.85,
      }),
    },
  ];
}

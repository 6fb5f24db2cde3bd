import {
  CenteredTextSymbolizer,
  CircleSymbolizer,
  GroupSymbolizer,
  LineLabelSymbolizer,
  OffsetTextSymbolizer,
  ShieldSymbolizer,
  type Feature,
  type LabelRule,
} from 'protomaps-leaflet';
import type { BaseColours } from './base-colours.ts';

const MAJOR = [
  'hospital',
  'clinic',
  'police',
  'fire_station',
  'ambulance_station',
  'airport',
  'station',
  'townhall',
  'courthouse',
  'prison',
];
const BUSY_ROADS = ['motorway', 'trunk', 'primary', 'secondary'];
type Rank = (feature: Feature) => boolean;

/** Labels, most important first: an earlier one keeps its place when two want the same. */
export function labelRules(colours: BaseColours, language: string): LabelRule[] {
  const labelProps = [`name:${language}`, 'name'];
  const kindIn =
    (kinds: readonly string[], also: Rank = () => true) =>
    (_zoom: number, feature: Feature) =>
      kinds.includes(feature.props['kind'] as string) && also(feature);
  const roman = { labelProps, stroke: colours.halo, lineHeight: 1.15 };

  const place = (kinds: string[], font: string, fill: string, minzoom: number, maxzoom: number): LabelRule => ({
    dataLayer: 'place',
    minzoom,
    maxzoom,
    filter: kindIn(kinds),
    sort: (one, other) => Number(one['rank'] ?? 9) - Number(other['rank'] ?? 9),
    symbolizer: new CenteredTextSymbolizer({ ...roman, fill, width: 2.5, font, maxLineChars: 14 }),
  });
  const street = (kinds: string[], font: string, minzoom: number, fill: string): LabelRule => ({
    dataLayer: 'road',
    minzoom,
    filter: kindIn(kinds),
    symbolizer: new LineLabelSymbolizer({
      labelProps,
      fill,
      stroke: colours.halo,
      width: 2.5,
      font,
      offset: -4,
      repeatDistance: 420,
    }),
  });
  const poi = (major: boolean, rank: number, minzoom: number): LabelRule => ({
    dataLayer: 'poi',
    minzoom,
    filter: (_zoom, feature) =>
      major
        ? MAJOR.includes(feature.props['kind'] as string)
        : Number(feature.props['rank'] ?? 5) <= rank && !MAJOR.includes(feature.props['kind'] as string),
    symbolizer: new GroupSymbolizer([
      new CircleSymbolizer({
        radius: major ? 3.5 : 2.2,
        fill: major ? colours.poiMajor : colours.poi,
        stroke: colours.halo,
        width: 1.5,
      }),
      new OffsetTextSymbolizer({
        ...roman,
        offsetX: 6,
        offsetY: 1,
        fill: major ? colours.poiMajor : colours.poi,
        width: 2.5,
        font: `${major ? 500 : 400} 11px Roboto`,
        maxLineChars: 18,
      }),
    ]),
  });

  return [
    place(['city'], '500 16px Roboto', colours.label, 4, 14),
    place(['town'], '500 14px Roboto', colours.label, 7, 15),
    place(['village', 'island'], '500 13px Roboto', colours.label, 9, 16),
    place(['suburb', 'quarter', 'neighbourhood'], '500 12px Roboto', colours.labelDim, 12, 16),
    poi(true, 1, 13),
    {
      dataLayer: 'road',
      minzoom: 10,
      filter: (zoom, feature) =>
        BUSY_ROADS.slice(0, zoom < 12 ? 2 : 4).includes(feature.props['kind'] as string) &&
        String(feature.props['ref'] ?? '').length in { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
      symbolizer: shields(colours),
    },
    street(['motorway', 'trunk', 'primary', 'secondary'], '500 12px Roboto', 13, colours.label),
    street(['tertiary'], '400 12px Roboto', 14, colours.label),
    street(['minor', 'pedestrian'], '400 11px Roboto', 15, colours.label),
    street(['service', 'path', 'track'], '400 11px Roboto', 17, colours.labelDim),
    {
      dataLayer: 'water',
      minzoom: 11,
      filter: (_zoom, feature) => feature.props['kind'] !== 'pool',
      symbolizer: new CenteredTextSymbolizer({
        ...roman,
        fill: colours.labelWater,
        width: 2,
        font: 'italic 400 12px Roboto',
        maxLineChars: 14,
      }),
    },
    {
      dataLayer: 'waterway',
      minzoom: 12,
      symbolizer: new LineLabelSymbolizer({
        labelProps,
        fill: colours.labelWater,
        stroke: colours.halo,
        width: 2,
        font: 'italic 400 12px Roboto',
        repeatDistance: 600,
      }),
    },
    {
      dataLayer: 'landuse',
      minzoom: 14,
      filter: kindIn(['park', 'forest', 'cemetery', 'aerodrome', 'garden', 'golf', 'industrial']),
      symbolizer: new CenteredTextSymbolizer({
        ...roman,
        fill: colours.labelGreen,
        width: 2,
        font: '400 11px Roboto',
        maxLineChars: 14,
      }),
    },
    place(['hamlet', 'isolated_dwelling', 'locality', 'islet', 'square'], '400 11px Roboto', colours.labelDim, 13, 18),
    poi(false, 2, 15),
    poi(false, 3, 16),
    poi(false, 4, 17),
    {
      dataLayer: 'housenumber',
      minzoom: 17,
      symbolizer: new CenteredTextSymbolizer({
        labelProps: ['number'],
        fill: colours.labelDim,
        stroke: colours.halo,
        width: 2,
        font: '400 10px Roboto',
      }),
    },
  ];
}

/** The number of a road on a plate, once in a while along it. */
function shields(colours: BaseColours): ShieldSymbolizer {
  return new ShieldSymbolizer({
    labelProps: ['ref'],
    font: '500 10px Roboto',
    fill: colours.label,
    background: colours.paved,
    padding: 3,
  });
}

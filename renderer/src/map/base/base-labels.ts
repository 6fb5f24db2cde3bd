import type { Feature, LabelRule } from 'protomaps-leaflet';
import type { BaseColours } from './base-colours.ts';
import { nameIn, type Lettering } from './labels/lettering.ts';
import { RoadPlate, PoiMark, SpotName } from './labels/spot-labels.ts';
import { StreetNames, UprightStreetNames } from './labels/street-names.ts';

const EMERGENCY = ['hospital', 'police', 'fire_station', 'ambulance_station'];
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
/** The first zoom at which places show icons. */
export const FIRST_ICON_ZOOM = 13;
type Rank = (feature: Feature) => boolean;

/**
 * Labels, most important first: an earlier one keeps its place when two want the same.
 * @param needIcons called when a place with an icon is to be drawn
 */
export function labelRules(colours: BaseColours, language: string, needIcons: () => void): LabelRule[] {
  const name = nameIn(language);
  const kindIn =
    (kinds: readonly string[], also: Rank = () => true) =>
    (_zoom: number, feature: Feature) =>
      kinds.includes(feature.props['kind'] as string) && also(feature);
  const letters = (font: string, fill: string, haloWidth = 2): Lettering => ({
    font: `${font} Roboto`,
    fill,
    halo: colours.halo,
    haloWidth,
  });

  const place = (kinds: string[], font: string, fill: string, minzoom: number, maxzoom: number): LabelRule => ({
    dataLayer: 'place',
    minzoom,
    maxzoom,
    filter: kindIn(kinds),
    sort: (one, other) => Number(one['rank'] ?? 9) - Number(other['rank'] ?? 9),
    symbolizer: new SpotName(name, letters(font, fill, 2.5)),
  });
  const street = (kinds: string[], font: string, minzoom: number, fill: string, once = true): LabelRule => ({
    dataLayer: 'street',
    minzoom,
    filter: kindIn(kinds),
    symbolizer: new StreetNames({
      ...letters(font, fill),
      name,
      once,
      repeat: once ? 250 : 420,
      overhang: 2.2,
      smallFonts: once ? ['400 10px Roboto', '400 9px Roboto', '400 8px Roboto'] : [],
    }),
  });
  const poi = (kinds: Rank, minzoom: number, fill: string, radius: number, weight: number): LabelRule => ({
    dataLayer: 'poi',
    minzoom,
    filter: (_zoom, feature) => kinds(feature),
    symbolizer: new PoiMark({
      ...letters(`${weight} 11px`, fill),
      name,
      ground: colours.poiGround,
      radius,
      needIcons,
    }),
  });
  const isOf =
    (kinds: readonly string[]): Rank =>
    ({ props }) =>
      kinds.includes(props['kind'] as string);
  const isOther =
    (rank: number): Rank =>
    ({ props }) =>
      Number(props['rank'] ?? 5) === rank && !MAJOR.includes(props['kind'] as string);
  const area = (dataLayer: string, minzoom: number, filter: LabelRule['filter'], lettering: Lettering): LabelRule => ({
    dataLayer,
    minzoom,
    filter: filter!,
    symbolizer: new SpotName(name, lettering),
  });

  return [
    place(['city'], '500 16px', colours.label, 4, 14),
    place(['town'], '500 14px', colours.label, 7, 15),
    place(['village', 'island'], '500 13px', colours.label, 9, 15),
    poi(isOf(EMERGENCY), FIRST_ICON_ZOOM, colours.poiMajor, 8, 500),
    poi(isOf(MAJOR.filter((kind) => !EMERGENCY.includes(kind))), 14, colours.poiMajor, 7, 500),
    {
      dataLayer: 'numbered road',
      minzoom: 10,
      filter: (zoom, feature) =>
        BUSY_ROADS.slice(0, zoom < 12 ? 2 : 4).includes(feature.props['kind'] as string) &&
        String(feature.props['ref'] ?? '').length in { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
      symbolizer: new RoadPlate(letters('500 10px', colours.label), colours.paved),
    },
    street(['motorway', 'trunk', 'primary', 'secondary'], '500 12px', 13, colours.label),
    street(['tertiary'], '400 12px', 14, colours.label),
    street(['minor', 'pedestrian'], '400 11px', 15, colours.label),
    {
      dataLayer: 'street',
      minzoom: 16,
      filter: kindIn([...BUSY_ROADS, 'tertiary', 'minor', 'pedestrian']),
      symbolizer: new UprightStreetNames({ ...letters('400 8px', colours.label, 1.5), name, repeat: 250 }),
    },
    street(['motorway', 'trunk', 'primary', 'secondary', 'tertiary'], '500 12px', 14, colours.label, false),
    street(['minor', 'pedestrian'], '400 11px', 16, colours.label, false),
    place(['suburb', 'quarter', 'neighbourhood'], '500 12px', colours.labelDim, 12, 15),
    street(['service', 'path', 'track'], '400 11px', 16, colours.labelDim),
    area(
      'water',
      11,
      (_zoom, feature) => feature.props['kind'] !== 'pool',
      letters('italic 400 12px', colours.labelWater),
    ),
    {
      dataLayer: 'waterway',
      minzoom: 12,
      symbolizer: new StreetNames({
        ...letters('italic 400 12px', colours.labelWater),
        name,
        repeat: 600,
        overhang: 1,
      }),
    },
    area(
      'landuse',
      14,
      kindIn(['park', 'forest', 'cemetery', 'aerodrome', 'garden', 'golf', 'industrial']),
      letters('400 11px', colours.labelGreen),
    ),
    place(['hamlet', 'isolated_dwelling', 'locality', 'islet', 'square'], '400 11px', colours.labelDim, 13, 18),
    poi(isOther(2), 15, colours.poi, 6, 400),
    poi(isOther(3), 16, colours.poi, 6, 400),
    poi(isOther(4), 17, colours.poi, 5.5, 400),
    poi(isOther(5), 18, colours.poi, 5.5, 400),
    {
      dataLayer: 'housenumber',
      minzoom: 17,
      symbolizer: new SpotName(({ props }) => props['number'] as string, letters('400 10px', colours.labelDim)),
    },
  ];
}

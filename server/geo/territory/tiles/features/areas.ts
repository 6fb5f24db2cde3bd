import type { Tags } from '../../extract/extract.ts';
import type { DrawnAs } from '../layers.ts';
import { names } from './names.ts';
import { table } from './table.ts';

type Kinds = Readonly<Record<string, Readonly<Record<string, string>>>>;

const WATER: Kinds = {
  natural: { water: 'lake', bay: '' },
  waterway: { riverbank: 'river', dock: 'dock' },
  landuse: { reservoir: 'reservoir', basin: 'basin' },
  leisure: { swimming_pool: 'pool', marina: '' },
  amenity: { swimming_pool: 'pool' },
};
const WATER_VALUES = table<string>({
  river: 'river',
  canal: 'river',
  reservoir: 'reservoir',
  pond: 'pond',
  basin: 'basin',
  lake: 'lake',
  dock: 'dock',
});

/** In this order: the first key with a known value decides. */
const LAND: Kinds = {
  aeroway: { aerodrome: 'aerodrome', apron: 'apron', heliport: 'aerodrome', runway: 'apron' },
  amenity: {
    school: 'school',
    kindergarten: 'school',
    university: 'university',
    college: 'university',
    hospital: 'hospital',
    clinic: 'hospital',
    parking: 'parking',
    grave_yard: 'cemetery',
  },
  leisure: {
    park: 'park',
    garden: 'garden',
    pitch: 'pitch',
    sports_centre: 'sports',
    stadium: 'sports',
    track: 'sports',
    golf_course: 'golf',
    playground: 'playground',
    nature_reserve: 'reserve',
    common: 'park',
    recreation_ground: 'park',
  },
  natural: {
    wood: 'forest',
    scrub: 'scrub',
    heath: 'heath',
    grassland: 'grass',
    wetland: 'wetland',
    beach: 'beach',
    sand: 'sand',
    bare_rock: 'rock',
    scree: 'rock',
    shingle: 'beach',
    glacier: 'glacier',
    fell: 'heath',
  },
  man_made: { pier: 'pier', breakwater: 'pier', groyne: 'pier' },
  highway: { pedestrian: 'pedestrian', footway: 'pedestrian', platform: 'pedestrian', service: 'pedestrian' },
  landuse: {
    residential: 'residential',
    commercial: 'commercial',
    retail: 'retail',
    industrial: 'industrial',
    railway: 'railway',
    military: 'military',
    farmland: 'farmland',
    farm: 'farmland',
    farmyard: 'farmland',
    meadow: 'meadow',
    orchard: 'orchard',
    vineyard: 'vineyard',
    allotments: 'allotments',
    greenhouse_horticulture: 'greenhouse',
    plant_nursery: 'greenhouse',
    forest: 'forest',
    grass: 'grass',
    village_green: 'park',
    recreation_ground: 'park',
    cemetery: 'cemetery',
    quarry: 'quarry',
    landfill: 'landfill',
    construction: 'construction',
    brownfield: 'construction',
    greenfield: 'grass',
    garages: 'industrial',
    port: 'industrial',
    harbour: 'industrial',
    flowerbed: 'garden',
  },
  military: { base: 'military', barracks: 'military', airfield: 'military' },
  place: { square: 'pedestrian' },
};

/** Wide, vague areas first; places that users look for on top of them. */
const LAND_ORDER = table<number>({
  reserve: -3,
  residential: -2,
  farmland: -2,
  military: -2,
  commercial: -1,
  retail: -1,
  industrial: -1,
  railway: -1,
  aerodrome: -1,
  garden: 1,
  school: 1,
  university: 1,
  hospital: 1,
  park: 1,
  cemetery: 1,
  sports: 2,
  golf: 1,
  parking: 3,
  pitch: 4,
  playground: 4,
  apron: 2,
  pedestrian: 3,
  pier: 3,
  beach: 2,
});
/** An area is drawn from the zoom at which the root of its area takes so many pixels. */
export const MIN_PIXELS = { landuse: 5, water: 3, building: 4 } as const;

/**
 * A closed way or a multipolygon drawn as an area, or undefined. `minZoom` must still be raised by its
 * size.
 */
export function drawnArea(tags: Tags): DrawnAs | undefined {
  const building = tags['building'] ?? tags['building:part'];
  if (building !== undefined && building !== 'no') return drawnBuilding(tags, building);
  const water = kindOf(tags, WATER);
  if (water) {
    const kind = tags['natural'] === 'water' ? (WATER_VALUES[tags['water'] ?? ''] ?? water) : water;
    return {
      layer: 'water',
      minZoom: kind === 'pool' ? 14 : 0,
      order: 0,
      attributes: [['kind', kind], ...names(tags)],
    };
  }
  const land = kindOf(tags, LAND);
  if (!land) return undefined;
  return {
    layer: 'landuse',
    minZoom: land === 'parking' || land === 'pitch' ? 13 : 4,
    order: LAND_ORDER[land] ?? 0,
    attributes: [['kind', land], ...names(tags)],
  };
}

/**
 * Whether a closed way with these tags is an area, if it could also be a line: a square is one, a roundabout
 * is not.
 */
export function isArea(tags: Tags): boolean {
  const area = tags['area'];
  if (area === 'no') return false;
  if (area === 'yes' || tags['type'] === 'multipolygon') return true;
  if (tags['highway'] !== undefined) return tags['highway'] === 'platform';
  return (
    tags['barrier'] === undefined ||
    tags['landuse'] !== undefined ||
    tags['leisure'] !== undefined ||
    tags['building'] !== undefined ||
    tags['amenity'] !== undefined
  );
}

function drawnBuilding(tags: Tags, value: string): DrawnAs {
  const metres =
    Number.parseFloat(tags['height'] ?? '') || Number.parseFloat(tags['building:levels'] ?? '') * 3 || undefined;
  const height = metres !== undefined && metres > 0 && metres < 1000 ? Math.round(metres) : undefined;
  return {
    layer: 'building',
    minZoom: 13,
    order: 0,
    attributes: [['kind', value === 'yes' ? undefined : value], ['height', height], ...names(tags)],
  };
}

function kindOf(tags: Tags, kinds: Kinds): string | undefined {
  for (const key in kinds) {
    const value = tags[key];
    if (value === undefined) continue;
    const kind = Object.hasOwn(kinds[key]!, value) ? kinds[key]![value] : undefined;
    if (kind) return kind;
  }
  return undefined;
}

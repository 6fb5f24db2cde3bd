import type { Tags } from '../../extract/extract.ts';
import type { DrawnAs } from '../layers.ts';
import { names } from './names.ts';
import { table } from './table.ts';

const PLACES = table<{ readonly minZoom: number; readonly rank: number }>({
  city: { minZoom: 4, rank: 1 },
  town: { minZoom: 7, rank: 3 },
  village: { minZoom: 9, rank: 5 },
  island: { minZoom: 10, rank: 6 },
  suburb: { minZoom: 10, rank: 6 },
  quarter: { minZoom: 12, rank: 7 },
  hamlet: { minZoom: 12, rank: 8 },
  neighbourhood: { minZoom: 13, rank: 8 },
  isolated_dwelling: { minZoom: 14, rank: 9 },
  locality: { minZoom: 13, rank: 9 },
  islet: { minZoom: 14, rank: 9 },
  square: { minZoom: 15, rank: 10 },
});

/** Value of the key to kind and rank; rank 1 is a landmark for dispatchers. */
type Ranks = Readonly<Record<string, readonly [kind: string, rank: number]>>;
const own = (rank: number, ...values: string[]): Ranks =>
  Object.fromEntries(values.map((value) => [value, [value, rank] as const]));

const POIS: Readonly<Record<string, Ranks>> = {
  emergency: {
    ambulance_station: ['ambulance_station', 1],
    fire_hydrant: ['hydrant', 4],
    defibrillator: ['defibrillator', 4],
  },
  amenity: {
    ...own(1, 'hospital', 'clinic', 'police', 'fire_station', 'townhall', 'courthouse', 'prison'),
    ...own(
      2,
      'school',
      'university',
      'college',
      'kindergarten',
      'pharmacy',
      'bus_station',
      'ferry_terminal',
      'fuel',
      'theatre',
      'place_of_worship',
      'embassy',
      'library',
      'marketplace',
    ),
    ...own(
      3,
      'bank',
      'post_office',
      'parking',
      'doctors',
      'veterinary',
      'cinema',
      'charging_station',
      'nursing_home',
      'social_facility',
    ),
    ...own(4, 'restaurant', 'cafe', 'bar', 'fast_food', 'toilets', 'fountain'),
    pub: ['bar', 4],
    dentist: ['doctors', 3],
    arts_centre: ['theatre', 3],
    parking_entrance: ['parking', 4],
  },
  aeroway: { aerodrome: ['airport', 1], helipad: ['helipad', 2], heliport: ['helipad', 2] },
  railway: {
    station: ['station', 1],
    halt: ['halt', 3],
    tram_stop: ['tram_stop', 3],
    subway_entrance: ['subway_entrance', 3],
    level_crossing: ['level_crossing', 4],
  },
  healthcare: { hospital: ['hospital', 1], clinic: ['clinic', 1], doctor: ['doctors', 3] },
  tourism: {
    ...own(2, 'museum'),
    ...own(3, 'hotel', 'attraction', 'viewpoint', 'camp_site'),
    hostel: ['hotel', 3],
    guest_house: ['hotel', 4],
    motel: ['hotel', 3],
    gallery: ['museum', 3],
  },
  historic: { castle: ['castle', 2], fort: ['castle', 3], monument: ['monument', 3], memorial: ['monument', 4] },
  leisure: { stadium: ['stadium', 2], sports_centre: ['sports_centre', 3], marina: ['harbour', 2], park: ['park', 3] },
  man_made: { lighthouse: ['lighthouse', 2], tower: ['tower', 5], water_tower: ['tower', 5] },
  military: { bunker: ['bunker', 2], barracks: ['barracks', 2] },
  office: { diplomatic: ['embassy', 3] },
  natural: { peak: ['peak', 3], bay: ['bay', 3], water: ['water', 3], cape: ['cape', 4], beach: ['beach', 3] },
  shop: {
    mall: ['mall', 2],
    supermarket: ['supermarket', 3],
    car_repair: ['car_repair', 3],
    department_store: ['mall', 3],
  },
  highway: { bus_stop: ['bus_stop', 4], motorway_junction: ['motorway_junction', 3] },
  barrier: { gate: ['barrier', 4], lift_gate: ['barrier', 4], bollard: ['barrier', 4], block: ['barrier', 4] },
};
/** Keys whose other values get a dot if they have a name. */
const OTHERS: Readonly<Record<string, string>> = {
  shop: 'shop',
  office: 'office',
  amenity: 'amenity',
  tourism: 'attraction',
  leisure: 'leisure',
  historic: 'monument',
  craft: 'office',
  club: 'office',
  healthcare: 'doctors',
};
const NEED_NO_NAME = new Set([
  'hospital',
  'police',
  'fire_station',
  'ambulance_station',
  'fuel',
  'pharmacy',
  'helipad',
  'hydrant',
  'defibrillator',
  'level_crossing',
  'bus_stop',
  'barrier',
  'toilets',
  'parking',
  'place_of_worship',
  'school',
  'kindergarten',
  'charging_station',
  'fountain',
]);
const ZOOM_OF_RANK = [0, 12, 13, 14, 15, 15];

/** Features that a node, or the middle of an area, shows on the map: one per layer. */
export function drawnPoints(tags: Tags): DrawnAs[] {
  const drawn: DrawnAs[] = [];
  const place = drawnPlace(tags);
  if (place) drawn.push(place);
  const poi = drawnPoi(tags);
  if (poi) drawn.push(poi);
  const number = tags['addr:housenumber'];
  if (number !== undefined)
    drawn.push({ layer: 'housenumber', minZoom: 15, order: 0, attributes: [['number', number]] });
  return drawn;
}

function drawnPlace(tags: Tags): DrawnAs | undefined {
  const kind = tags['place'];
  const place = PLACES[kind ?? ''];
  if (place === undefined || tags['name'] === undefined) return undefined;
  const population = Number.parseInt((tags['population'] ?? '').replaceAll(/[ ,.']/g, ''), 10);
  const capital = tags['capital'] === 'yes' || undefined;
  const rank = capital
    ? 1
    : kind === 'city' && !(population >= 100_000)
      ? 2
      : kind === 'town' && !(population >= 10_000)
        ? 4
        : place.rank;
  return {
    layer: 'place',
    minZoom: capital ? Math.min(4, place.minZoom) : place.minZoom,
    order: rank,
    attributes: [
      ['kind', kind],
      ['rank', rank],
      ['population', Number.isFinite(population) ? population : undefined],
      ['capital', capital],
      ...names(tags),
    ],
  };
}

function drawnPoi(tags: Tags): DrawnAs | undefined {
  const found = kindOf(tags);
  if (found === undefined) return undefined;
  const [kind, rank] = found;
  if (tags['name'] === undefined && !NEED_NO_NAME.has(kind)) return undefined;
  return {
    layer: 'poi',
    minZoom: ZOOM_OF_RANK[rank]!,
    order: rank,
    attributes: [
      ['kind', kind],
      ['rank', rank],
      ...names(tags),
      ['ref', kind === 'motorway_junction' ? tags['ref'] : undefined],
    ],
  };
}

function kindOf(tags: Tags): readonly [kind: string, rank: number] | undefined {
  for (const key in POIS) {
    const value = tags[key];
    if (value !== undefined && Object.hasOwn(POIS[key]!, value)) return POIS[key]![value];
  }
  for (const key in OTHERS) {
    const value = tags[key];
    if (value !== undefined && value !== 'no' && value !== 'vacant') return [OTHERS[key]!, 5];
  }
  return undefined;
}

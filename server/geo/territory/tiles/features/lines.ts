import type { Tags } from '../../extract/extract.ts';
import type { Attribute, DrawnAs } from '../layers.ts';
import { names } from './names.ts';
import { table } from './table.ts';

interface RoadKind {
  readonly kind: string;
  readonly minZoom: number;
  /** A higher order lies above. */
  readonly order: number;
}

const path: RoadKind = { kind: 'path', minZoom: 14, order: 1 };
const minor: RoadKind = { kind: 'minor', minZoom: 11, order: 5 };

const ROADS = table<RoadKind>({
  motorway: { kind: 'motorway', minZoom: 4, order: 10 },
  trunk: { kind: 'trunk', minZoom: 5, order: 9 },
  primary: { kind: 'primary', minZoom: 7, order: 8 },
  secondary: { kind: 'secondary', minZoom: 8, order: 7 },
  tertiary: { kind: 'tertiary', minZoom: 10, order: 6 },
  unclassified: minor,
  residential: minor,
  living_street: minor,
  road: minor,
  pedestrian: { kind: 'pedestrian', minZoom: 13, order: 4 },
  service: { kind: 'service', minZoom: 13, order: 3 },
  busway: { kind: 'service', minZoom: 13, order: 3 },
  raceway: { kind: 'service', minZoom: 13, order: 3 },
  track: { kind: 'track', minZoom: 13, order: 2 },
  footway: path,
  cycleway: path,
  path,
  bridleway: path,
  steps: path,
});
/** Service roads that only matter to those who stand before them. */
const SMALL_SERVICE = new Set(['parking_aisle', 'driveway', 'drive-through', 'emergency_access']);
const UNPAVED = new Set([
  'unpaved',
  'gravel',
  'fine_gravel',
  'dirt',
  'earth',
  'ground',
  'grass',
  'sand',
  'mud',
  'compacted',
  'pebblestone',
  'rock',
  'woodchips',
]);
const FERRY: RoadKind = { kind: 'ferry', minZoom: 8, order: 0 };

const RAILS = table<number>({
  rail: 8,
  light_rail: 11,
  subway: 11,
  tram: 11,
  narrow_gauge: 11,
  funicular: 11,
  monorail: 11,
  disused: 14,
});
const WATERWAYS = table<number>({ river: 8, canal: 10, stream: 12, drain: 13, ditch: 13 });
const AEROWAYS = table<number>({ runway: 10, taxiway: 13 });
const BARRIERS = new Set(['wall', 'fence', 'hedge', 'city_wall', 'retaining_wall']);

/** Tunnels are painted below everything on the ground, bridges above it, and among themselves by `layer`. */
const LEVEL_STEP = 11;

/** A way drawn as a line: its kinds, one per layer. A closed one may also be an area. */
export function drawnLines(tags: Tags): DrawnAs[] {
  const drawn: DrawnAs[] = [];
  const road = drawnRoad(tags);
  if (road) drawn.push(road);
  const rail = RAILS[tags['railway'] ?? ''];
  if (rail !== undefined) drawn.push(drawnRail(tags, rail));
  const water = WATERWAYS[tags['waterway'] ?? ''];
  if (water !== undefined) {
    drawn.push({
      layer: 'waterway',
      minZoom: water,
      order: 0,
      attributes: [
        ['kind', tags['waterway']],
        ...names(tags),
        ['tunnel', flag(tags['tunnel']) ?? (tags['tunnel'] === 'culvert' || undefined)],
      ],
    });
  }
  const aeroway = AEROWAYS[tags['aeroway'] ?? ''];
  if (aeroway !== undefined && tags['area'] !== 'yes') {
    drawn.push({
      layer: 'aeroway',
      minZoom: aeroway,
      order: aeroway === 10 ? 1 : 0,
      attributes: [
        ['kind', tags['aeroway']],
        ['ref', tags['ref']],
      ],
    });
  }
  const barrier = tags['barrier'];
  if (barrier !== undefined && BARRIERS.has(barrier))
    drawn.push({ layer: 'barrier', minZoom: 15, order: 0, attributes: [['kind', barrier]] });
  return drawn;
}

function drawnRoad(tags: Tags): DrawnAs | undefined {
  let value = tags['highway'];
  if (value === undefined) {
    if (tags['route'] !== 'ferry') return undefined;
    return {
      layer: 'road',
      minZoom: FERRY.minZoom,
      order: FERRY.order,
      attributes: [['kind', 'ferry'], ...names(tags)],
    };
  }
  if (tags['area'] === 'yes') return undefined;
  const construction = value === 'construction';
  if (construction) value = tags['construction'] ?? 'road';
  const link = value.endsWith('_link');
  const road = ROADS[link ? value.slice(0, -5) : value];
  if (road === undefined) return undefined;
  const small = road.kind === 'service' && SMALL_SERVICE.has(tags['service'] ?? '');
  const access = tags['access'];
  return {
    layer: 'road',
    minZoom: small ? 15 : link ? Math.max(road.minZoom, 9) : road.minZoom,
    // A link lies below its own road, but above the lesser ones.
    order: road.order + LEVEL_STEP * level(tags),
    attributes: [
      ['kind', road.kind],
      ['class', value],
      ['link', link || undefined],
      ...names(tags),
      ['ref', tags['ref']],
      ['oneway', oneway(tags)],
      ...structure(tags),
      ['access', access === 'no' || access === 'private' ? access : undefined],
      ['unpaved', UNPAVED.has(tags['surface'] ?? '') || undefined],
      ['roundabout', tags['junction'] === 'roundabout' || undefined],
      ['construction', construction || undefined],
    ],
  };
}

function drawnRail(tags: Tags, minZoom: number): DrawnAs {
  const siding = tags['service'] !== undefined;
  return {
    layer: 'rail',
    minZoom: siding ? Math.max(minZoom, 13) : minZoom,
    order: (siding ? 0 : 1) + LEVEL_STEP * level(tags),
    attributes: [['kind', tags['railway']], ['service', siding || undefined], ...structure(tags), ...names(tags)],
  };
}

function structure(tags: Tags): [string, Attribute | undefined][] {
  const layer = Number(tags['layer']);
  return [
    ['bridge', flag(tags['bridge'])],
    ['tunnel', flag(tags['tunnel'])],
    ['layer', Number.isInteger(layer) && layer !== 0 ? Math.max(-5, Math.min(5, layer)) : undefined],
  ];
}

/** -5 to 5: its layer among the ways that it crosses. */
function level(tags: Tags): number {
  const layer = Number(tags['layer'] ?? NaN);
  if (Number.isInteger(layer)) return Math.max(-5, Math.min(5, layer));
  return flag(tags['bridge']) ? 1 : flag(tags['tunnel']) ? -1 : 0;
}

/** As the car's profile reads it. */
function oneway(tags: Tags): 1 | -1 | undefined {
  const value = tags['oneway'];
  if (value === '-1' || value === 'reverse') return -1;
  if (value === 'yes' || value === '1' || value === 'true') return 1;
  const implied =
    tags['junction'] === 'roundabout' || tags['highway'] === 'motorway' || tags['highway'] === 'motorway_link';
  return implied && value !== 'no' ? 1 : undefined;
}

function flag(value: string | undefined): true | undefined {
  return value === undefined || value === 'no' ? undefined : true;
}

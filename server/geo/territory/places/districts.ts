import Flatbush from 'flatbush';
import type { Area } from '../geometry/area.ts';
import type { OsmExtract, Tags } from '../extract/extract.ts';
import type { Document } from './document.ts';
import { around, emptyBox, grow, metresBetweenE7, zoomOf } from '../geometry/metres.ts';
import { nameKey, namesByLanguage, namesOf } from './names.ts';
import type { NamesByLanguage } from './names.ts';
import { areaOfRelation, areaOfWay } from './surfaces.ts';

/**
 * A place or an administrative unit that contains things. `quarter` is a part of a settlement, `settlement` a
 * city, town or village, `region` anything larger.
 */
export interface District {
  names: string[];
  inLanguages: NamesByLanguage | undefined;
  sort: string;
  tier: 'quarter' | 'settlement' | 'region';
  lon: number;
  lat: number;
  importance: number;
  population: number;
  /** Without a surface it is the surroundings of its point. */
  area: Area | undefined;
  /** Radius in metres around its point, if it has no surface. */
  reach: number;
  /** Of its surface, as in `Area.size`, for sorting; 0 without one. */
  size: number;
  /** Countries and the like are surroundings, but no hits of their own unless they have a point here. */
  listed: boolean;
}

interface Sort {
  tier: District['tier'];
  importance: number;
  reach: number;
  /** The zoom of one that has no surface. */
  zoom: number;
}

const SORTS: Readonly<Record<string, Sort>> = {
  country: { tier: 'region', importance: 0.8, reach: 0, zoom: 6 },
  state: { tier: 'region', importance: 0.78, reach: 0, zoom: 7 },
  region: { tier: 'region', importance: 0.72, reach: 0, zoom: 8 },
  province: { tier: 'region', importance: 0.74, reach: 0, zoom: 8 },
  district: { tier: 'region', importance: 0.7, reach: 0, zoom: 9 },
  county: { tier: 'region', importance: 0.7, reach: 0, zoom: 9 },
  island: { tier: 'region', importance: 0.68, reach: 0, zoom: 11 },
  archipelago: { tier: 'region', importance: 0.6, reach: 0, zoom: 10 },
  municipality: { tier: 'settlement', importance: 0.7, reach: 0, zoom: 11 },
  city: { tier: 'settlement', importance: 0.9, reach: 15_000, zoom: 12 },
  town: { tier: 'settlement', importance: 0.8, reach: 8000, zoom: 13 },
  village: { tier: 'settlement', importance: 0.68, reach: 4000, zoom: 14 },
  hamlet: { tier: 'settlement', importance: 0.55, reach: 2000, zoom: 15 },
  isolated_dwelling: { tier: 'quarter', importance: 0.4, reach: 400, zoom: 16 },
  farm: { tier: 'quarter', importance: 0.4, reach: 400, zoom: 16 },
  allotments: { tier: 'quarter', importance: 0.4, reach: 500, zoom: 15 },
  borough: { tier: 'quarter', importance: 0.66, reach: 4000, zoom: 13 },
  suburb: { tier: 'quarter', importance: 0.64, reach: 3000, zoom: 14 },
  quarter: { tier: 'quarter', importance: 0.58, reach: 1500, zoom: 15 },
  neighbourhood: { tier: 'quarter', importance: 0.54, reach: 1000, zoom: 15 },
  city_block: { tier: 'quarter', importance: 0.42, reach: 200, zoom: 17 },
  locality: { tier: 'quarter', importance: 0.42, reach: 0, zoom: 15 },
  islet: { tier: 'quarter', importance: 0.4, reach: 0, zoom: 16 },
};

/** Administrative levels differ from country to country; 8 is the municipality in most of Europe. */
function sortOfLevel(level: number): Sort & { name: string } {
  if (level <= 2) return { name: 'country', ...SORTS.country! };
  if (level <= 4) return { name: 'state', ...SORTS.state! };
  if (level <= 6) return { name: 'county', ...SORTS.county! };
  if (level <= 8) return { name: 'municipality', ...SORTS.municipality! };
  return level === 9 ? { name: 'borough', ...SORTS.borough! } : { name: 'quarter', ...SORTS.quarter! };
}

/** All districts of an extract, with a lookup by point. */
export class Districts {
  readonly all: readonly District[];
  readonly #surfaces: readonly District[];
  readonly #surfaceIndex: Flatbush | undefined;
  readonly #points: readonly District[];
  readonly #pointIndex: Flatbush | undefined;
  readonly #settlements = new Map<District, District | undefined>();

  constructor(all: readonly District[]) {
    this.all = all;
    this.#surfaces = all.filter(({ area }) => area !== undefined);
    this.#surfaceIndex = indexOf(this.#surfaces.map(({ area }) => area!.box));
    this.#points = all.filter(({ area, reach }) => area === undefined && reach > 0);
    this.#pointIndex = indexOf(this.#points.map(({ lon, lat, reach }) => around(lon, lat, reach)));
  }

  /** At most one quarter, then the settlement, then regions from small to large. */
  at(lon: number, lat: number): District[] {
    const inside: District[] = [];
    for (const i of this.#surfaceIndex?.search(lon, lat, lon, lat) ?? []) {
      const district = this.#surfaces[i]!;
      if (district.area!.contains(lon, lat)) inside.push(district);
    }
    inside.sort((a, b) => a.size - b.size);
    const settlement = inside.find(({ tier }) => tier === 'settlement') ?? this.#nearest(lon, lat, 'settlement');
    const quarter =
      inside.find(({ tier }) => tier === 'quarter') ??
      this.#nearest(lon, lat, 'quarter', (other) => this.#settlementOf(other) === settlement);
    const others = inside.filter(
      (district) => district !== quarter && district !== settlement && district.tier !== 'quarter',
    );
    return [quarter, settlement, ...others].filter((district) => district !== undefined);
  }

  /** The settlement whose surface contains the point, if any: it distinguishes streets of one name. */
  settlementAround(lon: number, lat: number): District | undefined {
    let best: District | undefined;
    for (const i of this.#surfaceIndex?.search(lon, lat, lon, lat) ?? []) {
      const district = this.#surfaces[i]!;
      if (district.tier === 'settlement' && (!best || district.size < best.size) && district.area!.contains(lon, lat))
        best = district;
    }
    return best;
  }

  /** The settlement that a quarter is part of. */
  #settlementOf(quarter: District): District | undefined {
    const known = this.#settlements.get(quarter);
    if (known !== undefined || this.#settlements.has(quarter)) return known;
    const settlement =
      this.settlementAround(quarter.lon, quarter.lat) ?? this.#nearest(quarter.lon, quarter.lat, 'settlement');
    this.#settlements.set(quarter, settlement);
    return settlement;
  }

  /** The nearest place without a surface, relative to its radius. */
  #nearest(
    lon: number,
    lat: number,
    tier: District['tier'],
    fits: (district: District) => boolean = () => true,
  ): District | undefined {
    let best: District | undefined;
    let least = 1;
    for (const i of this.#pointIndex?.search(lon, lat, lon, lat) ?? []) {
      const district = this.#points[i]!;
      if (district.tier !== tier) continue;
      const distance = metresBetweenE7(lon, lat, district.lon, district.lat) / district.reach;
      if (distance < least && fits(district)) {
        least = distance;
        best = district;
      }
    }
    return best;
  }
}

function indexOf(boxes: readonly { west: number; south: number; east: number; north: number }[]): Flatbush | undefined {
  if (boxes.length === 0) return undefined;
  const index = new Flatbush(boxes.length);
  for (const { west, south, east, north } of boxes) index.add(west, south, east, north);
  index.finish();
  return index;
}

/** Collects places from nodes, ways and relations; a place with a point and a surface becomes one. */
export function findDistricts(extract: OsmExtract): Districts {
  const points = new Map<number, District>();
  for (const node of extract.nodes.having('place')) {
    const tags = extract.nodes.tags(node)!;
    const district = fromTags(tags, extract.nodes.lon[node]!, extract.nodes.lat[node]!, undefined);
    if (district) points.set(extract.nodes.id[node]!, district);
  }

  const surfaces: { district: District; pointIds: number[] }[] = [];
  for (const relation of extract.relations) {
    const { tags } = relation;
    if (tags.boundary !== 'administrative' && tags.boundary !== 'place' && tags.place === undefined) continue;
    if (tags.name === undefined || (tags.boundary === 'administrative' && Number(tags.admin_level) <= 2)) continue;
    const area = areaOfRelation(extract, relation);
    const district = area && fromArea(tags, area);
    if (!district) continue;
    const pointIds = relation.members
      .filter(({ type, role }) => type === 'node' && (role === 'label' || role === 'admin_centre'))
      .map(({ id }) => id);
    surfaces.push({ district, pointIds });
  }
  for (const way of extract.ways.having('place', 'boundary')) {
    const tags = extract.ways.tags(way);
    if (
      tags.name === undefined ||
      (tags.place === undefined && tags.boundary !== 'administrative') ||
      tags.place === 'square'
    )
      continue;
    const area = areaOfWay(extract, way);
    const district = area && fromArea(tags, area);
    if (district) surfaces.push({ district, pointIds: [] });
  }

  // From small to large, so that a point belongs to the smallest surface of its name.
  surfaces.sort((a, b) => a.district.size - b.district.size);
  const byName = new Map<string, number[]>();
  for (const [id, { names }] of points) for (const name of names) add(byName, nameKey(name), id);
  const all: District[] = [];
  const given = new Set<number>();
  for (const { district, pointIds } of surfaces) {
    const own = new Set(district.names.map(nameKey));
    const namesake = (id: number): boolean => points.get(id)?.names.some((name) => own.has(nameKey(name))) ?? false;
    const id =
      pointIds.find((point) => namesake(point) && !given.has(point)) ??
      district.names
        .flatMap((name) => byName.get(nameKey(name)) ?? [])
        .find((point) => !given.has(point) && district.area!.contains(points.get(point)!.lon, points.get(point)!.lat));
    if (id === undefined) {
      // The same name twice, such as a town and its county: the smaller one is enough.
      if (pointIds.some((point) => namesake(point))) district.listed = false;
      all.push(district);
      continue;
    }
    given.add(id);
    all.push(merge(points.get(id)!, district));
  }
  for (const [id, district] of points) if (!given.has(id)) all.push(district);
  return new Districts(all);
}

function merge(point: District, surface: District): District {
  const known = new Set(point.names.map(nameKey));
  const names = [...point.names, ...surface.names.filter((name) => !known.has(nameKey(name)))];
  // A village can be a whole municipality, and an island a region: the surface gives the extent, the point
  // the kind.
  const tier = surface.tier === 'region' && point.tier === 'settlement' ? 'settlement' : point.tier;
  return {
    ...point,
    names,
    inLanguages: point.inLanguages ?? surface.inLanguages,
    tier,
    area: surface.area,
    size: surface.size,
    population: Math.max(point.population, surface.population),
  };
}

function fromArea(tags: Tags, area: Area): District | undefined {
  const { lon, lat } = area.innerPoint();
  return fromTags(tags, lon, lat, area);
}

function fromTags(tags: Tags, lon: number, lat: number, area: Area | undefined): District | undefined {
  const names = namesOf(tags);
  const place = tags.place !== undefined && tags.place in SORTS ? tags.place : undefined;
  const level = sortOfLevel(Number(tags.admin_level ?? NaN) || 10);
  if (names.length === 0 || (place === undefined && tags.boundary === undefined)) return undefined;
  const sort = place === undefined ? level : { name: place, ...SORTS[place]! };
  const population = Math.max(0, Math.min(5e7, Number(tags.population ?? 0) || 0));
  const capital = tags.capital === 'yes' ? 0.05 : 0;
  const importance = Math.min(
    1,
    sort.importance + capital + (population > 0 ? Math.min(0.05, Math.log10(population) / 140) : 0),
  );
  return {
    names,
    inLanguages: namesByLanguage(tags, names[0]),
    sort: sort.name,
    tier: sort.tier,
    lon,
    lat,
    importance,
    population,
    area,
    reach: sort.reach,
    size: area?.size() ?? 0,
    listed: true,
  };
}

const RANK = { quarter: 0, settlement: 1, region: 2 } satisfies Record<District['tier'], number>;

/** The districts as things to be found. */
export function placeDocuments(districts: Districts): Map<District, Document> {
  const documents = new Map<District, Document>();
  for (const district of districts.all) {
    if (!district.listed) continue;
    const { names, inLanguages, sort, lon, lat, importance, area } = district;
    const box = area?.box ?? emptyBox();
    if (!area) grow(box, lon, lat);
    const surroundings = districts
      .at(lon, lat)
      .filter(
        (other) =>
          other !== district &&
          RANK[other.tier] >= RANK[district.tier] &&
          (district.tier !== 'region' || other.size > district.size) &&
          nameKey(other.names[0]!) !== nameKey(names[0]!),
      );
    documents.set(district, {
      kind: 'place',
      sort,
      names,
      inLanguages,
      lon,
      lat,
      box,
      zoom: area ? zoomOf(box) : (SORTS[sort]?.zoom ?? 14),
      importance,
      districts: surroundings,
      id: 0,
    });
  }
  return documents;
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

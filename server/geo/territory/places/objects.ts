import type { Area } from '../geometry/area.ts';
import type { OsmExtract, Tags } from '../extract/extract.ts';
import { areaOfRelation, areaOfWay, lineOf } from './surfaces.ts';
import type { Districts } from './districts.ts';
import type { Document } from './document.ts';
import { cellOf, cellsAround } from '../geometry/grid.ts';
import { emptyBox, grow, metresBetweenE7, halfway, zoomOf } from '../geometry/metres.ts';
import type { BoundingBox } from '../geometry/metres.ts';
import { LONGEST_NAME, nameKey, namesByLanguage, namesIn, namesOf, remembering } from './names.ts';
import type { NamesIn } from './names.ts';
import { roadsOfJunctions } from './road-marks.ts';
import { SORT_KEYS, sortOf } from './sorts.ts';
import type { ObjectSort } from './sorts.ts';

interface PlacedObject extends Document {
  kind: 'object';
  also: string[];
}

/** A point and a building of one name and kind within this distance are one thing, drawn twice. */
const SAME = 120;

/** Nothing without one of these is an object. */
const OBJECT_KEYS = [...SORT_KEYS, 'addr:housename', 'bridge:name', 'tunnel:name'];
/** Things with numbers are frequent, and two may well stand so near each other. */
const SAME_NUMBERED = 5;

/** Named bridges, from ways with such a name and from surfaces under other ways. */
export interface NamedBridges {
  readonly ofWay: Map<number, Document>;
  readonly surfaces: { document: Document; area: Area }[];
}

/**
 * Every named thing that is neither street nor place, and unnamed things worth finding (a hospital, a fire
 * station).
 */
export function findObjects(extract: OsmExtract, districts: Districts): { objects: Document[]; bridges: NamedBridges } {
  const found: PlacedObject[] = [];
  const bridges: NamedBridges = { ofWay: new Map(), surfaces: [] };
  /**
   * The things of each name and kind by location: a country has hundreds of thousands of hydrants without a
   * number.
   */
  const alike = new Map<string, Map<number, PlacedObject[]>>();
  const read = remembering(namesIn);
  const roads = roadsOfJunctions(extract);
  const take = (
    tags: Tags,
    where: () => { lon: number; lat: number; box: BoundingBox } | undefined,
    roadsHere?: readonly string[],
  ): PlacedObject | undefined => {
    const object = describe(tags, read, roadsHere);
    const place = object && where();
    if (!object || !place) return undefined;
    const { apart, ...described } = object;
    const key = `${object.sort} ${nameKey(object.names[0]!)}`;
    const cells = alike.get(key) ?? new Map<number, PlacedObject[]>();
    alike.set(key, cells);
    for (const cell of cellsAround(place.lon, place.lat, apart)) {
      const known = cells.get(cell)?.find(({ lon, lat }) => metresBetweenE7(lon, lat, place.lon, place.lat) < apart);
      if (known) return known;
    }
    const placed = {
      ...described,
      ...place,
      zoom: Math.max(15, zoomOf(place.box)),
      districts: districts.at(place.lon, place.lat),
    };
    found.push(placed);
    const cell = cellOf(place.lon, place.lat, apart);
    const here = cells.get(cell);
    if (here) here.push(placed);
    else cells.set(cell, [placed]);
    return placed;
  };
  const keepSurface = (tags: Tags, bridge: Document | undefined, area: () => Area | undefined): void => {
    const surface = tags.man_made === 'bridge' && bridge ? area() : undefined;
    if (surface) bridges.surfaces.push({ document: bridge!, area: surface });
  };

  const { nodes, ways } = extract;
  // Surfaces first: of a thing drawn twice, the larger drawing shows where it is.
  for (const relation of extract.relations) {
    const { tags } = relation;
    if (tags.type !== 'multipolygon' && tags.type !== 'site') continue;
    const object = take(tags, () => {
      const area = areaOfRelation(extract, relation);
      return area && { ...area.innerPoint(), box: area.box };
    });
    keepSurface(tags, object, () => areaOfRelation(extract, relation));
  }
  for (const way of ways.having(...OBJECT_KEYS)) {
    const tags = ways.tags(way);
    // The road on a bridge has its own name, and the bridge another.
    if (tags['bridge:name'] !== undefined) {
      const bridge = take({ name: tags['bridge:name'], bridge: 'yes' }, () => placeOfWay(extract, way));
      if (bridge) bridges.ofWay.set(way, bridge);
    }
    if (tags['tunnel:name'] !== undefined)
      take({ name: tags['tunnel:name'], tunnel: 'yes' }, () => placeOfWay(extract, way));
    if (tags.highway !== undefined && tags.highway !== 'services' && tags.highway !== 'rest_area') continue;
    keepSurface(
      tags,
      take(tags, () => placeOfWay(extract, way)),
      () => areaOfWay(extract, way),
    );
  }
  for (const node of nodes.having(...OBJECT_KEYS)) {
    const tags = nodes.tags(node)!;
    const lon = nodes.lon[node]!,
      lat = nodes.lat[node]!;
    take(tags, () => ({ lon, lat, box: { west: lon, south: lat, east: lon, north: lat } }), roads.get(node));
  }
  return { objects: found, bridges };
}

/** A point inside a closed way, or the middle of an open one. */
export function placeOfWay(
  extract: OsmExtract,
  way: number,
): { lon: number; lat: number; box: BoundingBox } | undefined {
  const area = areaOfWay(extract, way);
  if (area) return { ...area.innerPoint(), box: area.box };
  const line = lineOf(extract, way);
  if (!line) return undefined;
  const box = emptyBox();
  for (let i = 0; i < line.length; i += 2) grow(box, line[i]!, line[i + 1]!);
  return { ...halfway(line), box };
}

/** `apart`: metres within which another of the same name is the same thing. */
function describe(
  tags: Tags,
  read: NamesIn,
  roads: readonly string[] = [],
):
  | (Pick<PlacedObject, 'kind' | 'sort' | 'names' | 'inLanguages' | 'importance' | 'also' | 'ref' | 'id'> & {
      apart: number;
    })
  | undefined {
  const sort = sortOf(tags);
  // A place, a border or a river has a name, too, but is found elsewhere or is no address for a crew.
  if (sort === undefined && tags['addr:housename'] === undefined) return undefined;
  const names = namesOf(tags, false, read);
  const junction =
    tags.highway === 'motorway_junction' && tags.ref !== undefined
      ? [`Junction ${tags.ref}${roads.length > 0 ? ` (${roads[0]})` : ''}`]
      : [];
  if (tags['addr:housename'] !== undefined && !names.includes(tags['addr:housename']))
    names.push(tags['addr:housename']);
  const also = [tags.operator, tags.brand, tags.iata, tags.ref, ...roads].filter((value) => value !== undefined);
  const label = names[0] ?? junction[0] ?? (sort?.nameless ? namelessLabel(sort, tags) : undefined);
  if (label === undefined || (sort === undefined && names.length === 0)) return undefined;
  const known = tags.wikidata !== undefined || tags.wikipedia !== undefined ? 0.04 : 0;
  const nameless = names.length === 0 ? -0.04 : 0;
  return {
    kind: 'object',
    sort: sort?.name ?? 'house',
    names: names.length > 0 ? names : [label],
    inLanguages: namesByLanguage(tags, names[0] ?? label),
    importance: (sort?.importance ?? 0.2) + known + nameless,
    also: [...(sort?.words ?? []), ...also],
    ...(tags.ref !== undefined && { ref: tags.ref.slice(0, LONGEST_NAME) }),
    id: 0,
    apart: sort?.numbered ? SAME_NUMBERED : SAME,
  };
}

function namelessLabel({ words, numbered }: ObjectSort, tags: Tags): string {
  const what = capital(words[0]!);
  // A hydrant is known by its number; a petrol station by its brand.
  if (numbered) return tags.ref === undefined ? what : `${what} ${tags.ref}`;
  return tags.operator ?? tags.brand ?? what;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

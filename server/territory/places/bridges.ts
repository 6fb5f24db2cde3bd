import type { OsmExtract } from '../extract.ts';
import type { Area } from '../area.ts';
import { areaOfRelation, areaOfWay, lineOf } from './surfaces.ts';
import type { Document } from './document.ts';
import { metresBetween } from './metres.ts';
import type { Line } from './metres.ts';
import { keyOf } from './names.ts';
import type { Streets } from './streets.ts';

/** A road on a bridge: whoever stands there is on the bridge, and not at the house on the bank. */
export interface Bridge {
  /** The bridge where it has a name of its own, else the street. */
  document: Document;
  line: Line;
}

/** The bridge of a name lies no further from the road on it. */
const OWN_WITHIN = 500;

/** The roads on bridges, as far as they or their bridges have names. */
export function findBridges(extract: OsmExtract, streets: Streets, objects: readonly Document[]): Bridge[] {
  const named = new Map<string, Document[]>();
  for (const object of objects) {
    if (object.sort !== 'bridge') continue;
    const key = keyOf(object.names[0]!);
    named.set(key, [...(named.get(key) ?? []), object]);
  }
  const surfaces = surfacesOf(extract);
  const bridges: Bridge[] = [];
  for (const way of extract.ways.having('bridge')) {
    const tags = extract.ways.tags(way);
    const line = tags.bridge === 'no' || tags.highway === undefined ? undefined : lineOf(extract, way);
    if (!line || line.length < 4) continue;
    const middle = (line.length >> 2) * 2;
    const lon = line[middle]!, lat = line[middle + 1]!;
    const name = tags['bridge:name'] ?? surfaces.find(({ area }) => area.contains(lon, lat))?.name;
    const own = name === undefined ? undefined : named.get(keyOf(name))?.find((object) => metresBetween(object.lon, object.lat, lon, lat) < OWN_WITHIN);
    const document = own ?? streets.documents[streets.ofWay[way]!];
    if (document) bridges.push({ document, line });
  }
  return bridges;
}

/** Bridges that are drawn as surfaces, with their names. */
function surfacesOf(extract: OsmExtract): { name: string; area: Area }[] {
  const found: { name: string; area: Area }[] = [];
  const add = (name: string | undefined, area: Area | undefined): void => {
    if (name !== undefined && area) found.push({ name, area });
  };
  for (const way of extract.ways.having('man_made')) {
    const tags = extract.ways.tags(way);
    if (tags.man_made === 'bridge' && tags.name !== undefined) add(tags.name, areaOfWay(extract, way));
  }
  for (const relation of extract.relations) if (relation.tags.man_made === 'bridge' && relation.tags.name !== undefined) add(relation.tags.name, areaOfRelation(extract, relation));
  return found;
}

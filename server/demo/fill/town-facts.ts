import type { OsmExtract, Tags } from '../../geo/territory/extract/extract.ts';

export interface TownAddress {
  /** As on the sign: street and house number. */
  readonly text: string;
  readonly street: string;
  readonly lat: number;
  readonly lon: number;
  readonly cyrillic: boolean;
}

/** The base of a service. */
export type BaseKind = 'ambulance' | 'fire' | 'works' | 'roads' | 'police' | 'hospital';

/** A stretch of a main road; longitude first. */
export interface Street {
  readonly name: string;
  readonly line: readonly [number, number][];
}

export interface TownFacts {
  readonly town: string;
  readonly addresses: readonly TownAddress[];
  /** The longest stretches of main roads, one for each name. */
  readonly streets: readonly Street[];
  /** The middle of the addresses. */
  readonly middle: { readonly lat: number; readonly lon: number };
  readonly bases: Readonly<Record<BaseKind, readonly { lat: number; lon: number }[]>>;
}

/** Facts of the demo town for its data: real addresses, and the buildings of the services. */
export function factsOf(extract: OsmExtract): TownFacts {
  const addresses: TownAddress[] = [];
  const streets = new Map<string, Street>();
  const bases: Record<BaseKind, { lat: number; lon: number }[]> = {
    ambulance: [],
    fire: [],
    works: [],
    roads: [],
    police: [],
    hospital: [],
  };
  let town = '';
  const { nodes, ways } = extract;
  const look = (tags: Tags, node: number): void => {
    const place = { lat: nodes.lat[node]! / 1e7, lon: nodes.lon[node]! / 1e7 };
    if (tags['place'] === 'town' || tags['place'] === 'city') town = tags['name']!;
    const base = baseOf(tags);
    if (base) bases[base].push(place);
    const street = tags['addr:street'];
    if (street !== undefined && tags['addr:housenumber'] !== undefined)
      addresses.push({
        text: `${street} ${tags['addr:housenumber']}`,
        street,
        cyrillic: /\p{Script=Cyrillic}/u.test(street),
        ...place,
      });
  };
  const lineOf = (way: number): [number, number][] =>
    Array.from(ways.refs.subarray(ways.first[way], ways.first[way + 1]), (node) => [
      nodes.lon[node]! / 1e7,
      nodes.lat[node]! / 1e7,
    ]);
  for (let way = 0; way < ways.count; way++) {
    const tags = ways.tags(way);
    look(tags, ways.refs[ways.first[way]!]!);
    if (!/^(?:primary|secondary|tertiary)$/.test(tags['highway'] ?? '') || tags['name'] === undefined) continue;
    const line = lineOf(way);
    if (line.length > (streets.get(tags['name'])?.line.length ?? 5))
      streets.set(tags['name'], { name: tags['name'], line });
  }
  for (const node of nodes.tagged) look(nodes.tags(node)!, node);
  return {
    town,
    addresses,
    bases,
    streets: [...streets.values()].sort((a, b) => b.line.length - a.line.length),
    middle: middleOf(addresses),
  };
}

function middleOf(addresses: readonly TownAddress[]): { lat: number; lon: number } {
  const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
  return { lat: median(addresses.map(({ lat }) => lat)), lon: median(addresses.map(({ lon }) => lon)) };
}

function baseOf(tags: Tags): BaseKind | undefined {
  if (tags['emergency'] === 'ambulance_station') return 'ambulance';
  switch (tags['amenity']) {
    case 'fire_station':
      return 'fire';
    case 'police':
      return 'police';
    case 'hospital':
      return 'hospital';
    case 'vehicle_depot':
      return /Road/.test(tags['name:en'] ?? '') ? 'roads' : 'works';
    default:
      return undefined;
  }
}

import type { OsmExtract, Tags } from '../../territory/extract.ts';

export interface Address {
  /** As on the sign: street and house number. */
  readonly text: string;
  readonly street: string;
  readonly lat: number;
  readonly lon: number;
  readonly cyrillic: boolean;
}

/** Where a service has its base. */
export type BaseKind = 'ambulance' | 'fire' | 'works' | 'roads' | 'police' | 'hospital';

export interface TownFacts {
  readonly town: string;
  readonly addresses: readonly Address[];
  readonly bases: Readonly<Record<BaseKind, readonly { lat: number; lon: number }[]>>;
}

/** What the demo data need to know of the demo town: real addresses of it, and the buildings from which its services start. */
export function factsOf(extract: OsmExtract): TownFacts {
  const addresses: Address[] = [];
  const bases: Record<BaseKind, { lat: number; lon: number }[]> = { ambulance: [], fire: [], works: [], roads: [], police: [], hospital: [] };
  let town = '';
  const { nodes, ways } = extract;
  const look = (tags: Tags, node: number): void => {
    const place = { lat: nodes.lat[node] / 1e7, lon: nodes.lon[node] / 1e7 };
    if (tags['place'] === 'town' || tags['place'] === 'city') town = tags['name'];
    const base = baseOf(tags);
    if (base) bases[base].push(place);
    const street = tags['addr:street'];
    if (street !== undefined && tags['addr:housenumber'] !== undefined) addresses.push({ text: `${street} ${tags['addr:housenumber']}`, street, cyrillic: /\p{Script=Cyrillic}/u.test(street), ...place });
  };
  for (let way = 0; way < ways.count; way++) look(ways.tags(way), ways.refs[ways.first[way]]);
  for (const node of nodes.tagged) look(nodes.tags(node)!, node);
  return { town, addresses, bases };
}

function baseOf(tags: Tags): BaseKind | undefined {
  if (tags['emergency'] === 'ambulance_station') return 'ambulance';
  switch (tags['amenity']) {
    case 'fire_station': return 'fire';
    case 'police': return 'police';
    case 'hospital': return 'hospital';
    case 'vehicle_depot': return /Road/.test(tags['name:en'] ?? '') ? 'roads' : 'works';
    default: return undefined;
  }
}

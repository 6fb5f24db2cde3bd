import type { PlacesFile } from '../../../server/geo/geocoding/search/places-file.ts';
import { reverse } from '../../../server/geo/geocoding/search/reverse.ts';
import type { Hit } from '../../../server/geo/geocoding/types.ts';
import type { OsmExtract } from '../../../server/geo/territory/extract/extract.ts';
import { metresBetweenE7 } from '../../../server/geo/territory/geometry/metres.ts';
import { words } from '../../../shared/text/fold.ts';
import { quantile } from './quantile.ts';

interface Asked {
  /** 1e-7 degrees */
  readonly lon: number;
  readonly lat: number;
  readonly street: string;
  readonly number?: string;
}

const SAMPLE = 2_000;
const MISSES = 6;
/** Pieces of a street shorter than this, in metres, lie in a crossing. */
const CROSSING = 20;
/** Metres before a house, on the way to its street. */
const BEFORE = 12;

/** Prints how often the nearest address is that of the road one is on, and of the house one stands at. */
export function evaluateReverse(
  extract: OsmExtract,
  places: PlacesFile,
  houses: readonly { lon: number; lat: number; street: string; number: string }[],
  chance: () => number,
  showsMisses: boolean,
): void {
  const some = <T>(all: readonly T[]): T[] =>
    Array.from({ length: Math.min(SAMPLE, all.length) }, () => all[Math.floor(chance() * all.length)]!);
  const roads = some(middlesOfRoads(extract));
  const atHouses = some(houses).map((house) => ({ ...house, lon: house.lon * 1e7, lat: house.lat * 1e7 }));
  const questions: [string, Asked[]][] = [
    ['on a named road', roads],
    ['at a house', atHouses],
    [`${BEFORE} m from a house`, atHouses.map((house) => ({ ...house, lat: house.lat + (BEFORE / 111_195) * 1e7 }))],
  ];
  console.log(`${'reverse'.padEnd(34)} street  house  asked  p50 ms  p99 ms`);
  for (const [name, asked] of questions) {
    const times: number[] = [];
    const missed: string[] = [];
    let [streets, numbers] = [0, 0];
    for (const { lon, lat, street, number } of asked) {
      const began = performance.now();
      const hit = reverse(places, { lon: lon / 1e7, lat: lat / 1e7 });
      times.push(performance.now() - began);
      const isStreet = hit !== undefined && isOf(hit, street);
      if (isStreet) streets++;
      else
        missed.push(`${(lat / 1e7).toFixed(5)}, ${(lon / 1e7).toFixed(5)} ${street} ${number ?? ''} → ${hit?.label}`);
      if (isStreet && number !== undefined && words(hit.parts?.number ?? '').join('') === words(number).join(''))
        numbers++;
    }
    const share = (count: number): string => ((100 * count) / Math.max(1, asked.length)).toFixed(1);
    const ofHouses = asked[0]?.number === undefined ? '' : share(numbers);
    console.log(
      `${name.padEnd(34)} ${share(streets).padStart(6)} ${ofHouses.padStart(6)} ${String(asked.length).padStart(6)} ${quantile(times, 0.5)} ${quantile(times, 0.99)}`,
    );
    if (showsMisses) for (const text of missed.slice(0, MISSES)) console.log(`    ${text}`);
  }
}

/** Is the hit the street, or a house on it? */
export function isOf(hit: Hit, street: string): boolean {
  const asked = words(street).join(' ');
  return words(hit.parts?.street ?? '').join(' ') === asked || words(hit.label).join(' ').startsWith(asked);
}

/** The middle of each long piece of a road that has a name and is open to cars. */
export function middlesOfRoads({ nodes, ways }: OsmExtract): Asked[] {
  const middles: Asked[] = [];
  for (const way of ways.having('highway')) {
    const { name, highway = '' } = ways.tags(way);
    if (
      name === undefined ||
      !/^(trunk|primary|secondary|tertiary|unclassified|residential|living_street)$/.test(highway)
    )
      continue;
    const refs = ways.refs.subarray(ways.first[way], ways.first[way + 1]);
    for (let i = 1; i < refs.length; i++) {
      const [a, b] = [refs[i - 1]!, refs[i]!];
      const [lon, lat] = [nodes.lon[a]!, nodes.lat[a]!];
      const [toLon, toLat] = [nodes.lon[b]!, nodes.lat[b]!];
      if (metresBetweenE7(lon, lat, toLon, toLat) < CROSSING) continue;
      middles.push({ lon: (lon + toLon) / 2, lat: (lat + toLat) / 2, street: name });
    }
  }
  return middles;
}

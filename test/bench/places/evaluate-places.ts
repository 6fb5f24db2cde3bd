/**
 * `npm run eval:places -- FILE.osm.pbf…` writes addresses of an extract in many forms, asks for each, and prints
 * how many houses come first and among the first five, how often another house comes first, and how long it
 * took; then the same of addresses of points. `--misses` adds some that failed. WAYPOST_SEED repeats a run.
 * `npm run eval:places -- town [de…]` asks about drawn towns, one of each language.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { PlacesFile } from '../../../server/geo/geocoding/search/places-file.ts';
import { PlaceSearch } from '../../../server/geo/geocoding/search/search.ts';
import { beginBudget } from '../../../server/geo/geocoding/search/work-budget.ts';
import type { Hit } from '../../../server/geo/geocoding/types.ts';
import type { OsmExtract } from '../../../server/geo/territory/extract/extract.ts';
import { readExtract } from '../../../server/geo/territory/formats/read-extract.ts';
import { findDistricts } from '../../../server/geo/territory/places/districts.ts';
import { makePlaces } from '../../../server/geo/territory/places/index.ts';
import { placeOfWay } from '../../../server/geo/territory/places/objects.ts';
import { words } from '../../../shared/text/fold.ts';
import { SEED, numbers } from '../../support/chance.ts';
import { mistype } from '../../unit/geo/geocoding/mistype.ts';
import { FORMS } from './address-forms.ts';
import { evaluateReverse } from './evaluate-reverse.ts';
import { evaluateTowns } from './evaluate-towns.ts';
import { quantile } from './quantile.ts';
import type { WrittenAddress } from './address-forms.ts';

interface House extends WrittenAddress {
  /** degrees */
  lon: number;
  lat: number;
}

/** Houses asked for in each form. */
const SAMPLE = 400;
/** Metres in degrees of latitude: an entrance and its building are one house. */
const SAME_HOUSE = 60 / 111_195;
const MISSES = 6;

const chance = numbers(SEED);
const asked = process.argv.slice(2).filter((word) => word !== '--misses');
const showsMisses = process.argv.includes('--misses');
console.log(`seed ${SEED}`);
if (asked[0] === 'town') await evaluateTowns(asked.slice(1), SEED, showsMisses);
else for (const file of asked) await evaluate(file);

async function evaluate(file: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-places-'));
  try {
    const extract = await readExtract(file);
    await makePlaces(extract, directory, () => {});
    const places = PlacesFile.open(directory);
    const search = new PlaceSearch(places);
    const houses = housesOf(extract);
    console.log(`\n${basename(file)}: ${houses.length} houses with a street and a town`);
    console.log(`${'form'.padEnd(34)} first  five  other house first  asked  p50 ms  p99 ms`);
    const mistyped = (address: WrittenAddress): string | undefined =>
      /\p{L}{6}/u.test(address.street)
        ? FORMS['street number, city']!({ ...address, street: mistype(address.street, chance) })
        : undefined;
    for (const [name, form] of [...Object.entries(FORMS), ['one typing mistake', mistyped] as const]) {
      const usable = houses.filter((house) => form(house) !== undefined);
      if (usable.length === 0) continue;
      const times: number[] = [];
      const missed: string[] = [];
      const counts = { first: 0, five: 0, other: 0, asked: Math.min(SAMPLE, usable.length) };
      for (let i = 0; i < counts.asked; i++) {
        const house = usable[Math.floor(chance() * usable.length)]!;
        const query = form(house)!;
        const began = performance.now();
        const hits = search.run({ query, limit: 10 }, beginBudget(250));
        times.push(performance.now() - began);
        const same = houses.filter((other) =>
          other.number === house.number && name === 'one typing mistake' ? other === house : form(other) === query,
        );
        const at = hits.findIndex((hit) => same.some((other) => isHouse(hit, other)));
        if (at === 0) counts.first++;
        else {
          missed.push(
            `${query.replaceAll('\n', ' ⏎ ')} → ${hits
              .slice(0, 3)
              .map(({ label }) => label)
              .join(' | ')}`,
          );
          if (hits[0]?.kind === 'address') counts.other++;
        }
        if (at >= 0 && at < 5) counts.five++;
      }
      const share = (count: number): string => `${((100 * count) / counts.asked).toFixed(1)}`.padStart(5);
      console.log(
        `${name.padEnd(34)} ${share(counts.first)} ${share(counts.five)} ${share(counts.other).padStart(18)} ${String(counts.asked).padStart(6)} ${quantile(times, 0.5)} ${quantile(times, 0.99)}`,
      );
      if (showsMisses) for (const text of missed.slice(0, MISSES)) console.log(`    ${text}`);
    }
    evaluateReverse(extract, places, houses, chance, showsMisses);
    places.close();
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function isHouse(hit: Hit, house: House): boolean {
  return (
    hit.kind === 'address' &&
    Math.abs(hit.lat - house.lat) < SAME_HOUSE &&
    Math.abs(hit.lon - house.lon) < SAME_HOUSE / Math.cos((house.lat * Math.PI) / 180) &&
    words(hit.label).join('').includes(words(house.number).join(''))
  );
}

/** Houses with a plain number, a street, and a town from their tags or from the map. */
function housesOf(extract: OsmExtract): House[] {
  const districts = findDistricts(extract);
  const houses: House[] = [];
  const add = (tags: Record<string, string>, lon: number, lat: number): void => {
    const street = tags['addr:street'],
      number = tags['addr:housenumber'];
    const city = tags['addr:city'] ?? districts.at(lon, lat).find(({ tier }) => tier === 'settlement')?.names[0];
    if (street === undefined || number === undefined || city === undefined || !/^\d{1,5} ?\p{L}?$/u.test(number))
      return;
    houses.push({ street, number, city, postcode: tags['addr:postcode'], lon: lon / 1e7, lat: lat / 1e7 });
  };
  const { nodes, ways } = extract;
  for (const node of nodes.having('addr:housenumber')) add(nodes.tags(node)!, nodes.lon[node]!, nodes.lat[node]!);
  for (const way of ways.having('addr:housenumber')) {
    const place = placeOfWay(extract, way);
    if (place) add(ways.tags(way), place.lon, place.lat);
  }
  return houses;
}

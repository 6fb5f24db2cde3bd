import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { words } from '../../../../shared/text/fold.ts';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { readExtract } from '../../../../server/geo/territory/formats/read-extract.ts';
import { SEED, numbers } from '../../../support/chance.ts';
import { LONG } from '../../../support/long.ts';
import { openTown, everyLanguage } from './drawn-town.ts';
import type { OpenTown } from './drawn-town.ts';
import { mistype, pick } from './mistype.ts';
import { shareOfRight } from './operator-questions.ts';

/**
 * Real extracts where this machine has them, else the demo town: names that nobody made up for a test. Malta, larger
 * than the others together, has its turn in the long form.
 */
const EXTRACTS = ['monaco', 'liechtenstein', ...(LONG ? ['malta'] : [])]
  .map((name) => fileURLToPath(new URL(`../../../../../shared/data/${name}.osm.pbf`, import.meta.url)))
  .filter(existsSync);
const DEMO = fileURLToPath(new URL('../../../../resources/demo/town.osm.pbf', import.meta.url));
const FILES = EXTRACTS.length > 0 ? EXTRACTS : [DEMO].filter(existsSync);

const SAMPLE = 300;
const chance = numbers(SEED);

interface Street {
  id: number;
  name: string;
  area: string;
  lon: number;
  lat: number;
}
interface Address extends Street {
  number: string;
  estimated: number;
}

describe.each(FILES)('%s', (file) => {
  let town: OpenTown;
  let streets: Street[];
  let addresses: Address[];

  beforeAll(async () => {
    town = await openTown(await readExtract(file));
    const database = new DatabaseSync(join(town.directory, 'places.db'), { readOnly: true });
    const name = `CASE instr(names, char(10)) WHEN 0 THEN names ELSE substr(names, 1, instr(names, char(10)) - 1) END AS name`;
    // One in Monaco is called just "Impasse".
    streets = (
      database
        .prepare(`SELECT id, ${name}, area, lon / 1e7 AS lon, lat / 1e7 AS lat FROM document WHERE kind = 'street'`)
        .all() as unknown as Street[]
    ).filter(({ name: own }) => words(own).some((word) => !everyLanguage.isWeak(word)));
    addresses = database
      .prepare(
        `SELECT document.id, ${name}, area, number, estimated, address.lon / 1e7 AS lon, address.lat / 1e7 AS lat FROM address JOIN document ON document.id = document`,
      )
      .all() as unknown as Address[];
    database.close();
  });

  /** Of how many is the thing itself, or one of the very same label, among the first three? */
  function recall<T extends Street>(
    things: readonly T[],
    query: (thing: T) => string,
    found: (thing: T, hit: { id: number; label: string; lon: number; lat: number }) => boolean,
    near = true,
  ): { share: number; missed: string } {
    const missed: string[] = [];
    const count = Math.min(SAMPLE, things.length);
    for (let i = 0; i < count; i++) {
      const thing = pick(things, chance);
      const asked = query(thing);
      const hits = town.search(asked, { limit: 3 });
      const favoured = near ? town.searchNear(asked, thing, 3) : [];
      if (![...hits, ...favoured].some((hit) => found(thing, hit)))
        missed.push(`${asked} -> ${hits.map(({ label }) => label).join(' | ')}`);
    }
    return { share: 1 - missed.length / count, missed: [`seed ${SEED}`, ...missed].join('\n') };
  }

  const isStreet = (street: Street, hit: { id: number; label: string; lon: number; lat: number }): boolean =>
    hit.id === street.id || hit.label === [street.name, street.area].filter(Boolean).join(', ');
  const weighty = (street: Street): boolean =>
    words(street.name).some((word) => everyLanguage.weightOf(word) === 1 && word.length >= 6 && !/\d/.test(word));

  test('streets by name and place are among the first three', () => {
    const { share, missed } = recall(
      streets,
      ({ name, area }) => [name, area.split(', ').at(-1)].join(' '),
      isStreet,
      false,
    );
    expect(share, missed).toBeGreaterThanOrEqual(0.99);
  });

  test('streets by name alone, favouring the surroundings, are among the first three', () => {
    const { share, missed } = recall(streets, ({ name }) => name.toLowerCase(), isStreet);
    expect(share, missed).toBeGreaterThanOrEqual(0.98);
  });

  test('streets with one typing mistake, favouring the surroundings, are among the first three', () => {
    const { share, missed } = recall(streets.filter(weighty), ({ name }) => mistype(name, chance), isStreet);
    expect(share, missed).toBeGreaterThanOrEqual(0.95);
  });

  test('addresses are found where they are', () => {
    // "Blk A3" and "Lvl 4" are no numbers that anybody would ask for.
    const known = addresses.filter(({ estimated, number }) => !estimated && /^\d/.test(number));
    const { share, missed } = recall(
      known,
      ({ name, number, area }) => `${name} ${number}, ${area.split(', ').at(-1)}`,
      (address, hit) =>
        Math.hypot(hit.lon - address.lon, hit.lat - address.lat) < 1e-6 ||
        hit.label.startsWith(`${address.name} ${address.number}`),
    );
    expect(share, missed).toBeGreaterThanOrEqual(0.99);
  });

  // Measured with two seeds: 95 to 99 % first, 99 to 100 % among the first five; some things have namesakes
  // next door.
  test(`what operators type in a hurry is mostly answered with the right thing first, seed ${SEED}`, () => {
    const { asked, first, five, missed } = shareOfRight(town, 12, numbers(SEED));
    expect(asked, `seed ${SEED}`).toBeGreaterThan(200);
    expect(five, missed).toBeGreaterThanOrEqual(0.97);
    expect(first, missed).toBeGreaterThanOrEqual(0.9);
  });

  test('reverse at an address gives an address there', () => {
    for (let i = 0; i < SAMPLE; i++) {
      const address = pick(addresses, chance);
      const hit = town.reverseAt(address)!;
      expect(hit.kind).toBe('address');
      expect(hit.distance).toBeLessThan(1);
    }
  });
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExtractBuilder, readExtract } from '../../../../server/geo/territory/index.ts';
import { PROFILES, buildRoads, makeProfile, roadsMaker } from '../../../../server/geo/territory/roads/index.ts';
import { randomTown } from '../routing/random.ts';
import { SEED, numbers } from '../../../support/chance.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-ways-'));
});
afterAll(() => rm(directory, { recursive: true }));

const town = await readExtract(new URL('../../../../resources/demo/town.osm.pbf', import.meta.url).pathname);
const random = numbers(SEED);
const cut = new ExtractBuilder()
  .node(1, 1, 1)
  .node(2 ** 40, 1, 1.001, { highway: 'traffic_signals' })
  .node(-3, 1, 1.002)
  .way(1, [1, 2 ** 40, 77], { highway: 'primary', name: 'Straße' })
  .way(2 ** 41, [2 ** 40, -3], { route: 'ferry' })
  .way(3, [1, -3], { building: 'yes' })
  .relation(
    1,
    [
      { type: 'way', id: 1, role: 'from' },
      { type: 'node', id: 2 ** 40, role: 'via' },
      { type: 'way', id: 2 ** 41, role: 'to' },
    ],
    { 'restriction:hgv': 'no_left_turn' },
  )
  .build();

for (const [name, extract] of Object.entries({
  'the demo town': town,
  'a random town': randomTown(random, 9, 7),
  'a network that is cut off': cut,
})) {
  test(`roads made later are those that the import would have made, of ${name}`, async () => {
    await roadsMaker({ minComponent: 7 })(extract, directory, () => {});
    for (const [profile, rules] of Object.entries(PROFILES)) {
      await makeProfile(directory, profile);
      const later = await readFile(join(directory, profile === 'car' ? 'roads.bin' : `roads-${profile}.bin`));
      expect(
        later.equals(buildRoads(extract, { profile: rules, minComponent: 7 }).bytes),
        `seed ${SEED}, ${profile}`,
      ).toBe(true);
    }
  });
}

test('a damaged file of ways is reported as such', async () => {
  const path = join(directory, 'ways.bin');
  const bytes = await readFile(path);
  bytes[bytes.length - 3]! ^= 1;
  await writeFile(path, bytes);
  await expect(makeProfile(directory, 'foot')).rejects.toThrow(
    'The file of ways is damaged: import the territory again.',
  );
});

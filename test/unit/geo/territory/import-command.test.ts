import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Roads, SMALL } from '../../../../server/geo/territory/roads/index.ts';
import { PROGRAM } from '../../../support/program.ts';
import { scratchDirectory } from './extracts.ts';

/** `waypost import FILE [--name NAME] [--profile FILE.json] [--min-component N]`, as it is typed. */

const ROOT = new URL('../../../..', import.meta.url).pathname;
const scratch = scratchDirectory();

// A street of three pieces with names of their own, and one of a single piece that nothing leads to.
const file = join(scratch, 'two-streets.osm');
const nodes = [1, 2, 3, 4, 11, 12].map((id) => `<node id="${id}" lat="${id > 10 ? 1.01 : 1}" lon="${1 + id / 1000}"/>`);
const way = (id: number, from: number, to: number, highway: string) =>
  `<way id="${id}"><nd ref="${from}"/><nd ref="${to}"/><tag k="highway" v="${highway}"/><tag k="name" v="Street ${id}"/></way>`;
writeFileSync(
  file,
  `<osm>${nodes.join('')}${way(1, 1, 2, 'primary')}${way(2, 2, 3, 'primary')}${way(3, 3, 4, 'motorway')}${way(4, 11, 12, 'primary')}</osm>`,
);

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let imports = 0;
async function runImport(
  ...options: string[]
): Promise<Ended & { readonly data: string; readonly roads: (name: string) => Roads | undefined }> {
  const data = join(scratch, `data-${imports++}`);
  const ended = await new Promise<Ended>((resolve) => {
    execFile(
      process.execPath,
      [PROGRAM, 'import', file, '--data', data, ...options],
      { cwd: ROOT },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
  const roads = (name: string): Roads | undefined => {
    const territory = join(data, 'territory');
    const [directory] = readdirSync(territory).filter((entry) => /^\d/.test(entry));
    const path = join(territory, directory!, name);
    return existsSync(path) ? Roads.from(new Uint8Array(readFileSync(path)).buffer) : undefined;
  };
  return { ...ended, data, roads };
}

const smallOnes = (roads: Roads): string[] =>
  Array.from({ length: roads.segments }, (_, s) => s)
    .filter((s) => roads.columns.segmentFlags[s]! & SMALL)
    .map((s) => roads.name(s))
    .sort();

test('a territory has the name it is given, and small is what is smaller than was said, a thousand when nothing was', async () => {
  const [usual, four] = await Promise.all([runImport(), runImport('--name', 'Two streets', '--min-component', '4')]);
  expect([usual.code, usual.out], usual.err).toEqual([
    0,
    expect.stringContaining('Two streets is in place: 6 crossings'),
  ]);
  expect(usual.roads('roads.bin')!.facts).toMatchObject({ profile: 'car', minComponent: 1000 });
  expect(smallOnes(usual.roads('roads.bin')!)).toEqual(['Street 1', 'Street 2', 'Street 3', 'Street 4']);
  expect([four.code, four.out], four.err).toEqual([0, expect.stringContaining('Two streets is in place')]);
  // Streets 1 and 2 have two directions each; the motorway leads away for good, and street 4 has two.
  expect(smallOnes(four.roads('roads.bin')!)).toEqual(['Street 3', 'Street 4']);
});

test('several files are named one after the other, and changes with them', async () => {
  const more = join(scratch, 'more.osm');
  writeFileSync(more, '<osm><node id="50" lat="1.02" lon="1"/></osm>');
  const changes = join(scratch, 'changes.osc');
  writeFileSync(changes, '<osmChange><delete><way id="4" version="2"/></delete></osmChange>');
  const { code, out, err } = await runImport(more, changes);
  expect([code, out], err).toEqual([0, expect.stringContaining('Two streets, More is in place: 4 crossings')]);
  expect(out).toContain('Changes of the map, applied: 1.');
});

test('a vehicle profile that is given stands beside the car, and takes its place when it is called so', async () => {
  const profile = (name: string): string => {
    const path = join(scratch, `${name}.json`);
    writeFileSync(
      path,
      JSON.stringify({
        name,
        speeds: { primary: 36 },
        otherHighways: false,
        access: { keys: ['moped', 'access'], denied: ['no'], allowed: ['yes'] },
      }),
    );
    return path;
  };
  const [moped, car] = await Promise.all([
    runImport('--profile', profile('moped')),
    runImport('--profile', profile('car')),
  ]);
  expect([moped.code, car.code], moped.err + car.err).toEqual([0, 0]);
  expect(moped.roads('roads.bin')).toMatchObject({ facts: { profile: 'car' }, segments: 4 });
  expect(moped.roads('roads-moped.bin')).toMatchObject({ facts: { profile: 'moped' }, segments: 3 }); // no motorways
  expect(car.roads('roads.bin')).toMatchObject({ facts: { profile: 'car' }, segments: 3 });
  expect(car.roads('roads-car.bin')).toBeUndefined();
});

test('a fault of the arguments or the profile is one sentence, and nothing is made', async () => {
  const wrong = join(scratch, 'wrong.json');
  writeFileSync(
    wrong,
    JSON.stringify({ name: 'moped', speeds: { primary: -5 }, access: { keys: [], denied: [], allowed: [] } }),
  );
  const ends = await Promise.all([
    runImport('--min-component', 'many'),
    runImport('--min-component', '-1'),
    runImport('--profile', wrong),
    runImport('--profile', join(scratch, 'nowhere.json')),
    runImport('--profile', file),
  ]);
  const said = [
    '--min-component is many',
    '--min-component',
    'speeds.primary',
    'nowhere.json',
    'two-streets.osm cannot be used',
  ];
  ends.forEach(({ code, out, err, data }, i) => {
    expect([code === 0, out], said[i]).toEqual([false, '']);
    expect(err).toContain(said[i]);
    expect(err, 'no stack').not.toMatch(/\n\s+at /);
    const territory = join(data, 'territory');
    expect(existsSync(territory) ? readdirSync(territory).filter((entry) => /^\d/.test(entry)) : []).toEqual([]);
  });
});

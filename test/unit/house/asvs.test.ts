import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const table = readFileSync(join(ROOT, 'server/http/ASVS.md'), 'utf8');
const rows = [...table.matchAll(/^\| (\d+\.[\d.*]+) +\| (.+?) +\|$/gm)].map(([, item, held]) => ({
  item: item!,
  held: held!,
}));

/**
 * The items of levels 1 and 2 by section (OWASP ASVS 5.0.0, whose names of items are permanent): `1.2: 1-9` are V1.2.1
 * to V1.2.9.
 */
const ITEMS = `
  1.1: 1-2   1.2: 1-9   1.3: 1-11  1.4: 1-3   1.5: 1-2
  2.1: 1-3   2.2: 1-3   2.3: 1-4   2.4: 1-1
  3.2: 1-2   3.3: 1-4   3.4: 1-6   3.5: 1-5   3.7: 1-2
  4.1: 1-3   4.2: 1-1   4.3: 1-2   4.4: 1-4
  5.1: 1-1   5.2: 1-3   5.3: 1-2   5.4: 1-3
  6.1: 1-3   6.2: 1-12  6.3: 1-4   6.4: 1-4   6.5: 1-5   6.6: 1-3   6.8: 1-4
  7.1: 1-3   7.2: 1-4   7.3: 1-2   7.4: 1-5   7.5: 1-2   7.6: 1-2
  8.1: 1-2   8.2: 1-3   8.3: 1-1   8.4: 1-1
  9.1: 1-3   9.2: 1-4
  10.1: 1-2  10.2: 1-2  10.3: 1-4  10.4: 1-11 10.5: 1-5  10.6: 1-2  10.7: 1-3
  11.1: 1-2  11.2: 1-3  11.3: 1-3  11.4: 1-4  11.5: 1-1  11.6: 1-1
  12.1: 1-3  12.2: 1-2  12.3: 1-4
  13.1: 1-1  13.2: 1-5  13.3: 1-2  13.4: 1-5
  14.1: 1-2  14.2: 1-4  14.3: 1-3
  15.1: 1-3  15.2: 1-3  15.3: 1-7
  16.1: 1-1  16.2: 1-5  16.3: 1-4  16.4: 1-3  16.5: 1-3
  17.1: 1-1  17.2: 1-4  17.3: 1-2`;

const wanted = [...ITEMS.matchAll(/(\d+\.\d+): (\d+)-(\d+)/g)].flatMap(([, section, first, last]) =>
  Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${section}.${Number(first) + index}`),
);

/** A row of `10.4.*` is about all items of its section or chapter. */
const isAbout = (row: string, item: string) => (row.endsWith('*') ? item.startsWith(row.slice(0, -1)) : row === item);

test('each item of levels 1 and 2 has one row, and no row is about anything else', () => {
  expect(wanted).toHaveLength(253);
  expect(wanted.filter((item) => rows.filter(({ item: row }) => isAbout(row, item)).length !== 1)).toEqual([]);
  expect(rows.filter(({ item }) => !wanted.some((one) => isAbout(item, one))).map(({ item }) => item)).toEqual([]);
});

test('each file that a row names is in the repository', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  const isThere = (name: string) =>
    files.some(
      (file) => file === name || file.endsWith(`/${name}`) || (!name.includes('/') && basename(file) === name),
    );
  const named = rows.flatMap(({ item, held }) =>
    [...held.matchAll(/`([\w/.-]+\.(?:ts|md))`/g)].map(([, name]) => ({ item, name: name! })),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ name }) => !isThere(name))).toEqual([]);
});

import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { PlacesFile } from '../../../server/geo/geocoding/search/places-file.ts';
import { reverse } from '../../../server/geo/geocoding/search/reverse.ts';
import { PlaceSearch } from '../../../server/geo/geocoding/search/search.ts';
import { readExtract } from '../../../server/geo/territory/formats/read-extract.ts';
import { makePlaces } from '../../../server/geo/territory/places/index.ts';
import type { BenchReport } from '../run.ts';

/**
 * Searching against what one would write first: a LIKE scan over the same names, which knows neither
 * alphabets nor mistakes, ranks nothing and cannot find a house. WAYPOST_EXTRACT names another extract.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const file =
    process.env.WAYPOST_EXTRACT ??
    [path('../../../../shared/data/malta.osm.pbf'), path('../../../resources/demo/town.osm.pbf')].find(existsSync);
  if (file === undefined) return report.line('skipped: no extract here (WAYPOST_EXTRACT names one)');
  const directory = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
  try {
    const began = performance.now();
    const extract = await readExtract(file);
    const read = performance.now() - began;
    const counts = await makePlaces(extract, directory, () => {});
    report.ratio(
      'making places / reading the extract',
      performance.now() - began - read,
      read,
      'ms',
      `${counts.places} places, ${counts.addresses} addresses`,
    );
    report.line(`places.db: ${(statSync(join(directory, 'places.db')).size / 1e6).toFixed(1)} MB`);
    measure(report, directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function measure(report: BenchReport, directory: string): void {
  const places = PlacesFile.open(directory);
  const started = performance.now();
  const search = new PlaceSearch(places);
  report.line(`opening: ${Math.round(performance.now() - started)} ms`);
  const database = new DatabaseSync(join(directory, 'places.db'), { readOnly: true });
  const scan = database.prepare('SELECT id, names, lon, lat FROM document WHERE name_words LIKE ? LIMIT 10');
  const sample = database
    .prepare(
      `SELECT name_words, lon / 1e7 AS lon, lat / 1e7 AS lat FROM document WHERE kind = 'street' AND id % 7 = 0 LIMIT 400`,
    )
    .all() as { name_words: string; lon: number; lat: number }[];
  const names = sample.map(({ name_words }) => name_words.split('\n')[0]!);
  // A scan ends at its tenth hit; of a whole name there is mostly one, so that it reads the whole table, as
  // it must for a name that is not there.
  const baseline = names.map((name) => timed(() => scan.all(`%${name}%`)));

  const kinds: [string, readonly string[]][] = [
    ['three letters of a name', names.map((name) => name.split(' ').at(-1)!.slice(0, 3))],
    ['a whole name', names],
    ['a name and a house number', names.map((name, i) => `${name} ${1 + (i % 40)}`)],
    [
      'a name with a typing mistake',
      names.map((name) => `${name.slice(0, -3)}${name.at(-2) ?? ''}${name.at(-3) ?? ''}${name.at(-1) ?? ''}`),
    ],
    ['a corner', names.map((name, i) => `${name} / ${names[(i + 1) % names.length]}`)],
    ['nothing that is there', names.map((_, i) => `qwzx${i} vbnq${i}`)],
  ];
  for (const [kind, queries] of kinds) {
    const taken = queries.map((query, i) =>
      timed(() => search.run({ query, near: sample[i]!, limit: 10 }, () => false)),
    );
    report.ratio(
      `search, ${kind}, median`,
      quantile(taken, 0.5),
      quantile(baseline, 0.5),
      'ms',
      `95 %: ${quantile(taken, 0.95).toFixed(2)} ms`,
    );
  }
  const reversed = sample.map((point) => timed(() => reverse(places, point)));
  report.ratio(
    'reverse, median',
    quantile(reversed, 0.5),
    quantile(baseline, 0.5),
    'ms',
    `95 %: ${quantile(reversed, 0.95).toFixed(2)} ms`,
  );
  database.close();
  places.close();
}

function timed(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function quantile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(part * (values.length - 1))]!;
}

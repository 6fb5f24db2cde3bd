import { stat } from 'node:fs/promises';
import { ExtractBuilder } from '../extract/extract-builder.ts';
import type { PackedExtract } from '../extract/packed-extract.ts';
import { BadExtract } from './bad-extract.ts';
import { describeSource } from './describe-source.ts';
import type { ExtractSource } from './describe-source.ts';
import { readPbf } from './pbf-reader.ts';
import { readXml } from './xml-reader.ts';

export interface ReadOptions {
  /** Called with 0 to 1 during reading; an exception ends the reading. */
  report?: ((done: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Reads an extract: .osm.pbf, .osm, .osm.gz or .osm.bz2, detected by content and not by name. Throws
 * `BadExtract` with a sentence when it is none of them, damaged or truncated.
 */
export async function readExtract(path: string, options: ReadOptions = {}): Promise<PackedExtract> {
  return readExtracts([path], options);
}

/**
 * Reads extracts into one, and applies changes of the map (.osc, also compressed). Of what two extracts have, the
 * newer one counts. Changes are applied by age, as far as they are newer than the oldest extract. A `BadExtract`
 * names its file.
 */
export async function readExtracts(
  paths: readonly string[],
  { report, signal }: ReadOptions = {},
): Promise<PackedExtract> {
  const builder = new ExtractBuilder();
  const sources = await Promise.all(paths.map((path) => named(path, describeSource(path))));
  const extracts = byAge(sources.filter(({ isChanges }) => !isChanges));
  const changes = byAge(sources.filter(({ isChanges }) => isChanges));
  if (extracts.length === 0)
    throw Object.assign(new BadExtract('The file holds changes of the map, not a map'), { file: paths[0] });
  const sizes = new Map(
    await Promise.all(sources.map(async ({ path }) => [path, (await stat(path)).size || 1] as const)),
  );
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  let before = 0;
  const read = async (source: ExtractSource, changesAfter?: number): Promise<void> => {
    const { path, kind } = source;
    const options = { signal, report: (done: number) => report?.((before + done * sizes.get(path)!) / total) };
    if (kind === 'pbf') await named(path, readPbf(path, builder, options));
    else await named(path, readXml(path, kind, builder, { ...options, changesAfter }));
    before += sizes.get(path)!;
  };
  for (const source of extracts) {
    await read(source);
    builder.endFile();
  }
  const oldest = Math.min(...extracts.map(({ time }) => time ?? -Infinity));
  if (changes.length > 0) builder.beginChanges();
  for (const source of changes) await read(source, oldest);
  return builder.build();
}

function byAge(sources: readonly ExtractSource[]): ExtractSource[] {
  return sources.toSorted((a, b) => (a.time ?? 0) - (b.time ?? 0));
}

async function named<T>(path: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof BadExtract ? Object.assign(error, { file: path }) : error;
  });
}

import type { ImportResult } from './run-import.ts';
import type { StageMaker } from './makers.ts';
import type { OsmExtract } from '../extract/extract.ts';
import type { ProgressBoard } from './progress-board.ts';

export type MadePart = { readonly counts: Partial<ImportResult['counts']>; readonly log: readonly string[] };

/**
 * Runs the makers that no thread has taken yet, one after the other; all threads of an import share `taken`.
 */
export async function makeParts(
  makers: readonly StageMaker[],
  extract: OsmExtract,
  directory: string,
  taken: Int32Array,
  board: ProgressBoard,
): Promise<MadePart[]> {
  const parts: MadePart[] = [];
  while (true) {
    const maker = makers[Atomics.add(taken, 0, 1)];
    if (maker === undefined) return parts;
    const { log = [], ...counts } = await maker.make(extract, directory, (done) =>
      board.write(maker.stage, Math.min(done, 0.999)),
    );
    board.write(maker.stage, 1);
    parts.push({ counts, log });
  }
}

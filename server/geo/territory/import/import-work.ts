import { flushCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { serializeError } from './import-failure.ts';
import { writeCheckSums } from '../files/check-sums.ts';
import { ImportHelper } from './import-helper.ts';
import { makeParts } from './make-parts.ts';
import type { MadePart } from './make-parts.ts';
import { MAKERS, makersOf } from './makers.ts';
import type { PackedExtract } from '../extract/packed-extract.ts';
import { ProgressBoard } from './progress-board.ts';
import { readExtracts } from '../formats/read-extract.ts';
import { roadBounds } from './road-bounds.ts';
import type { ImportMessage, ImportWork, ImportResult } from './run-import.ts';
import { describeGaps } from './describe-gaps.ts';

/** The work of the import thread, and its answer. */
export async function workAndReport(): Promise<void> {
  const answer = await work(workerData as ImportWork).then(
    (made): ImportMessage => ({ kind: 'made', made }),
    (error: unknown): ImportMessage => ({ kind: 'failed', error: serializeError(error) }),
  );
  flushCompileCache(); // The answer ends the thread at once.
  parentPort!.postMessage(answer);
}

/**
 * Reads the extract, then makes the parts of the territory together with helper threads that read the same
 * memory.
 */
async function work({ files, directory, roads, board: boardBuffer }: ImportWork): Promise<ImportResult> {
  const board = new ProgressBoard(boardBuffer);
  const helpers = Array.from({ length: Math.min(availableParallelism(), MAKERS) - 1 }, () => new ImportHelper());
  const extract = await readExtracts(files, { report: (done) => board.write('read', Math.min(done, 0.999)) });
  board.write('read', 1);
  const taken = new Int32Array(new SharedArrayBuffer(4));
  const shared = helpers.length > 0 ? extract.share() : undefined;
  const elsewhere = helpers.map((helper) =>
    helper.make({ extract: shared!, directory, roads, taken, board: boardBuffer }),
  );
  const parts = (
    await Promise.all([makeParts(makersOf(roads), extract, directory, taken, board), ...elsewhere])
  ).flat();
  await writeCheckSums(directory);
  return sumUp(extract, parts);
}

function sumUp(extract: PackedExtract, parts: readonly MadePart[]): ImportResult {
  const counts: ImportResult['counts'] = {
    nodes: extract.nodes.count,
    ways: extract.ways.count,
    relations: extract.relations.length,
    roadNodes: 0,
    roadArcs: 0,
    places: 0,
    addresses: 0,
    features: 0,
  };
  for (const part of parts) Object.assign(counts, part.counts);
  const [west, south, east, north] = roadBounds(extract);
  return {
    bounds: [west, south, east, north],
    dataTime: extract.dataTime ?? null,
    counts,
    log: [...describeGaps(extract), ...parts.flatMap((part) => part.log)],
  };
}

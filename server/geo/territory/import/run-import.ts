import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { growHeapsSlowly } from '../../../platform/heap-growth.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { findCurrent, makeCurrent, makeFresh, removeDirectory, sizeOf } from '../files/directories.ts';
import { TERRITORY_FILES } from '../types.ts';
import type { ImportProgress, RoadSettings, TerritoryInfo } from '../types.ts';
import { explain, serializeError } from './import-failure.ts';
import type { SerializedError } from './import-failure.ts';
import { keptCode } from './kept-code.ts';
import { ProgressBoard } from './progress-board.ts';

interface ImportRun {
  readonly files: readonly string[];
  readonly name: string;
  readonly root: string;
  readonly roads: RoadSettings;
  /** Also without a road. */
  readonly force: boolean;
  /** epoch ms */
  readonly now: number;
  readonly signal: AbortSignal;
  readonly report: (progress: ImportProgress) => void;
}

/** Input of the import thread, and its messages. */
export interface ImportWork {
  readonly files: readonly string[];
  readonly directory: string;
  readonly roads: RoadSettings;
  readonly board: SharedArrayBuffer;
}
export type ImportMessage =
  { readonly kind: 'made'; readonly made: ImportResult } | { readonly kind: 'failed'; readonly error: SerializedError };
export type ImportResult = Pick<TerritoryInfo, 'bounds' | 'dataTime' | 'counts' | 'log'>;

/**
 * One import from the file to the switch; the caller holds the import lock. A failure leaves nothing
 * unfinished behind.
 */
export async function runImport({
  files,
  name,
  root,
  roads,
  force,
  now,
  signal,
  report,
}: ImportRun): Promise<{ directory: string; info: TerritoryInfo }> {
  const unfinished = await makeFresh(root, now).catch((error: unknown) => {
    throw explain(serializeError(error), files, root);
  });
  try {
    signal.throwIfAborted();
    const made = await makeInThreads({ files, directory: unfinished, roads }, signal, report).catch(
      (error: unknown) => {
        throw signal.aborted ? (signal.reason as Error) : explain(serializeError(error), files, root);
      },
    );
    signal.throwIfAborted();
    if (made.counts.roadArcs === 0 && !force) throw withoutRoads(files.join(', '), findCurrent(root)?.info);
    report({ stage: 'switch', done: 0.99 });
    const info: TerritoryInfo = { name, importedAt: now, ...made, size: await sizeOf(unfinished) };
    await writeFile(join(unfinished, TERRITORY_FILES.info), `${JSON.stringify(info, null, 2)}\n`);
    signal.throwIfAborted();
    const directory = await makeCurrent(root, unfinished);
    return { directory, info };
  } catch (error) {
    await removeDirectory(unfinished);
    throw error;
  }
}

function withoutRoads(file: string, old: TerritoryInfo | undefined): Refusal {
  return old ? new Refusal('territory.empty', { file, name: old.name }) : new Refusal('territory.noRoads', { file });
}

/** Threads do the work; cancelling ends them at once. */
async function makeInThreads(
  work: Omit<ImportWork, 'board'>,
  signal: AbortSignal,
  report: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  const board = new ProgressBoard();
  const worker = new Worker(siblingUrl(import.meta.url, './import.worker'), {
    env: keptCode(),
    workerData: { ...work, board: board.buffer } satisfies ImportWork,
  });
  const watch = setInterval(() => report(board.read()), 100);
  const growAsBefore = growHeapsSlowly();
  let stop = () => {};
  try {
    return await new Promise<ImportResult>((resolve, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop);
      worker.on('message', (message: ImportMessage) =>
        message.kind === 'made' ? resolve(message.made) : reject(Object.assign(new Error(), message.error)),
      );
      worker.on('error', reject);
      worker.on('exit', (code) => reject(new Error(`the import thread ended early (${code})`)));
    });
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', stop);
    // The threads have ended before the directory is renamed or removed: Windows locks open files.
    await worker.terminate();
    growAsBefore();
  }
}

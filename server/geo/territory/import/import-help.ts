import { flushCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { serializeError } from './import-failure.ts';
import type { HelperMessage, HelperWork } from './import-helper.ts';
import { makersOf } from './makers.ts';
import { makeParts } from './make-parts.ts';
import { PackedExtract } from '../extract/packed-extract.ts';
import { ProgressBoard } from './progress-board.ts';

// While the extract is being read; the reading thread takes the first maker.
for (const { load } of makersOf({}).slice(1)) void load();

parentPort!.once('message', (work: HelperWork) => {
  void help(work).then(
    (parts) => say({ kind: 'made', parts }),
    (error: unknown) => say({ kind: 'failed', error: serializeError(error) }),
  );
});

async function help({ extract, directory, roads, taken, board }: HelperWork) {
  return makeParts(makersOf(roads), PackedExtract.from(extract), directory, taken, new ProgressBoard(board));
}

function say(message: HelperMessage): void {
  flushCompileCache();
  parentPort!.postMessage(message);
}

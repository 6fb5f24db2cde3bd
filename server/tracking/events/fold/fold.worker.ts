/** Computes events on its own connections, so that the event loop only writes the results. */
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { Refusal } from '../../../../shared/refusal.ts';
import { answerRequests } from '../../../platform/threads/answer-requests.ts';
import { TrackFile } from '../../telemetry/tracks/index.ts';
import { DETECTORS } from '../detectors/index.ts';
import { InlineFold, type FoldFailed } from './fold.ts';
import type { FoldResponse, FoldData, FoldRequest } from './fold-thread.ts';
import { StoredMemory } from './stored-memory.ts';
import { ReceivedContexts, ContextMissing } from './context-copies.ts';

const { tracks: tracksFile, station, table, budget: budget } = workerData as FoldData;
const tracks = new TrackFile(tracksFile);
const contexts = new ReceivedContexts();
const fold = new InlineFold({
  detectors: DETECTORS,
  memory: new StoredMemory(new DatabaseSync(station, { readOnly: true, timeout: 5000 }), table),
  track: (vehicleId, after) => tracks.after(vehicleId, after),
  context: (vehicleId, from) => contexts.context(vehicleId, from),
  budget: budget,
});

answerRequests((asked: FoldRequest): FoldResponse => {
  if (asked.kind === 'begin') return [];
  contexts.apply(asked.contexts);
  if (asked.kind === 'know') return [];
  fold.forget(asked.forget);
  return fold.work(asked.orders).map((outcome) => ('error' in outcome ? forThread(outcome) : outcome));
});

/** An error loses its class on the way to another thread. */
function forThread({ vehicleId, error }: FoldFailed): FoldResponse[number] {
  if (error instanceof ContextMissing) return { vehicleId, contextFrom: error.from };
  if (error instanceof Refusal) return { vehicleId, refused: { code: error.code, params: error.params } };
  return { vehicleId, error };
}

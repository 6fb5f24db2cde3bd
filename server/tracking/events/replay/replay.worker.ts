/** Replays tracks under other thresholds on its own connection. Reports progress, answers once, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Reason } from '../../../../shared/refusals/reason.ts';
import { TrackFile } from '../../telemetry/tracks/index.ts';
import { DETECTORS } from '../detectors/index.ts';
import { replay, TooManyRecords, type ReplayReport, type ReplayRequest } from './replay-fold.ts';

export type ReplayMessage = { readonly done: number } | ReplayEnd;
export type ReplayEnd = { readonly answer: ReplayReport } | { readonly tooMany: true } | { readonly refused: Reason };

const { file, request } = workerData as { file: string; request: ReplayRequest };
const tracks = new TrackFile(file);
try {
  const say = (said: ReplayMessage) => parentPort!.postMessage(said);
  say({
    answer: replay(
      request,
      DETECTORS,
      (vehicleId, from, until) => tracks.points(vehicleId, from, until),
      (done) => say({ done }),
    ),
  });
} catch (error) {
  if (error instanceof TooManyRecords) parentPort!.postMessage({ tooMany: true } satisfies ReplayMessage);
  else if (error instanceof Refusal) {
    const { code, params } = error;
    parentPort!.postMessage({ refused: { code, params } } satisfies ReplayMessage);
  } else throw error;
} finally {
  tracks.close();
}

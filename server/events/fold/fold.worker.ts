/**
 * Works events out on connections of its own: tracks, checkpoints and events are read here, so that the
 * station's event loop only writes what came of it.
 */
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { answerRequests } from '../../platform/answer-requests.ts';
import { TrackFile } from '../../telemetry/tracks/track-file.ts';
import { DETECTORS } from '../detectors/index.ts';
import { FoldHere } from './fold.ts';
import type { FoldAnswer, FoldData, FoldQuestion } from './fold-thread.ts';
import { StoredMemory } from './stored-memory.ts';
import { ReceivedWorlds, WorldWanted } from './context-copies.ts';

const { tracks: tracksFile, station, table, portion } = workerData as FoldData;
const tracks = new TrackFile(tracksFile);
const worlds = new ReceivedWorlds();
const fold = new FoldHere({
  detectors: DETECTORS,
  memory: new StoredMemory(new DatabaseSync(station, { readOnly: true, timeout: 5000 }), table),
  track: (vehicleId, after) => tracks.after(vehicleId, after),
  world: (vehicleId, from) => worlds.world(vehicleId, from),
  portion,
});

answerRequests((asked: FoldQuestion): FoldAnswer => {
  if (asked.kind === 'begin') return [];
  worlds.take(asked.worlds);
  if (asked.kind === 'know') return [];
  fold.forget(asked.forget);
  return fold
    .work(asked.orders)
    .map((outcome) =>
      'error' in outcome && outcome.error instanceof WorldWanted
        ? { vehicleId: outcome.vehicleId, worldFrom: outcome.error.from }
        : outcome,
    );
});

/** A thread that finds the database damaged whenever it is to write. */
import { parentPort } from 'node:worker_threads';
import type { WriterMessage } from '../../../../../server/tracking/telemetry/writing/writer.worker.ts';

parentPort!.on('message', (asked: unknown) => {
  if (asked === 'close') parentPort!.close();
  else parentPort!.postMessage({ failed: 'database disk image is malformed', disk: 'damaged' } satisfies WriterMessage);
});

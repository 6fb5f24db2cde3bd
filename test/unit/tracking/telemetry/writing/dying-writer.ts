/**
 * Writes as the usual thread does; but the first of them dies when it has written a record of the time 4444,
 * before it can tell.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { TrackWriter } from '../../../../../server/tracking/telemetry/writing/track-writer.ts';
import { type WriteGroup } from '../../../../../server/tracking/telemetry/writing/write-orders.ts';
import type { WriterData, WriterMessage } from '../../../../../server/tracking/telemetry/writing/writer.worker.ts';

const { directory, ...options } = workerData as WriterData;
const writer = new TrackWriter(directory, options);

parentPort!.on('message', (asked: WriteGroup | 'close') => {
  if (asked === 'close') {
    writer.close();
    parentPort!.close();
    return;
  }
  const dies = options.stamp === 0 && asked.fixes.numbers.includes(4444);
  const written = writer.write(asked);
  if (dies) process.exit(1);
  parentPort!.postMessage(written satisfies WriterMessage);
});

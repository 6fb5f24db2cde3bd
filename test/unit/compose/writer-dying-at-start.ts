/** The usual writer of tracks; but the first of them dies soon after its first answer. */
import { parentPort, workerData } from 'node:worker_threads';
import type { WriterData } from '../../../server/tracking/telemetry/writing/writer.worker.ts';

if ((workerData as WriterData).stamp === 0) {
  const post = parentPort!.postMessage.bind(parentPort);
  parentPort!.postMessage = (message) => {
    post(message);
    setTimeout(() => process.exit(1), 20);
  };
}
await import('../../../server/tracking/telemetry/writing/writer.worker.ts');

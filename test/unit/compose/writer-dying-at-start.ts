/** The usual writer of tracks; but the first of them dies at its first order. */
import { parentPort, workerData } from 'node:worker_threads';
import type { WriterData } from '../../../server/telemetry/writing/writer.worker.ts';

if ((workerData as WriterData).stamp === 0) parentPort!.once('message', () => process.exit(1));
else await import('../../../server/telemetry/writing/writer.worker.ts');

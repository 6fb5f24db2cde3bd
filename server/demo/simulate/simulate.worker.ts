import { parentPort, workerData } from 'node:worker_threads';
import { simulate, type SimulateOptions } from './simulate.ts';

/** Drives on a thread of its own, over the station's interface like any program. Any message ends it. */
const ending = new AbortController();
parentPort?.once('message', () => ending.abort());
await simulate({ ...(workerData as SimulateOptions), say: (message) => parentPort?.postMessage(message) }, ending.signal);
parentPort?.close();

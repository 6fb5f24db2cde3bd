import { parentPort, workerData } from 'node:worker_threads';
import { damagedFiles } from './check-sums.ts';

parentPort!.postMessage(damagedFiles(workerData as string));

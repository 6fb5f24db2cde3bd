import { parentPort, workerData } from 'node:worker_threads';
import { hashFiles } from './manifest.ts';

parentPort!.postMessage(hashFiles(workerData as string));

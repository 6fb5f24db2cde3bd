import { parentPort, workerData } from 'node:worker_threads';
import { collectWhenIdle } from '../../platform/idle-collection.ts';
import { simulate, type SimulateOptions } from './simulate.ts';
import type { StationAddress } from './station-client.ts';

export type Driving = Pick<SimulateOptions, 'speedUp'> & { readonly station: StationAddress };

/** Runs the simulation in a thread, over the station's interface like any program. Any message ends it. */
const ending = new AbortController();
parentPort?.once('message', () => ending.abort());
collectWhenIdle();
const { station, speedUp } = workerData as Driving;
await simulate({ station: () => station, speedUp, say: (message) => parentPort?.postMessage(message) }, ending.signal);
parentPort?.close();

import { Worker } from 'node:worker_threads';
import type { Accounts, Caller } from '../../access/accounts/index.ts';
import { siblingUrl } from '../../platform/threads/worker-url.ts';
import { YOUNG_OF_QUIET_THREAD } from '../../platform/young-generation.ts';
import { CREWS, demoActor } from '../demo-user.ts';
import type { Driving } from './simulate.worker.ts';

const KEY_NAME = 'Demo drivers';

export interface DriversOptions {
  readonly accounts: Accounts;
  /** The address of the station, such as `http://127.0.0.1:8480`. */
  readonly address: string;
  readonly speedUp?: number;
  readonly say?: (message: string) => void;
}

/**
 * Drives the vehicles of the demo in a thread, with its own keys. Call it when the station answers; returns
 * the function that stops it.
 */
export async function startDrivers({
  accounts,
  address,
  speedUp,
  say,
}: DriversOptions): Promise<{ stop(): Promise<void> }> {
  const crews: Caller = { ...demoActor(accounts, CREWS), token: { id: 0, kind: 'session', scopes: null } };
  const endKeys = async (): Promise<void> => {
    const { keys } = accounts;
    for (const { id, name, userId } of keys.seenBy(accounts.stationActor()))
      if (name === KEY_NAME && userId === crews.user.id) await keys.end(accounts.stationActor(), id);
  };
  // Keys left by a killed station.
  await endKeys();
  const all = await accounts.keys.issue(crews, { name: KEY_NAME, scopes: null, expiresAt: null });
  const telemetry = await accounts.keys.issue(crews, { name: KEY_NAME, scopes: ['telemetry'], expiresAt: null });
  const driving: Driving = {
    station: { url: fromHere(address), token: all.text, telemetryToken: telemetry.text },
    speedUp,
  };
  const worker = new Worker(siblingUrl(import.meta.url, './simulate.worker'), {
    workerData: driving,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OF_QUIET_THREAD },
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('message', (message: string) => say?.(message));
  worker.on('error', (error: Error) => say?.(`The demo vehicles stand still: ${error.message}`));
  return {
    stop: async () => {
      worker.postMessage('stop');
      const late = setTimeout(() => void worker.terminate(), 3000);
      await ended;
      clearTimeout(late);
      await endKeys();
    },
  };
}

/** A station that listens on all addresses is reached by loopback. */
function fromHere(address: string): string {
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.origin;
}

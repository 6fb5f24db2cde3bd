import { Worker } from 'node:worker_threads';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';

/**
 * Builds the roads of another profile in a territory's directory, in its own thread. Rejects with the error;
 * `signal` aborts it.
 */
export async function makeRoadsFor(profile: string, directory: string, signal: AbortSignal): Promise<void> {
  const worker = new Worker(siblingUrl(import.meta.url, './make-roads.worker'), { workerData: { directory, profile } });
  const end = (): void => void worker.terminate();
  signal.addEventListener('abort', end);
  try {
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('the thread was ended'))));
    });
  } finally {
    signal.removeEventListener('abort', end);
  }
}

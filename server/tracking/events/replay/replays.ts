import { Worker } from 'node:worker_threads';
import { Refusal } from '../../../../shared/refusal.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import { MAX_RECORDS, type ReplayReport, type ReplayRequest } from './replay-fold.ts';
import type { ReplayEnd, ReplayMessage } from './replay.worker.ts';

/**
 * Tries other thresholds on past tracks, in a read-only thread. One at a time: it takes a core for up to a
 * minute.
 */
export class ReplayRunner {
  readonly #file: string;
  #running: Worker | undefined;
  #done = 0;

  /** @param file `tracks.db` */
  constructor(file: string) {
    this.#file = file;
  }

  /** Progress of the running trial, 0 to 1, or undefined runs. */
  get progress(): number | undefined {
    return this.#running && this.#done;
  }

  /**
   * Refuses with `busy` while another one runs, and with `too-large` for too many records. Ends at once when
   * aborted.
   */
  async run(request: ReplayRequest, signal: AbortSignal): Promise<ReplayReport> {
    if (this.#running) throw new Refusal('events.trialRunning');
    if (signal.aborted) throw new Refusal('events.trialEnded');
    const worker = (this.#running = new Worker(siblingUrl(import.meta.url, './replay.worker'), {
      workerData: { file: this.#file, request },
    }));
    this.#done = 0;
    worker.unref();
    const abort = () => void worker.terminate();
    signal.addEventListener('abort', abort, { once: true });
    try {
      const said = await new Promise<ReplayEnd>((resolve, reject) => {
        worker.on('message', (message: ReplayMessage) =>
          'done' in message ? (this.#done = message.done) : resolve(message),
        );
        worker.once('error', reject);
        worker.once('exit', () => reject(new Refusal('events.trialEnded')));
      });
      if ('tooMany' in said) throw new Refusal('events.trialTooLarge', { most: MAX_RECORDS.toLocaleString('en') });
      if ('refused' in said) throw Refusal.of(said.refused);
      return said.answer;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#running = undefined;
      await worker.terminate();
    }
  }

  async close(): Promise<void> {
    await this.#running?.terminate();
  }
}

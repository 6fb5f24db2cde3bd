import { Worker } from 'node:worker_threads';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import type { RoadSettings } from '../types.ts';
import type { SerializedError } from './import-failure.ts';
import { keptCode } from './kept-code.ts';
import type { MadePart } from './make-parts.ts';
import type { SharedExtract } from '../extract/packed-extract.ts';

export interface HelperWork {
  readonly extract: SharedExtract;
  readonly directory: string;
  readonly roads: RoadSettings;
  readonly taken: Int32Array;
  readonly board: SharedArrayBuffer;
}
export type HelperMessage =
  { readonly kind: 'made'; readonly parts: MadePart[] } | { readonly kind: 'failed'; readonly error: SerializedError };

/**
 * A thread that loads its code while the extract is being read, and then helps to make the parts. It ends
 * with its parent thread.
 */
export class ImportHelper {
  readonly #worker = new Worker(siblingUrl(import.meta.url, './import-helper.worker'), { env: keptCode() });
  readonly #failed: Promise<never>;

  constructor() {
    this.#failed = new Promise((_, reject) => {
      this.#worker.on('error', reject);
      this.#worker.on('exit', (code) => reject(new Error(`a helper thread ended early (${code})`)));
    });
    this.#failed.catch(() => {}); // It counts only once there is work.
  }

  make(work: HelperWork): Promise<MadePart[]> {
    const made = new Promise<MadePart[]>((resolve, reject) => {
      this.#worker.on('message', (message: HelperMessage) =>
        message.kind === 'made' ? resolve(message.parts) : reject(Object.assign(new Error(), message.error)),
      );
    });
    this.#worker.postMessage(work);
    return Promise.race([made, this.#failed]);
  }
}

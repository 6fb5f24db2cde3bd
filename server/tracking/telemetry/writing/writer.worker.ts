/** Writes records to `tracks.db`, so that the event loop waits neither for SQLite nor for the disk. */
import { parentPort, workerData } from 'node:worker_threads';
import { isDiskFull } from '../../../platform/disk/disk-full.ts';
import { collectWhenIdle } from '../../../platform/idle-collection.ts';
import { isDamage } from '../../../platform/disk/sqlite-damage.ts';
import { DamagedMonth } from '../months/month-files.ts';
import type { QuarantineBounds } from '../quarantine/quarantine.ts';
import { SyncFailed, TrackWriter } from './track-writer.ts';
import { type WriteGroup, type WrittenGroup } from './write-orders.ts';

export interface WriterData {
  readonly directory: string;
  readonly stamp: number;
  /** seconds */
  readonly futureLimit: number;
  readonly quarantineLimit: number;
  readonly quarantine: QuarantineBounds | undefined;
}

/** Groups are answered in the order of arrival. */
export type WriterMessage =
  WrittenGroup | { readonly failed: string; readonly disk: 'full' | 'failed' | 'damaged' | 'month' | undefined };

const { directory, ...options } = workerData as WriterData;
const writer = new TrackWriter(directory, options);
collectWhenIdle();

parentPort!.on('message', (asked: WriteGroup | 'close') => {
  if (asked === 'close') {
    writer.close();
    parentPort!.close();
    return;
  }
  try {
    const written = writer.write(asked);
    parentPort!.postMessage(written satisfies WriterMessage, [written.outcomes.buffer, written.states.buffer]);
  } catch (error) {
    parentPort!.postMessage({
      failed: (error as Error).message,
      disk: kindOf(error),
    } satisfies WriterMessage);
  }
});

function kindOf(error: unknown): 'full' | 'failed' | 'damaged' | 'month' | undefined {
  if (error instanceof SyncFailed) return 'failed';
  if (error instanceof DamagedMonth) return 'month';
  return isDiskFull(error) ? 'full' : isDamage(error) ? 'damaged' : undefined;
}

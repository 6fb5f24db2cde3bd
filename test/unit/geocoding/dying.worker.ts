import { parentPort } from 'node:worker_threads';
import type { Asked } from '../../../server/geocoding/geocoder.ts';

/** The search's own worker, which ends or hangs when it is asked to. */
parentPort!.on('message', ({ asked }: { asked: Asked }) => {
  if (asked.kind !== 'search') return;
  if (asked.question.query === 'exit') process.exit(1);
  if (asked.question.query === 'throw') throw new Error('thrown on demand');
  if (asked.question.query === 'hang') for (;;);
});
await import('../../../server/geocoding/geocoder.worker.ts');

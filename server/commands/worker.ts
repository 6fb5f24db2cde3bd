import { InvalidSetting, readConfig } from '../config/index.ts';
import { openEventWorker } from '../compose/programs/event-worker.ts';
import { interruption } from './words.ts';

const USAGE = 'Usage: waypost worker events [--partitions 0-3] [--nats-servers ADDRESSES] [--data DIR]. See --help.';

/** `waypost worker events`: runs until a signal. Standard output gets one line, when it follows the region. */
export async function run([kind, ...words]: string[]): Promise<void> {
  if (kind !== 'events') throw new InvalidSetting(USAGE);
  const stop = interruption();
  const worker = await openEventWorker(readConfig(words, process.env));
  const { statusPort: port } = worker;
  console.log(`The worker follows the region.${port === undefined ? '' : ` Health and metrics: port ${port}.`}`);
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await worker.close();
}

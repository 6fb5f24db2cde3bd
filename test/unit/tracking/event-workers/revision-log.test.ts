import { expect, test } from 'vitest';
import { StepRefused } from '../../../../server/tracking/event-workers/revision-log.ts';
import { eventually } from '../../../support/eventually.ts';
import { HAS_NATS } from '../../../support/nats-servers.ts';
import { NOTHING, openRegion } from './in-region.ts';

test.skipIf(!HAS_NATS)('a worker that has read the step of the next owner adds none behind it', async () => {
  const { readLog } = await openRegion();
  const [before, next] = [await readLog(), await readLog()];
  await before.takeOver(0);
  await before.append(0, NOTHING);
  await eventually(() => expect(next.head(0)).toEqual(before.head(0)));
  await next.takeOver(0);
  await eventually(() => expect(before.head(0)).toEqual(next.head(0)));
  await expect(before.append(0, NOTHING)).rejects.toThrow(StepRefused);
  await next.append(0, NOTHING);
});

test.skipIf(!HAS_NATS)('who never took a partition adds no step to its log', async () => {
  const { readLog } = await openRegion();
  await expect((await readLog()).append(3, NOTHING)).rejects.toThrow(StepRefused);
});

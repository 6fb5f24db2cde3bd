import { ChangeOutbox, Webhooks } from '../../exchange/publish/index.ts';
import { openOrClose } from '../../platform/close-stack.ts';
import { enabledActor, type Dispatch } from '../dispatch.ts';
import type { Foundation } from '../foundation.ts';

export type Publish = Awaited<ReturnType<typeof openPublish>>;

/** Changes for other programs: the outbox, and webhooks. */
export function openPublish({ store, now, log }: Foundation, { tasks }: Dispatch) {
  return openOrClose(async (stack) => {
    const logger = log.logger('publish');
    const report = (message: string, error: unknown) => logger.error(message, error);
    const outbox = stack.use(await ChangeOutbox.open({ store, now, report }));
    const webhooks = stack.use(
      await Webhooks.open({ store, outbox, now, actorOf: (userId) => enabledActor(tasks, userId), report }),
    );
    return { outbox, webhooks };
  });
}

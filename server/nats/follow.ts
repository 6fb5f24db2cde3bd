import { DeliverPolicy, type JsMsg as JsEntry } from '@nats-io/jetstream';
import type { RegionStream } from './streams.ts';

export type { JsEntry };

export interface FollowOptions {
  readonly stream: RegionStream;
  /** Which subjects, with wildcards. */
  readonly filter: string;
  /** Sequence after which to begin; 0: from the beginning. */
  readonly after: number;
  /** Called in turn with what came. What it throws ends the following. */
  take(entries: readonly JsEntry[]): Promise<void>;
}

export interface Followed {
  /** Resolves when everything is taken that was in the stream at the beginning. */
  readonly caughtUp: Promise<void>;
  /** Entries that wait in the stream, by its last answer. */
  readonly waiting: number;
  /** Resolves when it was closed; rejects with what `take` threw. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Entries that are asked for at once, and that `take` gets at most. */
const AT_ONCE = 500;

/**
 * Follows subjects of a stream in its order, live. After a break of the connection, and when the server forgot the
 * reader, it goes on behind the last entry.
 */
export async function followStream({ stream, filter, after, take }: FollowOptions): Promise<Followed> {
  const consumer = await stream.client.consumers.get(stream.name, {
    filter_subjects: filter,
    ...(after > 0
      ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 }
      : { deliver_policy: DeliverPolicy.All }),
  });
  let { num_pending: waiting } = await consumer.info();
  const entries = await consumer.consume({ max_messages: AT_ONCE });
  const caughtUp = Promise.withResolvers<void>();
  caughtUp.promise.catch(() => undefined); // `ended` says it, too.
  if (waiting === 0) caughtUp.resolve();
  const run = async (): Promise<void> => {
    let taken: JsEntry[] = [];
    for await (const entry of entries) {
      taken.push(entry);
      if (taken.length < AT_ONCE && entries.getPending() > 0) continue;
      const now = taken;
      taken = [];
      await take(now);
      waiting = entry.info.pending;
      if (waiting === 0) caughtUp.resolve();
    }
  };
  const ended = run().finally(() => {
    caughtUp.reject(new Error('The stream is not followed any more.'));
    entries.stop();
  });
  ended.catch(() => undefined);
  return {
    caughtUp: caughtUp.promise,
    get waiting() {
      return waiting;
    },
    ended,
    async close() {
      entries.stop();
      await ended.catch(() => undefined);
    },
  };
}

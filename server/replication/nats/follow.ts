import { DeliverPolicy, type JsMsg as JsEntry } from '@nats-io/jetstream';
import type { RegionStream } from './streams.ts';

export type { JsEntry };

export interface FollowOptions {
  readonly stream: RegionStream;
  /** Which subjects, with wildcards. */
  readonly filter: string;
  /** Sequence after which to begin; 0: from the beginning. */
  readonly after: number;
  /** Called in order with each entry. If it throws, the subscription ends. */
  take(entries: readonly JsEntry[]): Promise<void>;
}

export interface Followed {
  /** Resolves when everything is taken that was in the stream at the beginning. */
  readonly caughtUp: Promise<void>;
  /** Entries that wait in the stream, by its last answer. */
  readonly waiting: number;
  /** Resolves when it was closed; rejects with the error of `take`. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Entries that are asked for at once, and that `take` gets at most. */
const AT_ONCE = 500;

/**
 * Follows subjects of a stream in order, live. After a disconnection, and when the server forgot the reader,
 * it continues after the last entry.
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
    for await (const taken of batches(entries)) {
      await take(taken);
      const last = taken.at(-1)!;
      waiting = last.info.pending;
      // Under steady traffic something always waits.
      if (waiting === 0 || last.seq >= stream.last) caughtUp.resolve();
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

/**
 * The entries as they come, those together that are here at the same time. The library's count of those that are here
 * is not used: it may say that one more is, and then the last entry would wait for the next one.
 */
async function* batches(entries: AsyncIterable<JsEntry>): AsyncGenerator<JsEntry[]> {
  const iterator = entries[Symbol.asyncIterator]();
  const read = () => {
    const next = iterator.next();
    next.catch(() => undefined); // It is awaited below, but perhaps not before it fails.
    return next;
  };
  for (let next = read(), first = await next; first.done !== true; first = await next) {
    const taken = [first.value];
    next = read();
    const turn = new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));
    while (taken.length < AT_ONCE) {
      const more = await Promise.race([next, turn]);
      if (more === undefined || more.done === true) break;
      taken.push(more.value);
      next = read();
    }
    yield taken;
  }
}

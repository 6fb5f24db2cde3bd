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
/** ms without an entry, although some wait, after which a new reader is opened. */
const STALLED = 5_000;
/** ms without an entry after which the server is asked whether some wait. */
const ASK_AFTER = 10_000;

/**
 * Follows subjects of a stream in order, live. After a disconnection, and when the server forgot the reader,
 * it continues after the last entry.
 */
export async function followStream(options: FollowOptions): Promise<Followed> {
  const { stream, take } = options;
  let reader = await openReader(options, options.after);
  let { waiting } = reader;
  let [isStalled, isClosed] = [false, false];
  /** undefined: entries are being taken. */
  let idleSince: number | undefined = performance.now();
  const caughtUp = Promise.withResolvers<void>();
  caughtUp.promise.catch(() => undefined); // `ended` says it, too.
  if (waiting === 0) caughtUp.resolve();
  let last = options.after;
  let askedAt = performance.now();
  const openAgain = () => {
    isStalled = true;
    reader.entries.stop();
  };
  /** A server that failed may have lost the request for entries, or entries on their way. */
  const ask = async () => {
    askedAt = performance.now();
    const [asked, before] = [reader, last];
    const isBehind = await asked.info().then(
      ({ num_pending, delivered }) => num_pending > 0 || delivered.stream_seq > before,
      () => true,
    );
    if (isBehind && asked === reader && before === last && idleSince !== undefined) openAgain();
  };
  // Servers that failed may count entries that they do not send. A new reader counts, and gets, what is there.
  const watch = setInterval(() => {
    if (idleSince === undefined) return;
    const now = performance.now();
    if (waiting > 0 && now - idleSince >= STALLED) openAgain();
    else if (now - Math.max(idleSince, askedAt) >= ASK_AFTER) void ask();
  }, STALLED / 5).unref();
  const run = async (): Promise<void> => {
    for (;;) {
      for await (const taken of batches(reader.entries)) {
        idleSince = undefined;
        await take(taken);
        const { seq, info } = taken.at(-1)!;
        [last, waiting, idleSince] = [seq, info.pending, performance.now()];
        // Under steady traffic something always waits.
        if (waiting === 0 || last >= stream.last) caughtUp.resolve();
      }
      if (!isStalled || isClosed) return;
      isStalled = false;
      reader = await openReader(options, last);
      if (isClosed) return;
      [waiting, idleSince] = [reader.waiting, performance.now()];
      if (waiting === 0) caughtUp.resolve();
    }
  };
  const ended = run().finally(() => {
    clearInterval(watch);
    caughtUp.reject(new Error('The stream is not followed any more.'));
    reader.entries.stop();
  });
  ended.catch(() => undefined);
  return {
    caughtUp: caughtUp.promise,
    get waiting() {
      return waiting;
    },
    ended,
    async close() {
      isClosed = true;
      reader.entries.stop();
      await ended.catch(() => undefined);
    },
  };
}

async function openReader({ stream, filter }: FollowOptions, after: number) {
  const consumer = await stream.client.consumers.get(stream.name, {
    filter_subjects: filter,
    ...(after > 0
      ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 }
      : { deliver_policy: DeliverPolicy.All }),
  });
  const { num_pending: waiting } = await consumer.info();
  return { waiting, entries: await consumer.consume({ max_messages: AT_ONCE }), info: () => consumer.info() };
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

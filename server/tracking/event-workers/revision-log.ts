import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  followStream,
  openStream,
  PARTITIONS,
  wrongLastSequence,
  type JsEntry,
  type RegionConnection,
  type RegionStream,
} from '../../replication/nats/index.ts';
import { Mutex } from '../../platform/mutex.ts';
import type { Store } from '../../store/types.ts';
import { headAfter, packLogEntry, readLogHead, unpackLogEntry, type RevisionStep, type LogHead } from './log-entry.ts';

/** A step that a worker adds; the log adds what chains it to the others. */
export type LogStep = Pick<RevisionStep, 'events' | 'withdrawn' | 'checkpoints'> &
  Partial<Pick<RevisionStep, 'stamp' | 'read'>>;

export interface TakenStep {
  readonly partition: number;
  readonly entry: RevisionStep;
}

interface RevisionLogOptions {
  readonly connection: RegionConnection;
  readonly store: Pick<Store, 'sql' | 'writePlain'>;
  /** Stores steps, in their order. It may get a step again that was stored before a crash. */
  take(steps: readonly TakenStep[]): Promise<void>;
}

/** A step was refused or is void: another worker owns the partition now. */
export class StepRefused extends Error {
  override readonly name = 'StepRefused';
}

const NOTHING: LogStep = { events: [], withdrawn: [], checkpoints: [] };
/** ns for which steps stay in the stream, as positions do. */
const KEPT = 7 * 86_400 * 1e9;
/** ns within which the servers know an entry that is published twice. */
const KNOWN_FOR = 120 * 1e9;

/** The log of each partition: read in order, and written only by the owner of the partition. */
export class RevisionLog {
  readonly #options: RevisionLogOptions;
  readonly #heads = new Map<number, LogHead>();
  readonly #turns = Array.from({ length: PARTITIONS }, () => new Mutex());
  readonly #run = randomUUID();
  #waits: { readonly partition: number; readonly sequence: number; settle(isValid: boolean): void }[] = [];
  #stream: RegionStream | undefined;
  #close: () => Promise<void> = () => Promise.resolve();

  constructor(options: RevisionLogOptions) {
    this.#options = options;
  }

  head(partition: number): LogHead | undefined {
    return this.#heads.get(partition);
  }

  /** Follows the log over this connection; resolves when it has started. `ended` rejects when something failed. */
  async follow(open: NatsConnection): Promise<{ readonly ended: Promise<void>; close(): Promise<void> }> {
    const { connection } = this.#options;
    const { subjects, options } = connection;
    const wanted = {
      name: subjects.revisionsStream,
      subjects: [subjects.revisions],
      max_age: KEPT,
      duplicate_window: KNOWN_FOR,
      num_replicas: options.replicas,
    };
    const stream = await openStream(open, wanted, options.domain);
    const { state } = await stream.manager.streams.info(stream.name);
    this.#readHeads(stream);
    const followed = await followStream({
      stream,
      filter: subjects.revisions,
      after: Math.max(0, ...[...this.#heads.values()].map(({ last }) => last)),
      take: (entries) => this.#take(entries, stream, state.first_seq),
    });
    const close = async () => {
      this.#stream = undefined;
      await followed.close();
      for (const { settle } of this.#waits.splice(0)) settle(false);
    };
    this.#close = close;
    const ended = followed.ended.finally(close);
    ended.catch(() => undefined);
    try {
      await Promise.race([followed.caughtUp, ended]);
    } catch (error) {
      await close();
      throw error;
    }
    this.#stream = stream;
    return { ended, close };
  }

  /** Ends the following, also one that is not there yet. */
  close(): Promise<void> {
    return this.#close();
  }

  /** Adds an empty step after that of the owner before, which shuts it out. Rejects like `append`. */
  takeOver(partition: number): Promise<void> {
    return this.#turns[partition]!.run(() => this.#append(partition, NOTHING));
  }

  /**
   * Adds a step. Resolves when it holds and is stored here; rejects with `StepRefused` when another worker was faster,
   * also when this reader has its step already: another one could follow that. Steps of a partition follow each other.
   */
  append(partition: number, step: LogStep): Promise<void> {
    return this.#turns[partition]!.run(() => {
      const owner = this.#heads.get(partition)?.owner;
      if (owner !== this.#run) throw new StepRefused(`Another worker owns the partition ${partition}.`);
      return this.#append(partition, step);
    });
  }

  async #append(partition: number, step: LogStep): Promise<void> {
    const stream = this.#stream;
    if (!stream) throw new Error('The log of events is not followed.');
    const head = this.#heads.get(partition);
    const { headers, bytes } = await packLogEntry({
      ...step,
      previous: head?.sequence ?? 0,
      owner: this.#run,
      stamp: step.stamp ?? head?.stamp ?? '',
      read: step.read ?? head?.read ?? {},
    });
    const sequence = await this.#put(stream, partition, bytes, headers, head?.last ?? 0);
    await this.#taken(partition, sequence);
  }

  async #put(
    stream: RegionStream,
    partition: number,
    bytes: Uint8Array,
    headers: Awaited<ReturnType<typeof packLogEntry>>['headers'],
    expected: number,
  ): Promise<number> {
    const { subjects } = this.#options.connection;
    try {
      const { seq } = await stream.client.publish(subjects.revisionsOf(partition), bytes, {
        headers,
        msgID: randomUUID(),
        expect: { lastSubjectSequence: expected },
      });
      return seq;
    } catch (error) {
      if (wrongLastSequence(error)) throw new StepRefused(`Another worker owns the partition ${partition}.`);
      throw error;
    }
  }

  /** Resolves when the reader has stored the entry. */
  async #taken(partition: number, sequence: number): Promise<void> {
    const head = this.#heads.get(partition);
    if (head && head.last >= sequence) {
      if (head.sequence !== sequence) throw new StepRefused(`A step of the partition ${partition} is void.`);
      return;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waits.push({ partition, sequence, settle: resolve });
    if (!(await promise)) throw new StepRefused(`A step of the partition ${partition} is void, or was not read.`);
  }

  async #take(entries: readonly JsEntry[], stream: RegionStream, first: number): Promise<void> {
    const { take, connection } = this.#options;
    const heads = new Map(this.#heads);
    const steps: TakenStep[] = [];
    const valid = new Map<number, boolean>();
    for (const jsEntry of entries) {
      const partition = Number(connection.subjects.keyOf(jsEntry.subject));
      if (!Number.isInteger(partition) || partition < 0 || partition >= PARTITIONS) continue;
      const entry = await unpackLogEntry(jsEntry);
      const { isValid, head } = headAfter(heads.get(partition), jsEntry.seq, entry, first);
      if (head) heads.set(partition, head);
      if (isValid && entry) steps.push({ partition, entry });
      valid.set(jsEntry.seq, isValid);
    }
    await take(steps);
    await this.#saveHeads(heads, stream);
    for (const [partition, head] of heads) this.#heads.set(partition, head);
    const last = entries.at(-1)!.seq;
    const waits = this.#waits;
    this.#waits = waits.filter(({ sequence }) => sequence > last);
    for (const { sequence, settle } of waits) if (sequence <= last) settle(valid.get(sequence) ?? false);
  }

  #readHeads({ epoch, last }: RegionStream): void {
    this.#heads.clear();
    const rows = this.#options.store.sql.prepare('SELECT partition, epoch, head FROM revision_heads').all();
    for (const row of rows) {
      const head = row['epoch'] === epoch ? readLogHead(row['head'] as string) : undefined;
      // If the stream is shorter than this station's position in it, the stream was set back to an older
      // state.
      if (head && head.last <= last) this.#heads.set(row['partition'] as number, head);
    }
  }

  async #saveHeads(heads: ReadonlyMap<number, LogHead>, { epoch }: RegionStream): Promise<void> {
    await this.#options.store.writePlain((sql) => {
      const write = sql.prepare('INSERT OR REPLACE INTO revision_heads (partition, epoch, head) VALUES (?, ?, ?)');
      for (const [partition, head] of heads)
        if (head !== this.#heads.get(partition)) write.run(partition, epoch, JSON.stringify(head));
    });
  }
}

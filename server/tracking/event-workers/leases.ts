import { setTimeout as pause } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import {
  followStream,
  openStream,
  wrongLastSequence,
  type JsEntry,
  type RegionConnection,
  type RegionStream,
} from '../../replication/nats/index.ts';
import { parsedJson } from '../../platform/parsing/parsed-json.ts';
import type { Shares } from './shares.ts';

/** ms for which a lease holds that is not renewed; and between two renewals. */
const HOLDS = 5_000;
export const RENEW_EVERY = 1_000;

const Partitions = z.array(z.int().min(0));

interface SeenLease {
  readonly sequence: number;
  readonly text: string;
  /** Monotonic ms. */
  readonly at: number;
}

/**
 * The worker at each partition: last entries of a stream whose servers forget those that are not renewed. A lease is
 * taken by compare-and-set on the last sequence of its subject. It only spares work: what a worker writes is fenced by
 * the log.
 */
export class Leases {
  readonly #connection: RegionConnection;
  readonly #seen = new Map<string, SeenLease>();
  #stream: RegionStream | undefined;
  #close: () => Promise<void> = () => Promise.resolve();

  constructor(connection: RegionConnection) {
    this.#connection = connection;
  }

  /** Follows the leases; resolves when they are known. */
  async follow(open: NatsConnection): Promise<{ readonly ended: Promise<void>; close(): Promise<void> }> {
    const { subjects, options } = this.#connection;
    const wanted = {
      name: subjects.leasesStream,
      subjects: [subjects.leases],
      max_age: HOLDS * 1e6,
      max_msgs_per_subject: 1,
      duplicate_window: HOLDS * 1e6,
      num_replicas: options.replicas,
    };
    const stream = await openStream(open, wanted, options.domain);
    this.#seen.clear();
    const followed = await followStream({
      stream,
      filter: subjects.leases,
      after: 0,
      take: async (entries) => this.#take(entries),
    });
    const close = () => followed.close();
    this.#close = close;
    // An entry that was there at the beginning may be forgotten before it is read: then none of them holds any more.
    const forgotten = new AbortController();
    try {
      const allForgotten = pause(HOLDS, undefined, { signal: forgotten.signal }).catch(() => undefined);
      await Promise.race([followed.caughtUp, followed.ended, allForgotten]).finally(() => forgotten.abort());
    } catch (error) {
      await close();
      throw error;
    }
    this.#stream = stream;
    return { ended: followed.ended, close };
  }

  /** Ends the following, also one that is not there yet. */
  close(): Promise<void> {
    return this.#close();
  }

  /** The worker that holds the partition; undefined: none. */
  owner(partition: number): string | undefined {
    const lease = this.#alive(this.#connection.subjects.leaseOfPartition(partition));
    return lease === undefined || lease.text === '' ? undefined : lease.text;
  }

  /** The workers that are online, and their partitions. */
  workers(): Shares {
    const { subjects } = this.#connection;
    const prefix = subjects.leaseOfWorker('');
    return new Map(
      [...this.#seen.keys()].flatMap((subject) => {
        const lease = subject.startsWith(prefix) ? this.#alive(subject) : undefined;
        const { data } = Partitions.safeParse(parsedJson(lease?.text ?? ''));
        return data ? [[subjects.keyOf(subject), data] as const] : [];
      }),
    );
  }

  /** Says that a worker is here. */
  async announce(id: string, partitions: readonly number[]): Promise<void> {
    const { subjects } = this.#connection;
    await this.#open.client.publish(subjects.leaseOfWorker(id), JSON.stringify(partitions));
  }

  /** The worker stops. */
  async leave(id: string): Promise<void> {
    await this.#open.client.publish(this.#connection.subjects.leaseOfWorker(id), '');
  }

  /** Takes a free partition, or renews the lease; false: another worker has it. */
  hold(partition: number, id: string): Promise<boolean> {
    return this.#put(partition, id);
  }

  /** Gives the partition back at once. */
  async release(partition: number): Promise<void> {
    await this.#put(partition, '');
  }

  async #put(partition: number, text: string): Promise<boolean> {
    const subject = this.#connection.subjects.leaseOfPartition(partition);
    try {
      const { seq } = await this.#open.client.publish(subject, text, {
        expect: { lastSubjectSequence: this.#alive(subject)?.sequence ?? 0 },
      });
      this.#note(subject, seq, text);
      return true;
    } catch (error) {
      if (wrongLastSequence(error)) return false;
      throw error;
    }
  }

  #take(entries: readonly JsEntry[]): void {
    for (const { subject, seq, data } of entries) this.#note(subject, seq, Buffer.from(data).toString('utf8'));
  }

  #note(subject: string, sequence: number, text: string): void {
    if ((this.#seen.get(subject)?.sequence ?? 0) >= sequence) return;
    this.#seen.set(subject, { sequence, text, at: performance.now() });
  }

  #alive(subject: string): SeenLease | undefined {
    const lease = this.#seen.get(subject);
    return lease && performance.now() - lease.at < HOLDS ? lease : undefined;
  }

  get #open(): RegionStream {
    if (!this.#stream) throw new Error('The leases are not followed.');
    return this.#stream;
  }
}

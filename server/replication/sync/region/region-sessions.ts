import { z } from 'zod';
import {
  hashOf,
  LONGEST_SESSION,
  SIGN_IN_METHODS,
  type SessionSharing,
  type SharedSession,
  type Tokens,
} from '../../../access/accounts/index.ts';
import {
  followStream,
  openStream,
  wrongLastSequence,
  type JsEntry,
  type RegionConnection,
  type RegionStream,
} from '../../nats/index.ts';
import { parsedJson } from '../../../platform/parsing/parsed-json.ts';
import type { Store } from '../../../store/types.ts';

interface RegionSessionsOptions {
  readonly connection: RegionConnection;
  readonly store: Store;
  readonly tokens: Tokens;
  now(): number;
  readonly log: { warn(message: string): void };
}

const Session = z.object({
  userId: z.int(),
  createdAt: z.int(),
  usedAt: z.int(),
  address: z.string().max(200),
  device: z.string().max(200),
  method: z.enum(['', ...SIGN_IN_METHODS]).catch(''),
});
const HASH = /^[0-9a-f]{64}$/;

/** ns: an entry is of no use when its session has ended anyway. */
const KEPT = (LONGEST_SESSION + 86_400_000) * 1e6;
/** ms that signing in and out wait for the servers. Without an answer the sessions follow later. */
const PATIENCE = 2_000;
/** ms until a following that failed is followed by the next, and between two looks whether the stream is there. */
const RETRY_AFTER = 1_000;
const LOOK_EVERY = 5_000;
/** Tokens that are looked up at once: anybody can send a wrong one. */
const MOST_LOOKUPS = 50;

/**
 * Sessions that hold at all stations and console servers of a region. The stream has the hash of each token, as the
 * stations store it. The entry of an ended session is empty, and nothing is written over it.
 */
export class RegionSessions implements SessionSharing {
  readonly #options: RegionSessionsOptions;
  readonly #closing = new AbortController();
  readonly #sequences = new Map<string, number>();
  #stream: RegionStream | undefined;
  #running: Promise<void> | undefined;
  #lookups = 0;
  #problem: string | undefined;

  private constructor(options: RegionSessionsOptions) {
    this.#options = options;
  }

  static async open(options: RegionSessionsOptions): Promise<RegionSessions> {
    // A session that ends without the servers must not come back from the stream.
    await options.store.writePlain((sql) =>
      sql.exec('CREATE TABLE IF NOT EXISTS ended_sessions (hash TEXT PRIMARY KEY, ended_at INTEGER NOT NULL)'),
    );
    const sessions = new RegionSessions(options);
    options.tokens.share(sessions);
    return sessions;
  }

  start(): void {
    this.#running ??= this.#runForEver();
  }

  async close(): Promise<void> {
    this.#options.tokens.share(undefined);
    this.#closing.abort();
    await this.#running;
  }

  async issued(hash: string, session: SharedSession): Promise<void> {
    await this.#within(this.#put(hash, session));
  }

  used(hash: string, session: SharedSession): void {
    void this.#within(this.#put(hash, session));
  }

  async ended(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return;
    const { store, now } = this.#options;
    await store.writePlain((sql) => {
      const insert = sql.prepare('INSERT OR REPLACE INTO ended_sessions (hash, ended_at) VALUES (?, ?)');
      for (const hash of hashes) insert.run(hash, now());
    });
    await this.#within(this.#putEnded());
  }

  /** Asks the stream for a token that is not known here: its session may have begun a moment ago elsewhere. */
  async learn(text: string): Promise<void> {
    const stream = this.#stream;
    const hash = hashOf(text);
    if (!stream || this.#lookups >= MOST_LOOKUPS || this.#isEnded(hash)) return;
    this.#lookups++;
    const { connection } = this.#options;
    const asked = stream.manager.streams.getMessage(stream.name, { last_by_subj: connection.subjects.session(hash) });
    await this.#within(
      asked.then((entry) => {
        if (entry) this.#take(hash, entry.seq, entry.data);
      }),
    ).finally(() => this.#lookups--);
  }

  async #runForEver(): Promise<void> {
    const { connection, log } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await connection.connected(signal);
        await this.#follow();
      } catch (error) {
        if (signal.aborted) break;
        const problem = `Sessions of the region cannot be read: ${(error as Error).message}`;
        if (problem !== this.#problem) log.warn(problem);
        this.#problem = problem;
      }
      await new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : RETRY_AFTER));
    }
  }

  async #follow(): Promise<void> {
    const { connection, now, tokens } = this.#options;
    const { subjects, options } = connection;
    const wanted = {
      name: subjects.sessionsStream,
      subjects: [subjects.sessions],
      max_msgs_per_subject: 1,
      max_age: KEPT,
      num_replicas: options.replicas,
    };
    const stream = await openStream(await connection.connected(this.#closing.signal), wanted, options.domain);
    const followed = await followStream({
      stream,
      filter: subjects.sessions,
      after: 0,
      take: async (entries) => this.#takeAll(entries),
    });
    const gone = this.#gone(stream);
    try {
      await Promise.race([followed.caughtUp, followed.ended, gone.promise]);
      this.#stream = stream;
      await this.#putEnded();
      for (const [hash, session] of tokens.ownSessions(now()))
        if (!this.#sequences.has(hash)) await this.#put(hash, session);
      this.#problem = undefined;
      await Promise.race([followed.ended, gone.promise]);
    } finally {
      gone.stop();
      this.#stream = undefined;
      this.#sequences.clear();
      await followed.close();
    }
  }

  /** Rejects when the stream is not there any more, or another one; resolves when this closes. */
  #gone(stream: RegionStream) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { signal } = this.#closing;
    const closed = () => resolve();
    signal.addEventListener('abort', closed, { once: true });
    if (signal.aborted) resolve();
    const timer = setInterval(() => {
      stream.manager.streams.info(stream.name).then(({ created }) => {
        if (created !== stream.epoch) reject(new Error('The stream is another one than before.'));
      }, reject);
    }, LOOK_EVERY);
    promise.catch(() => undefined);
    const stop = () => {
      clearInterval(timer);
      signal.removeEventListener('abort', closed);
    };
    return { promise, stop };
  }

  #takeAll(entries: readonly JsEntry[]): void {
    const { subjects } = this.#options.connection;
    for (const { subject, seq, data } of entries) this.#take(subjects.keyOf(subject), seq, data);
  }

  #take(hash: string, sequence: number, bytes: Uint8Array): void {
    const { tokens } = this.#options;
    if (!HASH.test(hash) || (this.#sequences.get(hash) ?? 0) > sequence) return;
    this.#sequences.set(hash, sequence);
    if (bytes.length === 0) return void tokens.endShared(hash).catch(() => undefined); // The disk is full.
    const { data: session } = Session.safeParse(parsedJson(Buffer.from(bytes).toString('utf8')));
    if (session && !this.#isEnded(hash)) tokens.takeShared(hash, session);
  }

  /** Ended here, and the stream does not know yet. */
  #isEnded(hash: string): boolean {
    return this.#options.store.sql.prepare('SELECT 1 FROM ended_sessions WHERE hash = ?').get(hash) !== undefined;
  }

  /** Overwrites the entry only if it is the known one: a session that ended meanwhile stays ended. */
  async #put(hash: string, { userId, createdAt, usedAt, address, device, method }: SharedSession): Promise<void> {
    const stream = this.#stream;
    if (!stream) return;
    const { subjects } = this.#options.connection;
    const text = JSON.stringify({ userId, createdAt, usedAt, address, device, method });
    try {
      const { seq } = await stream.client.publish(subjects.session(hash), text, {
        expect: { lastSubjectSequence: this.#sequences.get(hash) ?? 0 },
      });
      this.#sequences.set(hash, seq);
    } catch (error) {
      if (!wrongLastSequence(error)) throw error;
    }
  }

  async #putEnded(): Promise<void> {
    const { store, connection, now } = this.#options;
    const rows = store.sql.prepare('SELECT hash, ended_at AS at FROM ended_sessions').all();
    for (const { hash, at } of rows) {
      const stream = this.#stream;
      if (!stream) return;
      // A session that has been over for so long is in no stream.
      if (now() - Number(at) < LONGEST_SESSION) {
        const { seq } = await stream.client.publish(connection.subjects.session(String(hash)), new Uint8Array());
        this.#sequences.set(String(hash), seq);
      }
      await store.writePlain((sql) => sql.prepare('DELETE FROM ended_sessions WHERE hash = ?').run(hash!));
    }
  }

  /** Waits for the servers, but not for long. What fails follows with the next session of this program. */
  async #within(work: Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, PATIENCE);
    work.then(
      () => resolve(),
      (error: unknown) => {
        this.#options.log.warn(`A session could not be sent to the region: ${(error as Error).message}`);
        resolve();
      },
    );
    await promise;
    clearTimeout(timer);
  }
}

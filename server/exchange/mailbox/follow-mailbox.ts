import { setTimeout as wait } from 'node:timers/promises';
import { MailServer, wordsOfServer } from './mail-server.ts';
import { isUnreadable } from './mail-thread.ts';
import type { MailboxSettings } from './settings.ts';

interface FollowOptions {
  readonly settings: MailboxSettings;
  /** False: mails of this sender wait, because of a limit. */
  mayTake(from: string): boolean;
  /** Takes a mail. Resolves when what it became is on disk; rejects: it stays unread, and is tried again. */
  take(source: Buffer, isCut: boolean): Promise<void>;
  report(message: string, error: unknown): void;
}

/** ms between two looks without a word of the server. */
const LOOK = 30_000;
/** ms until the next attempt after a failure: doubled each time, up to the second one. */
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 120_000;
/** ms after which a mail that could not be taken is tried again. */
const REST = 300_000;

/** Follows a mailbox until it is closed: takes what is unread, and marks it when it is on disk. */
export class MailboxFollower {
  readonly #options: FollowOptions;
  readonly #end = new AbortController();
  readonly #done: Promise<void>;
  /** Mails that could not be taken, by uid: until when they rest. Another epoch of uids names other mails. */
  readonly #resting = new Map<number, number>();
  #uidEpoch: bigint | undefined;
  #wake: (() => void) | undefined;
  #isWoken = false;
  #problem = '';
  #waiting = 0;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#done = this.#run();
  }

  /** Why the mailbox cannot be reached; empty: it can. */
  get problem(): string {
    return this.#problem;
  }

  /** Unread mails that wait: their senders write too much, or they could not be taken. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves when nothing is being taken any more. */
  async close(): Promise<void> {
    this.#end.abort();
    this.#changed();
    await this.#done;
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#end.signal.aborted; failures++) {
      try {
        await this.#follow(() => (failures = 0));
      } catch (error) {
        if (this.#problem === '') this.#options.report('The mailbox cannot be reached.', error);
        this.#problem = wordsOfServer(error);
      }
      const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures, 10));
      await wait(pause, undefined, { signal: this.#end.signal }).catch(() => undefined);
    }
  }

  async #follow(connected: () => void): Promise<void> {
    const server = await MailServer.connect(this.#options.settings, () => this.#changed());
    try {
      while (!this.#end.signal.aborted) {
        this.#isWoken = false;
        await this.#takeUnread(server);
        this.#problem = '';
        connected();
        await this.#sleep();
        if (!server.isOpen && !this.#end.signal.aborted) throw new Error('The mail server closed the connection.');
      }
    } finally {
      await server.close();
    }
  }

  async #takeUnread(server: MailServer): Promise<void> {
    let waiting = 0;
    const unread = await server.unread();
    const uids = new Set(unread.map(({ uid }) => uid));
    const isOfNow = this.#uidEpoch === server.uidEpoch;
    for (const uid of this.#resting.keys()) if (!isOfNow || !uids.has(uid)) this.#resting.delete(uid);
    this.#uidEpoch = server.uidEpoch;
    for (const { uid, from } of unread) {
      if (this.#end.signal.aborted) return;
      const rests = (this.#resting.get(uid) ?? 0) > performance.now();
      if (rests || !this.#options.mayTake(from)) {
        waiting++;
        continue;
      }
      const mail = await server.read(uid);
      if (!mail) continue;
      try {
        await this.#options.take(mail.source, mail.isCut);
        this.#resting.delete(uid);
      } catch (error) {
        // No later attempt reads such a mail, and each can cost a thread.
        const isHopeless = isUnreadable(error);
        const next = isHopeless ? 'not tried again before the next start' : 'tried again in 5 min';
        this.#options.report(`A mail could not be taken. It stays unread, and is ${next}.`, error);
        this.#resting.set(uid, isHopeless ? Infinity : performance.now() + REST);
        waiting++;
        continue;
      }
      await server.markRead(uid);
    }
    this.#waiting = waiting;
  }

  #changed(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  async #sleep(): Promise<void> {
    if (this.#isWoken || this.#end.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LOOK);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
    this.#wake = undefined;
  }
}

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Refusal } from '../../../shared/refusal.ts';
import { readFeedInThread, type FeedItems, type ReadItem } from './feed-thread.ts';
import { fetchDocument, FetchFault } from './fetch-document.ts';
import type { Relevance } from './reading/relevance.ts';
import type { WarningFeed } from './warning-feeds.ts';

/** The content of a feed and of the messages that it names. */
export interface FeedLook {
  /** Items by the address of their message; empty: the feed itself. */
  readonly read: ReadonlyMap<string, readonly ReadItem[]>;
  readonly ended: readonly string[];
  /** Addresses of messages that could not be read. */
  readonly unread: ReadonlySet<string>;
  readonly format: FeedItems['format'];
  /** Exercises and tests; warnings for other places or less severe. */
  readonly ignored: number;
  readonly elsewhere: number;
  readonly problems: readonly string[];
}

interface ReaderOptions {
  readonly feed: Pick<WarningFeed, 'url' | 'login' | 'secret'>;
  readonly relevance: () => Relevance;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

interface ReadMessage extends Pick<FeedItems, 'items' | 'ended' | 'ignored' | 'elsewhere'> {
  readonly version: string;
}

/** Messages that are fetched side by side. */
const SIDE_BY_SIDE = 4;

/** Reads a feed and the messages that it names, and keeps what did not change between two looks. */
export class FeedReader {
  readonly #options: ReaderOptions;
  readonly #messages = new Map<string, ReadMessage>();
  #validators: { etag?: string | undefined; lastModified?: string | undefined } = {};
  #digest = '';
  #relevance = '';

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** undefined: everything is as it was at the last look. Throws `FetchFault` or a refusal. */
  async look(): Promise<FeedLook | undefined> {
    const { feed, signal } = this.#options;
    const relevance = this.#options.relevance();
    const wanted = JSON.stringify(relevance);
    if (wanted !== this.#relevance) this.#forget();
    this.#relevance = wanted;
    const fetched = await fetchDocument({ ...this.#request(feed.url), ...this.#validators });
    if (fetched.kind === 'unchanged') return undefined;
    const { bytes, etag, lastModified } = fetched;
    const digest = createHash('sha256').update(bytes).digest('base64');
    if (digest === this.#digest) return undefined;
    const content = await readFeedInThread({ bytes, url: feed.url, relevance });
    const { messages, unread, problems } = await this.#readMessages(content.links, relevance);
    if (signal.aborted) return undefined;
    // A message that could not be read is wanted at the next look, although the feed is then as it was.
    const isWhole = unread.size === 0;
    this.#digest = isWhole ? digest : '';
    this.#validators = isWhole ? { etag, lastModified } : {};
    const all = [...messages.values()];
    return {
      read: new Map([['', content.items], ...[...messages].map(([url, { items }]) => [url, items] as const)]),
      ended: [...content.ended, ...all.flatMap(({ ended }) => ended)],
      unread,
      format: content.format,
      ignored: content.ignored + sum(all, 'ignored'),
      elsewhere: content.elsewhere + sum(all, 'elsewhere'),
      problems: [...content.problems, ...problems].slice(0, 20),
    };
  }

  #forget(): void {
    this.#messages.clear();
    this.#validators = {};
    this.#digest = '';
  }

  async #readMessages(links: FeedItems['links'], relevance: Relevance) {
    const messages = new Map<string, ReadMessage>();
    const unread = new Set<string>();
    const problems: string[] = [];
    const waiting = [...links];
    const readNext = async (): Promise<void> => {
      for (let link = waiting.shift(); link && !this.#options.signal.aborted; link = waiting.shift()) {
        const known = this.#messages.get(link.url);
        try {
          messages.set(link.url, known?.version === link.version ? known : await this.#readMessage(link, relevance));
        } catch (error) {
          unread.add(link.url);
          if (problems.length < 20) problems.push(`${link.url.slice(0, 200)}: ${wordsOfFault(error)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, readNext));
    this.#messages.clear();
    for (const [url, message] of messages) this.#messages.set(url, message);
    return { messages, unread, problems };
  }

  /** An address that has no CAP message leaves the entry of the feed itself. */
  async #readMessage({ url, version, entry }: FeedItems['links'][number], relevance: Relevance): Promise<ReadMessage> {
    const fetched = await fetchDocument(this.#request(url));
    if (fetched.kind === 'unchanged') throw new FetchFault('The server sent nothing.');
    const ofEntry = { version, items: entry ? [entry] : [], ended: [], ignored: 0, elsewhere: 0 };
    const content = await readFeedInThread({ bytes: fetched.bytes, url, relevance }).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'warnings.brokenFeed' && entry) return undefined;
      throw error;
    });
    return content?.format === 'cap' ? { version, ...content } : ofEntry;
  }

  #request(url: string) {
    const { feed, userAgent, signal } = this.#options;
    const credentials = feed.login === '' && feed.secret === '' ? '' : `${feed.login}:${feed.secret}`;
    return { url, chosen: feed.url, userAgent, credentials, signal };
  }
}

function sum(messages: readonly ReadMessage[], name: 'ignored' | 'elsewhere'): number {
  return messages.reduce((total, message) => total + message[name], 0);
}

/** Why a feed could not be read, as a sentence. */
export function wordsOfFault(error: unknown): string {
  return (error as Error).message.slice(0, 300);
}

/** How a feed stands. */
export interface FeedState {
  /** When it was last read, or found unchanged, epoch ms; null: not since the start. */
  readonly readAt: number | null;
  readonly format: FeedItems['format'] | null;
  /** Why the last read failed, or which parts could not be read. */
  readonly problems: readonly string[];
  readonly isUnreachable: boolean;
}

interface FollowOptions {
  readonly feed: WarningFeed;
  readonly relevance: () => Relevance;
  readonly userAgent: string;
  readonly now: () => number;
  /** Takes the content. Resolves when it is on disk. */
  take(look: FeedLook): Promise<void>;
  /** Called when the state of the feed changes, except for the time of the last look. */
  changed(): void;
  report(message: string, error: unknown): void;
}

/** ms until the next attempt after a failure: doubled each time, up to the second one. */
const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 300_000;

/** Follows a feed until it is closed. */
export class FeedFollower {
  readonly #options: FollowOptions;
  readonly #end = new AbortController();
  readonly #reader: FeedReader;
  readonly #done: Promise<void>;
  #pause = new AbortController();
  #state: FeedState = { readAt: null, format: null, problems: [], isUnreachable: false };

  constructor(options: FollowOptions) {
    const { feed, relevance, userAgent } = options;
    this.#options = options;
    this.#reader = new FeedReader({ feed, relevance, userAgent, signal: this.#end.signal });
    this.#done = this.#run();
  }

  get state(): FeedState {
    return this.#state;
  }

  /** Looks at the feed now, if it waits. */
  wake(): void {
    this.#pause.abort();
  }

  /** Resolves when nothing is being taken any more. */
  async close(): Promise<void> {
    this.#end.abort();
    this.#pause.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#end.signal.aborted) {
      this.#pause = new AbortController();
      let pause = this.#options.feed.seconds * 1_000;
      try {
        await this.#look();
        failures = 0;
      } catch (error) {
        if (this.#end.signal.aborted) return;
        if (failures === 0) this.#options.report(`The feed "${this.#options.feed.name}" cannot be read.`, error);
        const longest = Math.max(LONGEST_PAUSE, pause);
        const least = error instanceof FetchFault ? error.pause : 0;
        pause = Math.max(least, Math.min(longest, FIRST_PAUSE * 2 ** Math.min(failures++, 10)));
        this.#set({ ...this.#state, problems: [wordsOfFault(error)], isUnreachable: true });
      }
      await wait(pause, undefined, { signal: this.#pause.signal }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    // A document that takes long to read must not delay the closing of the feed.
    const { promise, reject } = Promise.withResolvers<never>();
    const { signal } = this.#end;
    const end = () => reject(new FetchFault('The feed was closed.'));
    signal.addEventListener('abort', end, { once: true });
    const look = await Promise.race([this.#reader.look(), promise]).finally(() =>
      signal.removeEventListener('abort', end),
    );
    if (this.#end.signal.aborted) return;
    if (look) await this.#options.take(look);
    const readAt = this.#options.now();
    const { format, problems } = look ?? this.#state;
    // Nothing changed: parts that could not be read before an outage are still unread.
    const stale = look === undefined && this.#state.isUnreachable;
    this.#set({ readAt, format, problems: stale ? [] : problems, isUnreachable: false });
  }

  /** A look that found the feed as it was is no news. */
  #set(state: FeedState): void {
    const besidesTime = ({ readAt: _, ...rest }: FeedState): string => JSON.stringify(rest);
    const isOther = besidesTime(state) !== besidesTime(this.#state);
    this.#state = state;
    if (isOther) this.#options.changed();
  }
}

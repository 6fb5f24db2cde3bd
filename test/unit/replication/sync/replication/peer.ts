import { onTestFinished } from 'vitest';
import { Files } from '../../../../../server/dispatch/files/index.ts';
import { LastStates } from '../../../../../server/dispatch/fleet/last-states.ts';
import { Replication, type ReplicationRooms } from '../../../../../server/replication/sync/replication/replication.ts';
import type { PullAnswer, PullRequest } from '../../../../../server/replication/sync/replication/feed-page.ts';
import type { CollectionName, Store } from '../../../../../server/store/index.ts';
import type {
  ChannelAnswer,
  Channel,
  Link,
  LinkProgress,
  LinkSettings,
} from '../../../../../server/replication/sync/types.ts';
import { temporaryDirectory } from '../../../store/open-store.ts';
import { Refusal } from '../../../../../shared/refusal.ts';

type Handler = Parameters<Channel['handle']>[1];

const OPEN: LinkSettings = { paused: false, readOnly: false, organizations: null, tracks: 'last', standby: false };

/**
 * The other station of a link, in this process: it has the lines that a test gives it, and a connection without
 * a network. What is asked of the station under test goes through the same channel.
 */
export class Peer {
  readonly channel: Channel;
  readonly progress: { -readonly [Name in keyof LinkProgress]: LinkProgress[Name] } = {
    waitingIn: 0,
    waitingOut: 0,
    kindsIn: {},
    kindsOut: {},
    tracksIn: 0,
    tracksOut: 0,
    pendingFiles: 0,
    pendingFilesThere: 0,
    digest: undefined,
    confirmedAt: undefined,
    records: undefined,
    error: undefined,
    refusal: undefined,
  };
  readonly told: { readonly kind: string; readonly body: unknown }[] = [];
  epoch = 'first';
  /** Lines of its feed, as the wire has them, by collection. */
  readonly lines = new Map<CollectionName, string[]>();
  asked: PullRequest[] = [];
  readonly #handlers = new Map<string, Handler>();
  readonly #answers = new Map<string, (body: never) => ChannelAnswer | Promise<ChannelAnswer>>();
  readonly #listeners = new Map<string, (body: unknown) => void>();
  readonly #settingsListeners = new Set<() => void>();
  #settings = OPEN;
  #theirSettings = OPEN;
  #close!: () => void;

  constructor(id = 1) {
    const settings = () => this.#settings;
    const theirSettings = () => this.#theirSettings;
    const link: Link = {
      id,
      station: { id: 'peer', number: 2, name: 'Depot' },
      get settings() {
        return settings();
      },
      get theirSettings() {
        return theirSettings();
      },
      progress: this.progress,
      report: (progress) => void Object.assign(this.progress, progress),
      onSettings: (listener) => {
        this.#settingsListeners.add(listener);
        return () => this.#settingsListeners.delete(listener);
      },
    };
    this.channel = {
      link,
      peer: { id: 'peer', number: 2, name: 'Depot', epoch: 'first' },
      request: async <T>(kind: string, body: unknown) => {
        await new Promise((resolve) => setImmediate(resolve));
        const answer = this.#answers.get(kind);
        if (!answer) throw new Refusal('sync.noHandler', { question: kind });
        return (await answer(structuredClone(body) as never)) as ChannelAnswer<T>;
      },
      notify: (kind, body) => this.told.push({ kind, body: structuredClone(body) }),
      handle: (kind, handler) => this.#handlers.set(kind, handler),
      onNotify: (kind, listener) => this.#listeners.set(kind, listener),
      closed: new Promise((resolve) => (this.#close = resolve)),
    };
    this.answer('pull', (request: PullRequest) => this.#page(request));
  }

  /** What the other station answers to requests of a kind. */
  answer<Body>(kind: string, answer: (body: Body) => ChannelAnswer | Promise<ChannelAnswer>): void {
    this.#answers.set(kind, answer);
  }

  /** Asks the station under test. */
  async ask<T>(kind: string, body: unknown): Promise<ChannelAnswer<T>> {
    return (await this.#handlers.get(kind)!(body, new AbortController().signal)) as ChannelAnswer<T>;
  }

  /** Tells the station under test. */
  tell(kind: string, body: unknown): void {
    this.#listeners.get(kind)!(body);
  }

  /** Writes into a collection of the other station. */
  write(collection: CollectionName, records: readonly object[], { deleted = false } = {}): void {
    this.writeText(
      collection,
      records.map((record) => JSON.stringify(record)),
      { deleted },
    );
  }

  writeText(collection: CollectionName, texts: readonly string[], { deleted = false } = {}): void {
    const lines = this.lines.get(collection) ?? [];
    for (const text of texts) lines.push(`${deleted ? '-' : '+'}${text}`);
    this.lines.set(collection, lines);
    this.#listeners.get('changed')?.({ collections: [collection] });
  }

  set(settings: Partial<LinkSettings>, theirs: Partial<LinkSettings> = {}): void {
    this.#settings = { ...this.#settings, ...settings };
    this.#theirSettings = { ...this.#theirSettings, ...theirs };
    for (const listener of this.#settingsListeners) listener();
  }

  close(): void {
    this.#close();
  }

  #page(request: PullRequest): ChannelAnswer<PullAnswer> {
    this.asked.push(request);
    const { collection, position, limit } = request;
    const all = this.lines.get(collection) ?? [];
    const from = position?.epoch === this.epoch ? position.seq : 0;
    const lines = all.slice(from, from + limit);
    const seq = from + lines.length;
    const waiting = all.length - seq;
    return {
      body: { position: { epoch: this.epoch, seq }, more: waiting > 0, waiting },
      bytes: Buffer.from(lines.join('\n')),
    };
  }
}

/** Files in a directory of their own. */
export function filesOf(store: Store): Files {
  return new Files({
    directory: temporaryDirectory(),
    store,
    limit: 1e9,
    now: Date.now,
    organizationOf: () => undefined,
  });
}

/** Replication of a store, closed with the test. */
export function replicationOf(store: Store, rooms: Partial<ReplicationRooms> = {}): Replication {
  const states = new LastStates(store.records('vehicleStates'));
  const replication = new Replication({
    store,
    files: filesOf(store),
    states,
    now: Date.now,
    links: () => [],
    warn: () => undefined,
    ...rooms,
  });
  onTestFinished(async () => {
    await replication.close();
    await states.close();
  });
  return replication;
}

import type { Files } from '../../../dispatch/files/index.ts';
import type { Store } from '../../../store/types.ts';
import type { Channel, Link } from '../types.ts';
import { AwayLinks } from './away-links.ts';
import { Evictions } from './scope/evictions.ts';
import { FileFetcher, type FileSource } from './files/file-fetcher.ts';
import { deleteRowsOfGoneLinks } from './link-rows.ts';
import { ReadPositions } from './read-positions.ts';
import { RefusedRecords } from './intake/refused-records.ts';
import { feedEpoch } from './scope/scope.ts';
import { ScopedLinks } from './scope/scoped-links.ts';
import { Session } from './session.ts';
import type { LastStatesRoom } from './states-lane.ts';
import type { TracksRoom } from './tracks/tracks-room.ts';

export interface ReplicationRooms {
  readonly store: Store;
  readonly files: Files;
  readonly states: LastStatesRoom;
  /** undefined: tracks do not travel. */
  readonly tracks?: TracksRoom;
  now(): number;
  /** All links of this station. */
  links(): readonly Link[];
  /** Of something that an operator should know. */
  warn(message: string): void;
}

/** Status of a task that is done. */
const DONE = 4;

/** Replication over all links: each connection that is handed over to `attach` is used until it closes. */
export class Replication {
  readonly #options: ReplicationRooms;
  readonly #sessions = new Map<number, Session>();
  readonly #queues = new Map<number, Promise<void>>();
  /** Links at the last change. */
  #known: ReadonlySet<number> = new Set();
  readonly refused: RefusedRecords;
  readonly #positions: ReadPositions;
  readonly #fetcher: FileFetcher;
  readonly #scoped: ScopedLinks;
  readonly #evictions: Evictions;
  readonly #away: AwayLinks;
  #renewing: Promise<void> | undefined;
  #closed = false;

  constructor(options: ReplicationRooms) {
    this.#options = options;
    this.refused = new RefusedRecords(options.store, () => options.now());
    this.#positions = new ReadPositions(options.store);
    this.#evictions = new Evictions(options.store);
    this.#scoped = new ScopedLinks(options.store, (error) =>
      options.warn(`The records of a link could not be counted: ${(error as Error).message}`),
    );
    this.#away = new AwayLinks({
      store: options.store,
      positions: this.#positions,
      links: () => options.links().filter(({ id }) => !this.#sessions.has(id)),
      epochOf: (link) => feedEpoch(options.store, this.#scoped.scopeOf(link.id)),
    });
    this.linksChanged();
    // Of links that were removed while the rows could not be deleted.
    this.#inTurn(0, () => this.#deleteRows());
    const tasks = options.store.records('tasks');
    this.#fetcher = new FileFetcher({
      store: options.store,
      files: options.files,
      now: () => options.now(),
      isOpen: ({ taskId }) => {
        const task = tasks.get(taskId);
        return task !== undefined && !task.archived && task.status !== DONE;
      },
      changed: () => {
        for (const session of this.#sessions.values()) session.reportFiles();
      },
      warn: (message) => options.warn(message),
    });
  }

  /**
   * Starts recording moves into and out of the scope of limited links, also while they are not connected.
   * Drops the records of deleted links.
   */
  linksChanged(): void {
    const links = this.#options.links();
    for (const link of links) this.#scoped.follow(link);
    const before = this.#known;
    this.#known = new Set(links.map(({ id }) => id));
    for (const id of before)
      if (!this.#known.has(id))
        this.#inTurn(id, async () => {
          await this.#sessions.get(id)?.close();
          if (this.#known.has(id)) return;
          await this.#scoped.forget(id);
          await this.#deleteRows();
        });
  }

  /** Uses a connection. The previous one of the same link is closed. */
  attach(channel: Channel): void {
    const link = channel.link.id;
    this.#inTurn(link, async () => {
      await this.#sessions.get(link)?.close();
      if (this.#closed) return;
      const session = new Session({
        ...this.#options,
        channel,
        refused: this.refused,
        positions: this.#positions,
        fetcher: this.#fetcher,
        scoped: this.#scoped,
        evictions: this.#evictions,
        wasSetBack: () => this.#renewEpoch(channel.peer.name),
      });
      this.#sessions.set(link, session);
      void channel.closed.then(() =>
        this.#inTurn(link, async () => {
          await session.close();
          if (this.#sessions.get(link) === session) this.#sessions.delete(link);
          this.#away.countSoon();
        }),
      );
    });
  }

  /** Files whose bytes are missing here. */
  get pendingFiles(): number {
    return this.#fetcher.pending;
  }

  /** Adds a place beside the links where files can be had. Returns the function that takes it away. */
  addFileSource(source: FileSource): () => void {
    return this.#fetcher.add(source);
  }

  /** Whether no records come in pages over the link: files and territories wait for that. */
  isQuiet(linkId: number): boolean {
    return this.#sessions.get(linkId)?.isQuiet ?? false;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#away.close();
    this.#fetcher.close();
    await Promise.all(this.#queues.values());
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
    await this.#scoped.close();
  }

  /** Once, however many stations find out. */
  #renewEpoch(peer: string): Promise<void> {
    const { store, warn } = this.#options;
    return (this.#renewing ??= (async () => {
      warn(`${peer} has read more of this station than it holds: its data are of an older day. They are completed.`);
      await store.renewEpoch();
    })().finally(() => (this.#renewing = undefined)));
  }

  async #deleteRows(): Promise<void> {
    const links = () => this.#options.links().map(({ id }) => id);
    await deleteRowsOfGoneLinks(this.#options.store, links);
    await this.#options.tracks?.keepReaders(links());
  }

  /** RxDB's replication must be closed before another one of the same link and collection begins. */
  #inTurn(link: number, work: () => Promise<void>): void {
    const turn = (this.#queues.get(link) ?? Promise.resolve()).then(work).catch((error: unknown) => {
      this.#options.warn(`Replication over link ${link} failed: ${(error as Error).message}`);
    });
    this.#queues.set(link, turn);
  }
}

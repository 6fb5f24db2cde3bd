import { followMessages, LIVE_LIMITS } from '../../../../../shared/live-limits.ts';
import { LiveRecords } from '../../replica/live-records.ts';
import type { ReplicaSinks } from '../../replica/replica.ts';
import { REPLICA_NAMES, type ReplicaName } from '../../replica/schemas.ts';
import type { LiveMessage } from '../socket.ts';
import type { LiveSource, ReplicaView, SourceListener, SourceOptions } from '../source.ts';
import type { FromHub, HubLine, ToHub } from './messages.ts';

interface Window {
  readonly line: HubLine<FromHub, ToHub>;
  /** By the numbers that the window gave them: the ways to stop. */
  readonly queries: Map<number, { readonly taskId: number; stop: () => void }>;
  /** glonassIds. */
  followed: readonly number[];
  collections: readonly string[];
  /** Tasks that it has open. */
  openTasks: readonly OpenTask[];
}

interface OpenTask {
  readonly newsId: number;
  readonly writing: boolean;
}

export interface HubOptions {
  open(options: Pick<SourceOptions, 'records' | 'listener'>): Promise<LiveSource>;
  /** Called when nobody is signed in any more. */
  ended(): void;
}

/** Records that travel to a new window at once. */
const CHUNK = 1_000;
/** ms between two looks at when the station was heard. */
const HEARD_EVERY = 1_000;
/** ms in which windows that begin to follow vehicles are answered by one message. */
const FOLLOW_AFTER = 50;

/** One socket and one replica for all windows of a browser. */
export class LiveHub {
  private readonly options: HubOptions;
  private readonly windows = new Set<Window>();
  private readonly records: ReplicaSinks;
  private readonly opened: Promise<LiveSource>;
  private readonly heard: ReturnType<typeof setInterval>;
  private source: LiveSource | undefined;
  private state: FromHub & { kind: 'state' } = { kind: 'state', state: 'connecting' };
  private replica: ReplicaView | undefined;
  private caughtUp = false;
  /** The last known presence at a task, for windows that open it later. */
  private readonly presence = new Map<number, LiveMessage>();
  private following: ReturnType<typeof setTimeout> | undefined;

  constructor(options: HubOptions) {
    this.options = options;
    this.records = Object.fromEntries(
      REPLICA_NAMES.map((name) => [name, this.forwarding(name)]),
    ) as unknown as ReplicaSinks;
    this.opened = options.open({ records: this.records, listener: this.listener() });
    void this.opened.then((source) => (this.source = source));
    this.heard = setInterval(() => this.tell({ kind: 'heard', at: this.source?.lastHeard ?? 0 }), HEARD_EVERY);
  }

  /** Sends a new window the whole state, and then each change. */
  attach(line: HubLine<FromHub, ToHub>): void {
    const window: Window = { line, queries: new Map(), followed: [], collections: [], openTasks: [] };
    this.windows.add(window);
    line.onMessage((message) => this.receive(window, message));
    line.post({ kind: 'replica', isThere: this.replica !== undefined });
    for (const name of REPLICA_NAMES) {
      const all = [...this.records[name].values()];
      for (let from = 0; from < all.length; from += CHUNK)
        line.post({ kind: 'records', name, put: all.slice(from, from + CHUNK), removed: [] });
    }
    line.post({ kind: 'progress', caughtUp: this.caughtUp });
    line.post({ kind: 'heard', at: this.source?.lastHeard ?? 0 });
    line.post(this.state);
  }

  private forwarding(name: ReplicaName): LiveRecords<{ key: string; id: number }> {
    const records = new LiveRecords<{ key: string; id: number }>();
    records.watch((changes) => {
      // The last change of each key stands.
      const last = new Map(changes.map(({ key, now }) => [key, now]));
      const put = [...last.values()].filter((record) => record !== undefined);
      const removed = [...last].flatMap(([key, now]) => (now === undefined ? [key] : []));
      this.tell({ kind: 'records', name, put, removed });
    });
    return records;
  }

  private listener(): SourceListener {
    return {
      onState: (state) => {
        this.state = { kind: 'state', state };
        this.presence.clear();
        this.tell(this.state);
      },
      onMessage: (message) => {
        if (message.command === 'PRESENCE') this.presence.set((message.data as OpenTask).newsId, message);
        this.tell({ kind: 'message', message });
      },
      onReplica: (replica) => {
        this.replica = replica;
        this.tell({ kind: 'replica', isThere: replica !== undefined });
        for (const window of this.windows)
          for (const [query, { taskId }] of window.queries) this.watchComments(window, query, taskId);
      },
      onProgress: (caughtUp) => {
        this.caughtUp = caughtUp;
        this.tell({ kind: 'progress', caughtUp });
      },
    };
  }

  private receive(window: Window, message: ToHub): void {
    switch (message.kind) {
      case 'send':
        return this.send(window, message.command, message.data);
      case 'comments':
        return this.watchComments(window, message.query, message.taskId);
      case 'comments-end':
        window.queries.get(message.query)?.stop();
        return void window.queries.delete(message.query);
      case 'leave':
        for (const { stop } of window.queries.values()) stop();
        this.windows.delete(window);
        if (window.openTasks.length > 0) this.tellOpenTasks();
        return this.followSoon();
      case 'end':
        return void this.end();
    }
  }

  /** The station knows one client, which asks for all windows. */
  private send(window: Window, command: string, data: unknown): void {
    switch (command) {
      case 'SET_REPLICA': {
        window.collections = (data as { collections: string[] }).collections;
        const all = new Set([...this.windows].flatMap(({ collections }) => collections));
        return this.source?.send(command, { collections: [...all] });
      }
      case 'SET_OBSERVABLE_CARS':
        window.followed = data as number[];
        return this.followSoon();
      case 'ADD_OBSERVABLE_CARS':
        window.followed = [...window.followed, ...(data as number[])];
        return this.followSoon();
      case 'SET_PRESENCE':
        window.openTasks = data as OpenTask[];
        this.tellOpenTasks();
        for (const { newsId } of window.openTasks) {
          const message = this.presence.get(newsId);
          if (message) window.line.post({ kind: 'message', message });
        }
        return;
      default:
        this.source?.send(command, data);
    }
  }

  /** A task is open, or written in, when it is so in any of the windows. */
  private tellOpenTasks(): void {
    const all = new Map<number, OpenTask>();
    for (const { openTasks } of this.windows)
      for (const { newsId, writing } of openTasks)
        all.set(newsId, { newsId, writing: writing || all.get(newsId)?.writing === true });
    for (const id of this.presence.keys()) if (!all.has(id)) this.presence.delete(id);
    this.source?.send('SET_PRESENCE', [...all.values()].slice(0, LIVE_LIMITS.openTasks));
  }

  private followSoon(): void {
    this.following ??= setTimeout(() => {
      this.following = undefined;
      const all = new Set([...this.windows].flatMap(({ followed }) => followed));
      for (const { command, data } of followMessages([...all])) this.source?.send(command, data);
    }, FOLLOW_AFTER);
  }

  private watchComments(window: Window, query: number, taskId: number): void {
    window.queries.get(query)?.stop();
    const stop = this.replica?.watchComments(taskId, (found) => window.line.post({ kind: 'comments', query, found }));
    window.queries.set(query, { taskId, stop: stop ?? (() => {}) });
  }

  private async end(): Promise<void> {
    clearInterval(this.heard);
    clearTimeout(this.following);
    await (await this.opened).close();
    this.tell({ kind: 'ended' });
    this.options.ended();
  }

  private tell(message: FromHub): void {
    for (const { line } of this.windows) line.post(message);
  }
}

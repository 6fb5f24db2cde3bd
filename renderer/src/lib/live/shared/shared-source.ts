import { REPLICA_NAMES, type ReplicaRecords } from '../../replica/schemas.ts';
import type { LiveSource, ReplicaView, SourceOptions } from '../source.ts';
import { hubLineOf, type FromHub, type HubLine, type ToHub } from './messages.ts';

/** ms for which the hub may take to end. */
const END_MS = 2_000;

type Found = readonly ReplicaRecords['comments'][];

/** Live data through the hub that all windows of this browser share. */
export class SharedSource implements LiveSource, ReplicaView {
  lastHeard = 0;
  private readonly line: HubLine<ToHub, FromHub>;
  private readonly options: Pick<SourceOptions, 'records' | 'listener'>;
  private readonly queries = new Map<number, (found: Found) => void>();
  private readonly ended: Promise<void>;
  private end = () => {};
  /** Resolves when the hub answers. */
  private readonly joined: Promise<void>;
  private join = () => {};
  /** Another window has signed out. */
  hasEnded = false;
  private lastQuery = 0;
  /** Counts up with each progress: an older one that waits for its records says nothing any more. */
  private progress = 0;

  constructor(line: HubLine<ToHub, FromHub>, options: Pick<SourceOptions, 'records' | 'listener'>) {
    this.line = line;
    this.options = options;
    this.ended = new Promise((resolve) => (this.end = resolve));
    this.joined = new Promise((resolve) => (this.join = resolve));
    line.onMessage((message) => this.receive(message));
  }

  /** Undefined: this browser has no shared workers, and the window has to ask the station itself. */
  static async open(options: SourceOptions): Promise<SharedSource | undefined> {
    if (typeof SharedWorker === 'undefined') return undefined;
    const worker = new SharedWorker(new URL('./hub.worker.ts', import.meta.url), {
      type: 'module',
      name: options.owner,
    });
    const source = new SharedSource(hubLineOf(worker.port), options);
    const failed = new Promise<true>((resolve) => worker.addEventListener('error', () => resolve(true)));
    if (await Promise.race([source.joined, failed])) return undefined;
    addEventListener('pagehide', () => source.line.post({ kind: 'leave' }));
    // It comes back from the browser's memory, and the hub no longer knows it.
    addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
    return source;
  }

  send(command: string, data: unknown): void {
    this.line.post({ kind: 'send', command, data });
  }

  watchComments(taskId: number, listener: (found: Found) => void): () => void {
    const query = ++this.lastQuery;
    this.queries.set(query, listener);
    this.line.post({ kind: 'comments', query, taskId });
    return () => {
      this.queries.delete(query);
      this.line.post({ kind: 'comments-end', query });
    };
  }

  /** For all windows: closing it signs the user out. */
  close(): Promise<void> {
    this.line.post({ kind: 'end' });
    return Promise.race([this.ended, new Promise<void>((resolve) => setTimeout(resolve, END_MS))]);
  }

  private receive(message: FromHub): void {
    this.join();
    const { records, listener } = this.options;
    switch (message.kind) {
      case 'records': {
        const sink = records[message.name];
        for (const record of message.put) sink.put(record as never);
        for (const key of message.removed) sink.remove(key);
        return;
      }
      case 'progress':
        return void this.noteProgress(message.caughtUp);
      case 'replica':
        // A new object each time, so that watchers of comments restart.
        return listener.onReplica(message.isThere ? { watchComments: this.watchComments.bind(this) } : undefined);
      case 'comments':
        return this.queries.get(message.query)?.(message.found);
      case 'heard':
        return void (this.lastHeard = message.at);
      case 'state':
        return listener.onState(message.state);
      case 'message':
        this.lastHeard = Date.now();
        return listener.onMessage(message.message);
      case 'ended':
        this.hasEnded = true;
        this.end();
        return listener.onState('lost');
    }
  }

  /** Records must reach the views before the progress that covers them is noted. */
  private async noteProgress(caughtUp: boolean): Promise<void> {
    const progress = ++this.progress;
    const { records, listener } = this.options;
    if (caughtUp) await Promise.all(REPLICA_NAMES.map((name) => records[name].notified()));
    if (progress === this.progress) listener.onProgress(caughtUp);
  }
}

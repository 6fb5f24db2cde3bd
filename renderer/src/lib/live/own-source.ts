import { KeptRecords } from '../replica/kept-records.ts';
import { Replica } from '../replica/replica.ts';
import { REPLICA_NAMES } from '../replica/schemas.ts';
import { LiveSocket, type LiveMessage } from './socket.ts';
import type { LiveSource, SourceOptions } from './source.ts';

/** A socket and a replica of its own. */
export class OwnSource implements LiveSource {
  readonly hasEnded = false;
  private readonly options: SourceOptions;
  private replica: Replica | undefined;
  private opening: Promise<void> = Promise.resolve();
  private socket: LiveSocket | undefined;
  private closed = false;
  /** Records are kept for the next load of the page, until they cannot be read. */
  private keeps = true;

  private constructor(options: SourceOptions) {
    this.options = options;
  }

  static async open(options: SourceOptions): Promise<OwnSource> {
    const source = new OwnSource(options);
    await source.openReplica();
    const { address, client, listener } = options;
    source.socket = new LiveSocket(
      address,
      {
        onState: (state) => {
          listener.onState(state);
          if (state === 'open') source.replica?.nudge(); // changes in the meantime
        },
        onMessage: (message) => source.take(message),
      },
      () => client.ask('/health'),
    );
    return source;
  }

  get lastHeard(): number {
    return this.socket?.lastHeard ?? 0;
  }

  send(command: string, data: unknown): void {
    this.socket?.send(command, data);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.socket?.close();
    await this.opening;
    await this.replica?.close();
  }

  private take(message: LiveMessage): void {
    if (message.command === 'REPLICA_CHANGES') {
      const names = (message.data as { collections: string[] }).collections.filter((name) => name !== 'merges');
      if (names.length > 0) this.replica?.nudge(names);
    }
    this.options.listener.onMessage(message);
  }

  /** @param again for the same person: the present records stay until they have been received again */
  private openReplica(again = false): Promise<void> {
    const { client, owner, records, listener } = this.options;
    this.opening = this.opening.then(async () => {
      const old = this.replica;
      this.replica = undefined;
      listener.onReplica(undefined);
      await old?.close();
      if (this.closed) return;
      for (const name of REPLICA_NAMES) records[name][again ? 'beginRefill' : 'clear']();
      const kept = this.keeps ? await KeptRecords.open(owner) : undefined;
      this.replica = await Replica.open(
        client,
        records,
        {
          onReset: (why) => {
            if (why === 'kept') this.keeps = false;
            void this.openReplica(true);
          },
          onProgress: () => listener.onProgress(this.replica?.caughtUp ?? false),
        },
        kept,
      );
      listener.onReplica(this.replica);
      listener.onProgress(this.replica.caughtUp);
    });
    return this.opening;
  }
}

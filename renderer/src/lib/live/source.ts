import type { Client } from '../api/client.ts';
import type { ReplicaSinks } from '../replica/replica.ts';
import type { ReplicaRecords } from '../replica/schemas.ts';
import type { LiveMessage, SocketState } from './socket.ts';

/** The replica, as a page asks it; its records come through the sinks. */
export interface ReplicaView {
  /** A live query over the comments of one task, oldest first. Returns the way to stop. */
  watchComments(taskId: number, listener: (comments: readonly ReplicaRecords['comments'][]) => void): () => void;
}

export interface SourceListener {
  onState(state: SocketState): void;
  onMessage(message: LiveMessage): void;
  /** The replica starts again; undefined: the previous one is closed. */
  onReplica(replica: ReplicaView | undefined): void;
  /** All data of the station has arrived and was published. */
  onProgress(caughtUp: boolean): void;
}

/** Live data of a station: the records in the sinks, and messages. */
export interface LiveSource {
  /** When the station was last heard, epoch ms; 0: never. */
  readonly lastHeard: number;
  /** It was closed by another window. */
  readonly hasEnded: boolean;
  send(command: string, data: unknown): void;
  close(): Promise<void>;
}

export interface SourceOptions {
  readonly client: Client;
  /** Of the socket. */
  readonly address: string;
  /** The user who may read the stored records, and the build that wrote them. */
  readonly owner: string;
  readonly records: ReplicaSinks;
  readonly listener: SourceListener;
}

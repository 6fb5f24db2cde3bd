import type { Reason } from '../../../shared/refusals/reason.ts';

/** Which positions of vehicles a link may carry. The lesser of both sides holds. */
export type LinkTracks = 'none' | 'last' | 'all' | { readonly days: number };

/** A station's settings for its side of a link. The limits act in both directions. */
export interface LinkSettings {
  readonly paused: boolean;
  /** The other station may read; none of its records are stored here. */
  readonly readOnly: boolean;
  /** null: all organizations. */
  readonly organizations: readonly number[] | null;
  readonly tracks: LinkTracks;
  /** This station is a standby: it copies the other one completely and writes nothing of its own. */
  readonly standby: boolean;
}

/** Identity of a linked station. */
export interface LinkedStation {
  readonly id: string;
  readonly number: number;
  readonly name: string;
}

/** Kinds of waiting records that operators tell apart. */
export const WAITING_KINDS = ['tasks', 'vehicles', 'directories', 'accounts', 'events', 'merges'] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];
/** Records that wait, by kind; kinds without any may be left out. */
export type WaitingRecords = Readonly<Partial<Record<WaitingKind, number>>>;

/** Progress of replication over a link, for operators and for the state of the link. */
export interface LinkProgress {
  /** Records and files that the other station has and this one has not. */
  readonly waitingIn: number;
  /** Records and files that this station has and the other one has not. */
  readonly waitingOut: number;
  /** The same by kind. */
  readonly kindsIn: WaitingRecords;
  readonly kindsOut: WaitingRecords;
  /** Points of tracks that the other station has and this one has not, and the other way round. */
  readonly tracksIn: number;
  readonly tracksOut: number;
  /** Files of attachments whose bytes are missing here. */
  readonly pendingFiles: number;
  /** The same of the other station, as last received. */
  readonly pendingFilesThere: number;
  /** Digests over the records that the link carries; undefined until both are known. */
  readonly digest: { readonly mine: string; readonly theirs: string } | undefined;
  /** When both stations last had equal digests and nothing waited, in epoch ms; undefined: not since the start. */
  readonly confirmedAt: number | undefined;
  /** Live records of the replicated collections at both stations; undefined: not told. */
  readonly records: { readonly here: number; readonly there: number } | undefined;
  /** The last error, in words; undefined: nothing. */
  readonly error: string | undefined;
  /** The same for programs; undefined: it is no refusal. */
  readonly refusal: Reason | undefined;
}

export interface Link {
  readonly id: number;
  readonly station: LinkedStation;
  /** Of this side; always the current ones. */
  readonly settings: LinkSettings;
  /** Settings of the other side, by its last message. */
  readonly theirSettings: LinkSettings;
  readonly progress: LinkProgress;
  /** Replaces these fields of `progress`. */
  report(progress: Partial<LinkProgress>): void;
  /** Calls the listener when the settings of either side change. Returns the unsubscribe function. */
  onSettings(listener: () => void): () => void;
}

/** The other station of a connection, as it told at the handshake. */
export interface Peer extends LinkedStation {
  readonly epoch: string;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** ms without any byte from the other station after which the request fails. Default: 30 s. */
  readonly timeout?: number;
  /** The request and its answer pass everything that is not urgent. */
  readonly urgent?: boolean;
}

export interface ChannelAnswer<T = unknown> {
  readonly body: T;
  readonly bytes?: Buffer;
  /** The bytes are those of a file: they are not compressed, and everything else goes first. */
  readonly isFile?: boolean;
}

/** An open connection to a linked station. Each side may ask, tell and answer. */
export interface Channel {
  readonly link: Link;
  readonly peer: Peer;
  /** Rejects with a Refusal in the words of the other station, or with ChannelClosed. At most 4 MB. */
  request<T>(kind: string, body: unknown, options?: RequestOptions): Promise<ChannelAnswer<T>>;
  notify(kind: string, body: unknown): void;
  /**
   * Answers requests of the other station. A request of a kind without a handler waits some seconds for one.
   */
  handle(kind: string, handler: (body: unknown, signal: AbortSignal) => Promise<ChannelAnswer> | ChannelAnswer): void;
  onNotify(kind: string, listener: (body: unknown) => void): void;
  /** Resolves, and never rejects, when the connection is closed for any reason. */
  readonly closed: Promise<void>;
}

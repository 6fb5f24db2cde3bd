import type { Store } from '../../../store/index.ts';
import type { Leadership } from '../standby/leadership.ts';
import type { ConnectionTimings } from './connection/connection.ts';

export interface LinksOptions {
  readonly store: Store;
  /** Of this station. */
  readonly name: string;
  /** Of this program. */
  readonly version: string;
  /** Wall time in ms. */
  readonly now: () => number;
  readonly log: {
    info(message: string): void;
    warn(message: string): void;
    error(message: string, error?: unknown): void;
  };
  readonly timings?: Partial<ConnectionTimings> | undefined;
  readonly ids: KnownIds;
  /** Default: read from the store. */
  readonly leadership?: Leadership;
  /** Ends the sessions of a fresh station that becomes a standby: its accounts are replaced. */
  readonly endSessions?: () => Promise<void>;
  /** Whether somebody could administer this station. */
  readonly hasAdministrator?: () => boolean;
}

/** Ids that stations gave out, by counter. Each side of a link sends those that it knows of the other one. */
export interface KnownIds {
  /** The highest ids of another station that this one knows. */
  of(stationNumber: number): Record<string, number>;
  /** Called with the ids of this station that another one knows, before replication with it begins. */
  skip(known: Readonly<Record<string, number>>): Promise<void>;
}

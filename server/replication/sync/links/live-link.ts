import { REFUSALS } from '../../../../shared/refusals/catalogue.ts';
import { reason, sentenceOf, type Reason } from '../../../../shared/refusals/reason.ts';
import { Emitter } from '../../../platform/emitter.ts';
import type { Link, LinkProgress, LinkSettings, LinkedStation } from '../types.ts';
import { leadershipStateOf, type LeadershipState } from '../standby/link-leadership.ts';
import type { LinkConnection } from './connection/connection.ts';
import type { LinkRow, LinkTable } from './link-table.ts';

export type LinkState = 'synced' | 'behind' | 'unreachable' | 'paused' | 'refused';

const NO_PROGRESS: LinkProgress = {
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

/** ms for which equal digests count. */
const CONFIRMED_FOR = 10_000;

/** A sentence, and the same for programs where it is known. */
interface LinkProblem {
  readonly text: string;
  readonly reason?: Reason | undefined;
}

/** Sentences without parameters: the frame that closes a connection carries a sentence only. */
const BY_SENTENCE: ReadonlyMap<string, Reason> = new Map(
  Object.entries(REFUSALS.sync)
    .filter(([, { text }]) => !text.includes('{'))
    .map(([name, { text }]) => [text, { code: `sync.${name as keyof typeof REFUSALS.sync}`, params: {} }]),
);

/** A link while the station runs: its stored row, its connection, and its known state. */
export class LiveLink implements Link {
  readonly id: number;
  readonly #table: LinkTable;
  #row: LinkRow;
  readonly #settings = new Emitter<[]>();
  progress: LinkProgress = NO_PROGRESS;
  #connection: LinkConnection | undefined;
  #dialledBy: LinkRow['dialledBy'];
  #refusal: LinkProblem | undefined;
  #failure: LinkProblem | undefined;
  /** The other station has paused the link. */
  isPausedThere = false;
  /** Ids of the stations with which the other station has links, as last received. */
  linkedWith: readonly string[] = [];
  /** Where discovery heard it. */
  heardAt: string | undefined;
  /** The station of which the other one is a standby; empty: of none, or of this one. */
  theyFollow = '';
  #confirmedAt: number;
  #lastContact: number;
  /** The state at the last look, and when it began. */
  #seen: { readonly state: LinkState; readonly since: number } | undefined;

  constructor(table: LinkTable, row: LinkRow) {
    this.id = row.id;
    this.#table = table;
    this.#row = row;
    this.#dialledBy = row.dialledBy;
    this.#lastContact = row.lastContact;
    this.#confirmedAt = row.leadership.confirmedAt;
  }

  /** As it is stored, or was, when the link is removed. */
  get row(): LinkRow {
    return (this.#row = this.#table.get(this.id) ?? this.#row);
  }

  get station(): LinkedStation {
    return this.row.station;
  }

  get settings(): LinkSettings {
    return this.row.settings;
  }

  get theirSettings(): LinkSettings {
    return this.row.theirSettings;
  }

  get connection(): LinkConnection | undefined {
    return this.#connection;
  }

  get isConnected(): boolean {
    return this.#connection !== undefined && !this.#connection.isClosed;
  }

  /** The side that dialled the present connection, or the last one. */
  get dialledBy(): LinkRow['dialledBy'] {
    return this.#dialledBy;
  }

  /** Why one of the two stations refuses the other, in words; undefined: neither does. */
  get refusal(): string | undefined {
    return this.#refusal?.text;
  }

  /** In epoch ms; 0: never. */
  get lastContact(): number {
    return this.#lastContact;
  }

  /** When both stations last had the same records, in epoch ms; 0: never, or not since it matters. */
  get confirmedAt(): number {
    return this.#confirmedAt;
  }

  /** How much of the records of the other station is here, 0 to 1. */
  get filled(): number {
    const { records } = this.progress;
    if (this.row.leadership.isFilled) return 1;
    return records && records.there > 0 ? Math.min(0.99, records.here / records.there) : 0;
  }

  get leadership(): LeadershipState {
    const { settings, theirSettings, leadership } = this.row;
    return leadershipStateOf(settings.standby, theirSettings.standby, leadership);
  }

  /** Where the other station is dialled, in order. */
  get addresses(): readonly string[] {
    const addresses = [this.row.address, this.heardAt].filter((address) => address != null);
    return [...new Set(addresses)];
  }

  connected(connection: LinkConnection, dialledBy: LinkRow['dialledBy'], now: number): void {
    this.#connection = connection;
    this.#dialledBy = dialledBy;
    this.#lastContact = now;
    this.#refusal = undefined;
    this.#failure = undefined;
    this.isPausedThere = false;
  }

  disconnected(text: string, now: number, reason?: Reason): void {
    this.#connection = undefined;
    this.#lastContact = now;
    this.#failure = { text, reason };
  }

  /** A dial or a handshake failed. */
  failed(text: string, reason?: Reason): void {
    this.#failure = { text, reason };
    this.#refusal = undefined;
    this.isPausedThere = false;
  }

  refuse(text: string, reason?: Reason): void {
    this.#refusal = { text, reason };
    this.isPausedThere = false;
  }

  report(progress: Partial<LinkProgress>): void {
    this.progress = { ...this.progress, ...progress };
    if (progress.confirmedAt !== undefined) this.#confirmedAt = progress.confirmedAt;
  }

  onSettings(listener: () => void): () => void {
    return this.#settings.on(listener);
  }

  settingsChanged(): void {
    this.#settings.emit();
  }

  state(now: number): LinkState {
    const { cut, settings } = this.row;
    if (cut === 'there') return 'refused';
    if (settings.paused || this.isPausedThere) return 'paused';
    if (this.#refusal !== undefined) return 'refused';
    if (!this.isConnected) return 'unreachable';
    return this.#isConfirmed(now) ? 'synced' : 'behind';
  }

  /** Since when the state is unchanged, updated on each call. Returns it in epoch ms. */
  since(now: number): number {
    const state = this.state(now);
    if (this.#seen?.state !== state) this.#seen = { state, since: now };
    return this.#seen.since;
  }

  get seenSince(): number | undefined {
    return this.#seen?.since;
  }

  /** The last error, in words; undefined: none that still matters. */
  get lastError(): string | undefined {
    if (this.row.cut === 'there') return sentenceOf(reason('sync.cutThere'));
    if (this.isPausedThere) return sentenceOf(reason('sync.pausedThere'));
    if (this.#refusal !== undefined) return this.#refusal.text;
    return this.isConnected ? this.progress.error : this.#failure?.text;
  }

  /** The same for programs; undefined: they are words of the system, or of a station that sends no codes. */
  get lastRefusal(): Reason | undefined {
    const text = this.lastError;
    const known = [this.#refusal, this.#failure, { text: this.progress.error, reason: this.progress.refusal }];
    const given = known.find((problem) => problem?.text === text)?.reason;
    return given ?? (text === undefined ? undefined : BY_SENTENCE.get(text));
  }

  #isConfirmed(now: number): boolean {
    const { confirmedAt, waitingIn, waitingOut, pendingFiles, digest } = this.progress;
    return (
      confirmedAt !== undefined &&
      Math.abs(now - confirmedAt) <= CONFIRMED_FOR &&
      waitingIn === 0 &&
      waitingOut === 0 &&
      pendingFiles === 0 &&
      digest !== undefined &&
      digest.mine === digest.theirs
    );
  }
}

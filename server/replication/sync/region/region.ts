import { randomUUID } from 'node:crypto';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { VERSION } from '../../../platform/program.ts';
import { Emitter } from '../../../platform/emitter.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { openStream, type RegionConnection } from '../../nats/index.ts';
import type { Files } from '../../../dispatch/files/index.ts';
import type { Store } from '../../../store/types.ts';
import type { FileSource } from '../replication/files/file-fetcher.ts';
import { stationDigest } from '../replication/digests/station-digest.ts';
import { REPLICATED } from '../replication/collections.ts';
import type { RefusedRecords } from '../replication/intake/refused-records.ts';
import { waitingByKind } from '../replication/waiting-kinds.ts';
import type { LinkedStation, WaitingRecords } from '../types.ts';
import { RegionFiles } from './region-files.ts';
import { Members, type RegionMember } from './members.ts';
import { claimNumber } from './number-claim.ts';
import { RegionSession } from './region-session.ts';

export interface RegionReplicationOptions {
  readonly store: Store;
  readonly connection: RegionConnection;
  readonly refused: RefusedRecords;
  /** Reads the records of the stations and publishes nothing: it is a console server, without a number of its own. */
  readonly readsOnly: boolean;
  /** Whether this station has given out no ids yet. */
  mayRenumber(): boolean;
  /** This station, with its present number. */
  own(): LinkedStation;
  readonly blobs: Files['blobs'];
  /** Files whose bytes are missing here. */
  pendingFiles(): number;
  /** Called with each station that announces itself. */
  heard(station: LinkedStation): void;
  now(): number;
  readonly log: {
    info(message: string): void;
    warn(message: string): void;
    error(message: string, error?: unknown): void;
  };
}

/** The station's state in its region. */
export interface RegionReport {
  readonly name: string;
  /** `away`: no server of the region answers, or none lets this station in. */
  readonly state: 'synced' | 'behind' | 'away';
  readonly waitingIn: number;
  readonly waitingOut: number;
  readonly kindsIn: WaitingRecords;
  readonly kindsOut: WaitingRecords;
  /** Records of other stations that are not taken in. */
  readonly refused: number;
  /** The last problem, in words; undefined: nothing. */
  readonly problem: string | undefined;
  readonly members: readonly RegionMember[];
}

/** ms between two tellings of itself; after a change it tells sooner. */
const TELL_EVERY = 3_000;
const QUIET = 60;
/** ms until a session that failed is followed by the next. */
const RETRY_AFTER = 1_000;
/** ms for which digests differ with nothing to read or publish, until everything is compared; and the longest pause. */
const COMPARE_AFTER = 20_000;
const LONGEST_PAUSE = 15 * 60_000;

/** This station in a region: all its stations replicate through one stream, which has the last state of each record. */
export class RegionReplication {
  readonly #options: RegionReplicationOptions;
  readonly #members: Members;
  readonly #files: RegionFiles;
  readonly #changed = new Emitter<[]>();
  readonly #closing = new AbortController();
  readonly #run = randomUUID();
  #running: Promise<void> | undefined;
  #session: RegionSession | undefined;
  #hearing: Subscription | undefined;
  #telling: NodeJS.Timeout | undefined;
  #problem: string | undefined;
  #wasFilled = false;
  #differsSince: number | undefined;
  #pause = COMPARE_AFTER;

  constructor(options: RegionReplicationOptions) {
    this.#options = options;
    const { stationId } = options.store;
    this.#members = new Members(stationId, () => options.now());
    this.#files = new RegionFiles({
      connection: options.connection,
      stationId,
      blobs: options.blobs,
      isQuiet: () => this.isQuiet,
      warn: (message) => options.log.warn(message),
    });
  }

  /** Where files of other stations of the region can be had. */
  get files(): FileSource {
    return this.#files;
  }

  start(): void {
    this.#running ??= this.#runForEver();
    this.#telling ??= setTimeout(() => this.#tell(), TELL_EVERY);
  }

  /** Calls the listener when the state may have changed. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#changed.on(listener);
  }

  /** Whether no records wait: files wait for that. */
  get isQuiet(): boolean {
    return this.#session?.isCaughtUp ?? false;
  }

  /** Whether it had everything once since the start. */
  get wasFilled(): boolean {
    return this.#wasFilled;
  }

  get report(): RegionReport {
    const { connection, refused, store } = this.#options;
    const session = this.#session;
    const [waitsIn, waitsOut] = [waitingByKind(session?.waitingIn ?? []), waitingByKind(session?.waitingOut ?? [])];
    const digest = stationDigest(store);
    const members = this.#members.all();
    const isEqual = members.every(
      ({ isHere, report }) => !isHere || (report.digest === digest && report.waitingIn + report.waitingOut === 0),
    );
    const isHere = connection.state.isConnected;
    const isSynced =
      session !== undefined && session.isSettled && digest !== '' && isEqual && this.#options.pendingFiles() === 0;
    return {
      name: connection.options.region,
      state: !isHere ? 'away' : isSynced ? 'synced' : 'behind',
      waitingIn: waitsIn.waiting,
      waitingOut: waitsOut.waiting,
      kindsIn: waitsIn.kinds,
      kindsOut: waitsOut.kinds,
      refused: refused.count(),
      problem: isHere ? this.#problem : connection.state.problem,
      members,
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#telling);
    this.#session?.close();
    await this.#running;
  }

  async #runForEver(): Promise<void> {
    const { connection, log, store, readsOnly } = this.#options;
    const { signal } = this.#closing;
    const stops = [
      connection.onChange(() => this.#changed.emit()),
      // A standby has everything from the station that it follows.
      store.onReadOnly(() => this.#session?.close()),
    ];
    while (!signal.aborted) {
      try {
        const open = await connection.connected(signal);
        if (readsOnly || store.readOnly === undefined) await this.#use(open);
      } catch (error) {
        if (signal.aborted) break;
        this.#failed(error, log);
      }
      await new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : RETRY_AFTER));
    }
    for (const stop of stops) stop();
  }

  #failed(error: unknown, log: RegionReplicationOptions['log']): void {
    const problem = error instanceof Refusal ? error.message : `The region cannot be used: ${(error as Error).message}`;
    if (problem !== this.#problem) log.warn(problem);
    this.#problem = problem;
    this.#changed.emit();
  }

  async #use(open: NatsConnection): Promise<void> {
    const { store, connection, readsOnly, mayRenumber, refused, now, log } = this.#options;
    const { subjects, options } = connection;
    const wanted = {
      name: subjects.changesStream,
      subjects: [...subjects.changes()],
      max_msgs_per_subject: 1,
      num_replicas: options.replicas,
    };
    const stream = await openStream(open, wanted, options.domain);
    if (!readsOnly) await claimNumber({ store, stream, subjects, mayRenumber });
    this.#hear(open);
    if (!readsOnly) this.#files.answer(open);
    const session = new RegionSession({
      store,
      stream,
      subjects,
      connection: open,
      refused,
      readsOnly,
      run: this.#run,
      now,
      warn: (message) => log.warn(message),
      changed: () => {
        if (session.isCaughtUp) {
          this.#problem = undefined;
          this.#wasFilled = true;
        }
        this.#tellSoon();
      },
    });
    this.#session = session;
    try {
      await session.run();
    } finally {
      this.#session = undefined;
      this.#hearing?.unsubscribe();
      this.#files.close();
      this.#changed.emit();
    }
  }

  #hear(open: NatsConnection): void {
    const { subjects } = this.#options.connection;
    this.#hearing = open.subscribe(subjects.station(), {
      callback: (_error, told) => {
        if (!this.#members.hear(told.data)) return;
        const member = this.#members.all().find(({ report: { id } }) => told.subject === subjects.station(id));
        if (member) this.#options.heard(member.station);
        this.#changed.emit();
      },
    });
  }

  #tellSoon(): void {
    if (this.#closing.signal.aborted) return;
    clearTimeout(this.#telling);
    this.#telling = setTimeout(() => this.#tell(), QUIET);
  }

  /** Reports this station's state to the others, and reads theirs. */
  #tell(): void {
    if (this.#closing.signal.aborted) return;
    clearTimeout(this.#telling);
    this.#telling = setTimeout(() => this.#tell(), TELL_EVERY);
    const report = this.report;
    // Stations do not wait for console servers, which only hold copies.
    if (!this.#options.readsOnly) this.#publishReport(report);
    this.#compare(report);
    this.#changed.emit();
  }

  #publishReport({ waitingIn, waitingOut }: RegionReport): void {
    const { connection, store, own, pendingFiles } = this.#options;
    connection.connection?.publish(
      connection.subjects.station(store.stationId),
      JSON.stringify({
        ...own(),
        version: VERSION,
        digest: stationDigest(store),
        records: REPLICATED.reduce((sum, name) => sum + (store.digest(name)?.records ?? 0), 0),
        waitingIn,
        waitingOut,
        pendingFiles: pendingFiles(),
      }),
    );
  }

  /** Digests that stay different with nothing to read: the stream has lost something, or a record was refused. */
  #compare({ state, members }: RegionReport): void {
    const isStuck =
      state === 'behind' &&
      this.#session?.isSettled &&
      members.every(({ isHere, report }) => !isHere || report.waitingIn + report.waitingOut === 0);
    if (!isStuck) {
      this.#differsSince = undefined;
      if (state === 'synced') this.#pause = COMPARE_AFTER;
      return;
    }
    const now = performance.now();
    if (now - (this.#differsSince ??= now) < this.#pause) return;
    this.#differsSince = undefined;
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
    this.#options.log.warn(
      'Records differ between stations of the region although all changes were read. Comparing all records.',
    );
    this.#session?.compareAll();
  }
}

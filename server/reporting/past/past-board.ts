import type { LastState } from '../../../shared/fleet/last-state.ts';
import type { AlarmRecord } from '../../../shared/records/index.ts';
import { WorkerClient } from '../../platform/threads/worker-client.ts';
import { siblingUrl } from '../../platform/threads/worker-url.ts';
import type { Store } from '../../store/types.ts';
import type { LastPlace } from '../../tracking/telemetry/index.ts';

export interface PastBoardOptions {
  readonly store: Store;
  /** `tracks.db` */
  readonly tracksFile: string;
  now(): number;
  states: { all(): Iterable<LastState>; watch(listener: (changed: readonly LastState[]) => void): () => void };
  watchAlarms(listener: (changed: readonly AlarmRecord[]) => void): () => void;
  /** When the past of a vehicle, which may be deleted, expires: epoch ms, -Infinity: never. */
  expiredBefore(vehicleId: number): number;
  report(message: string, error?: unknown): void;
  warn(message: string): void;
}

/** The facts of an alarm that change while it stands. */
export type AlarmFacts = Pick<
  AlarmRecord,
  'raisedAt' | 'goneAt' | 'clearedAt' | 'acknowledgedAt' | 'acknowledgedBy' | 'shelvedUntil' | 'shelvedAt'
>;
export type PastAlarm = AlarmRecord;
/** Status and place of a vehicle; undefined: nobody knows it. */
export interface PastCrew {
  readonly vehicleId: number;
  readonly status: { readonly digit: number; readonly since: number } | undefined;
  readonly place: LastPlace | undefined;
}
/** The board of a past time, without its tasks. */
export interface PastView {
  readonly crews: readonly PastCrew[];
  readonly alarms: readonly PastAlarm[];
  /** When this station began to record crews and alarms; earlier states are not known. */
  readonly notedSince: number;
}
export interface PastBoardQuestion {
  readonly at: number;
  readonly vehicleIds: readonly number[];
}
export interface StatusTimesQuestion {
  /** The period, epoch ms; its end is exclusive. */
  readonly from: number;
  readonly until: number;
  readonly vehicleIds: readonly number[];
}
/** ms of a period by the digit of the crew's status; the rest is not known. */
export interface StatusTimes {
  readonly vehicleId: number;
  readonly byStatus: readonly number[];
}

/** ms between two sweeps of expired records */
const SWEEP = 3_600_000;
/** Vehicles whose notes are deleted in one commit. */
const AT_ONCE = 200;

/** Notes what crews and alarms were, and tells it of any time since (README). */
export class PastBoard {
  readonly #options: PastBoardOptions;
  readonly #thread: WorkerClient<PastBoardQuestion | StatusTimesQuestion>;
  readonly #noted = new Map<number, number>();
  readonly #stops: (() => void)[];
  #notedSince = 0;
  #writing: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  private constructor(options: PastBoardOptions) {
    this.#options = options;
    const { store } = options;
    this.#thread = new WorkerClient({
      script: siblingUrl(import.meta.url, './past-board.worker'),
      name: 'The past of the board',
      maxWaiting: 20,
      warn: options.warn,
      worker: { workerData: { file: store.file, alarms: store.table('alarms'), tracks: options.tracksFile } },
    });
    const timer = setInterval(() => void this.sweep(), SWEEP);
    timer.unref();
    this.#stops = [
      () => clearInterval(timer),
      options.states.watch((changed) => this.#noteCrews(changed)),
      options.watchAlarms((changed) => this.#noteAlarms(changed)),
    ];
  }

  static async open(options: PastBoardOptions): Promise<PastBoard> {
    const { store, states } = options;
    const last = store.sql.prepare(
      "SELECT value FROM past_states WHERE kind = 'crew' AND id = ? ORDER BY at DESC LIMIT 1",
    );
    const board = new PastBoard(options);
    await store.writePlain((sql) =>
      sql
        .prepare(
          "INSERT OR IGNORE INTO past_states (kind, id, at, value) SELECT 'begun', 0, ?, '' WHERE NOT EXISTS (SELECT 1 FROM past_states WHERE kind = 'begun')",
        )
        .run(options.now()),
    );
    const begun = store.sql.prepare("SELECT at FROM past_states WHERE kind = 'begun'").get();
    board.#notedSince = Number(begun?.['at'] ?? options.now());
    const known = [...states.all()].filter(({ unitStatusSince }) => unitStatusSince > 0);
    for (const { id } of known) {
      const row = last.get(id);
      if (row) board.#noted.set(id, (JSON.parse(row['value'] as string) as [number, number])[1]);
    }
    board.#noteCrews(known);
    await board.#writing;
    return board;
  }

  /** When this station began to note, epoch ms. */
  get notedSince(): number {
    return this.#notedSince;
  }

  /** Without a check of access: of these vehicles, and of all alarms. */
  ask(question: PastBoardQuestion): Promise<PastView> {
    return this.#thread.request<PastView>(question);
  }

  /** How long the crews of these vehicles had each status, without a check of access. */
  statusTimes(question: StatusTimesQuestion): Promise<StatusTimes[]> {
    return this.#thread.request<StatusTimes[]>(question);
  }

  /** Deletes the notes of vehicles that the retention of their organization expired. */
  async sweep(): Promise<void> {
    const { store, expiredBefore, report } = this.#options;
    try {
      const ids = store.sql.prepare("SELECT DISTINCT id FROM past_states WHERE kind = 'crew'").all();
      const expired = ids
        .map(({ id }) => [Number(id), expiredBefore(Number(id))] as const)
        .filter(([, before]) => before > 0);
      for (let first = 0; first < expired.length && !this.#isClosed; first += AT_ONCE)
        await store.writePlain((sql) => {
          const remove = sql.prepare("DELETE FROM past_states WHERE kind = 'crew' AND id = ? AND at < ?");
          for (const [id, before] of expired.slice(first, first + AT_ONCE)) remove.run(id, before);
        });
    } catch (error) {
      report('Expired notes of the board could not be deleted.', error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    await this.#writing;
    await this.#thread.close();
  }

  /** A status counts from when this station had it; one that was known before the first note, since its own time. */
  #noteCrews(changed: readonly LastState[]): void {
    const now = this.#options.now();
    const rows = changed.flatMap(({ id, unitStatus, unitStatusSince }) => {
      if (unitStatusSince === 0 || this.#noted.get(id) === unitStatusSince) return [];
      const at = this.#noted.has(id) ? now : Math.min(now, unitStatusSince);
      this.#noted.set(id, unitStatusSince);
      return [{ id, at, value: [unitStatus, unitStatusSince] }];
    });
    this.#write('crew', rows);
  }

  #noteAlarms(changed: readonly AlarmRecord[]): void {
    const now = this.#options.now();
    this.#write(
      'alarm',
      changed.map(({ id, raisedAt, goneAt, clearedAt, acknowledgedAt, acknowledgedBy, shelvedUntil, shelvedAt }) => {
        const value: AlarmFacts = {
          ...{ raisedAt, goneAt, clearedAt, acknowledgedAt, acknowledgedBy, shelvedUntil, shelvedAt },
        };
        return { id, at: now, value };
      }),
    );
  }

  #write(
    kind: 'crew' | 'alarm',
    rows: readonly { readonly id: number; readonly at: number; readonly value: unknown }[],
  ) {
    if (rows.length === 0 || this.#isClosed) return;
    const { store, report } = this.#options;
    const written = store
      .writePlain((sql) => {
        const write = sql.prepare('INSERT OR REPLACE INTO past_states (kind, id, at, value) VALUES (?, ?, ?, ?)');
        for (const { id, at, value } of rows) write.run(kind, id, at, JSON.stringify(value));
      })
      .catch((error: unknown) => report('What the board showed could not be noted.', error));
    this.#writing = Promise.all([this.#writing, written]);
  }
}

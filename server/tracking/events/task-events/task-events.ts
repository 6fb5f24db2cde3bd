import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../../../shared/refusal.ts';
import type { EventRecord } from '../../../../shared/records/index.ts';
import { WorkerClient } from '../../../platform/threads/worker-client.ts';
import type { Records, Store } from '../../../store/types.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import { YOUNG_OF_QUIET_THREAD } from '../../../platform/young-generation.ts';
import { eventId, sameEvent, type Revision, type VehicleEvent } from '../fold/engine.ts';
import type { HistoryStore, TaskHistory } from '../history/history-store.ts';
import { eventDraft, type Revised } from '../revisions/revision-writer.ts';
import type { TaskEvent } from './task-life.ts';
import {
  SOURCES,
  type DerivedTask,
  type FeedPositions,
  type TaskEventsResponse,
  type TaskEventsRequest,
} from './task-reader.ts';
import { requestsDiffer, saveTask, countChanges, sorted, type TaskRevision } from './task-revision.ts';

export interface TaskEventsOptions {
  readonly store: Store;
  /** A vehicle's place at a time, by its track, or undefined yet. */
  placeAt(vehicleId: number, time: number): { lat: number; lon: number } | undefined;
  /** History: drivers of vehicles, and the periods of types. */
  readonly history: Pick<HistoryStore, 'forTasks'>;
  /** The tasks of a vehicle change from a time on: called within the write that changes them. */
  requestsChange(vehicleId: number, from: number): void;
  /** That write is on disk. */
  requestsChanged(vehicleIds: readonly number[]): void;
  /** Called with each revision when it is on disk. */
  revised(revised: Revised): void;
  now(): number;
  report(error: unknown): void;
  /** Logs faults of the thread. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** Files for the thread. */
export interface TaskThreadData {
  /** Path of `station.db`, and SQL for its tables. */
  readonly file: string;
  readonly tables: Readonly<Record<'tasks' | 'history' | 'fleet' | 'events', string>>;
}

/** Tasks that one request names besides those of the feeds. */
const STEP = 50;
/** Tasks and events written at once. */
const RECORDS_PER_WRITE = 12;
/** ms of work before the event loop runs other work. */
const SLICE = 1;
/** Pieces being written to disk. */
const MAX_UNSAVED = 4;
/** Changes without events that may be read again after a crash. */
const READ_AGAIN = 1000;
/** ms between two attempts to start a thread */
const RETRY = 250;
/** ms between two checks for overdue tasks. */
const TICK = 5_000;

/**
 * The events of tasks (types 18 to 23), and which tasks belong to which vehicle, computed from tasks and
 * their history. The progress is stored with the results, so that nothing is missing or double after a crash
 * or after changes of another station. A thread reads and computes; the event loop writes the differences and
 * announces them.
 */
export class TaskEvents {
  readonly #options: TaskEventsOptions;
  readonly #events: Records<EventRecord>;
  readonly #thread: WorkerClient<TaskEventsRequest>;
  /** The history that the running thread has. */
  #sentHistory: TaskHistory | undefined;
  readonly #stops: (() => void)[] = [];
  readonly #pendingTasks = new Set<number>();
  /** How far the feeds are processed, and how far that is on disk. */
  #positions: FeedPositions;
  #savedPositions: FeedPositions;
  /** The last event of each vehicle whose place comes from its track. */
  readonly #lastPlaced = new Map<number, number>();
  #running: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor(options: TaskEventsOptions) {
    const { store, warn } = options;
    this.#options = options;
    this.#events = store.records('events');
    const tables = {
      tasks: store.table('tasks'),
      history: store.table('history'),
      fleet: store.table('fleet'),
      events: store.table('events'),
    };
    this.#thread = new WorkerClient({
      script: siblingUrl(import.meta.url, './task-events.worker'),
      warn,
      name: 'The working out of events of tasks',
      maxWaiting: 1,
      worker: {
        workerData: { file: store.file, tables } satisfies TaskThreadData,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OF_QUIET_THREAD, maxOldGenerationSizeMb: 128 },
      },
    });
    const saved = new Map(
      store.sql
        .prepare('SELECT source, seq FROM event_checkpoints_of_feeds')
        .all()
        .map(({ source, seq }) => [source, seq as number]),
    );
    this.#savedPositions = this.#positions = {
      tasks: saved.get('tasks') ?? 0,
      history: saved.get('history') ?? 0,
      fleet: saved.get('fleet') ?? 0,
    };
    for (const row of store.sql
      .prepare(
        'SELECT vehicle, max(last_event) AS last FROM task_turns JOIN task_lives USING (task) WHERE placed_by_track = 1 GROUP BY vehicle',
      )
      .all()) {
      this.#lastPlaced.set(row['vehicle'] as number, row['last'] as number);
    }
  }

  /** Begins with the changes made while the station was down. */
  start(): void {
    const { store } = this.#options;
    const timer = setInterval(() => this.tick(), TICK);
    timer.unref();
    this.#stops.push(
      () => clearInterval(timer),
      store.feed.watch((changed) => {
        if (SOURCES.some((source) => changed.has(source))) this.#wake();
      }),
      store.onReadOnly(() => this.#wake()),
    );
    this.#wake();
  }

  /** The track of a vehicle has new points from a time on, so events placed by it may move. */
  trackChanged(vehicleId: number, from: number): void {
    if ((this.#lastPlaced.get(vehicleId) ?? -1) < from) return;
    const rows = this.#options.store.sql
      .prepare(
        'SELECT DISTINCT task FROM task_turns JOIN task_lives USING (task) WHERE vehicle = ? AND placed_by_track = 1 AND last_event >= ?',
      )
      .all(vehicleId, from);
    for (const { task } of rows as { task: number }[]) this.#pendingTasks.add(task);
    if (rows.length > 0) this.#wake();
  }

  /** Checks which tasks are overdue now. A timer calls it; tests call it directly. */
  tick(): void {
    if (this.#someAreOverdue()) this.#wake();
  }

  /** Resolves when all changes so far are processed and on disk. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops.splice(0)) stop();
    await this.#thread.close();
    await this.idle();
    await this.#savePositions().catch((error: unknown) => this.#options.report(error));
  }

  /** Whether changes wait for their events. */
  get working(): boolean {
    return this.#running !== undefined;
  }

  /** Ends the thread as a crash would. For tests. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  /** A standby continues from its stored positions after its promotion. */
  get #isPaused(): boolean {
    return this.#closed || this.#options.store.readOnly !== undefined;
  }

  #wake(): void {
    this.#again = true;
    if (this.#isPaused) return;
    // The history of vehicles listens to the same commits, and may be called after this.
    this.#running ??= Promise.resolve()
      .then(() => this.#work())
      .catch((error: unknown) => this.#options.report(error))
      .finally(() => (this.#running = undefined));
  }

  async #work(): Promise<void> {
    while (this.#again && !this.#isPaused) {
      this.#again = false;
      if (!this.#hasWork()) continue;
      const taskIds = [...this.#pendingTasks].slice(0, STEP);
      // A task that changes again meanwhile is read again.
      for (const id of taskIds) this.#pendingTasks.delete(id);
      let answer: TaskEventsResponse | undefined;
      try {
        answer = await this.#workOff(taskIds);
      } finally {
        if (!answer) for (const id of taskIds) this.#pendingTasks.add(id);
      }
      if (!answer) return; // closed
      for (const id of answer.concerned) this.#pendingTasks.add(id);
      this.#positions = answer.positions;
      if (answer.more || this.#pendingTasks.size > 0) this.#again = true;
      // After the results: only the old position finds the rest again.
      if (
        this.#pendingTasks.size === 0 &&
        (answer.derivedTasks.length > 0 ||
          SOURCES.some((source) => this.#positions[source] - this.#savedPositions[source] > READ_AGAIN))
      )
        await this.#savePositions();
      await nextTurn();
    }
  }

  /** Writes the results for these tasks and some of the feeds. Undefined: closed meanwhile. */
  async #workOff(taskIds: readonly number[]): Promise<TaskEventsResponse | undefined> {
    const at = this.#options.now();
    const answer = await this.#ask({
      now: at,
      positions: this.#positions,
      head: this.#options.store.feed.head(),
      taskIds,
    });
    if (!answer) return undefined;
    for (const { taskId, reason } of answer.failed)
      this.#options.report(new Error(`The events of message ${taskId} could not be worked out: ${reason}`));
    await this.#write(answer.derivedTasks, at);
    return answer;
  }

  /** Skips changes that do not concern tasks. */
  #hasWork(): boolean {
    const { store } = this.#options;
    const head = store.feed.head();
    const hasNew = (source: keyof FeedPositions, which = '') =>
      store.sql
        .prepare(`SELECT 1 FROM ${store.table(source)} WHERE seq > ? AND seq <= ? ${which} LIMIT 1`)
        .get(this.#positions[source], head) !== undefined;
    // Of the fleet only these notes concern tasks: for the others no thread is started.
    if (!hasNew('fleet', "AND kind IN ('posting', 'reviewPeriod')"))
      this.#positions = { ...this.#positions, fleet: Math.max(this.#positions.fleet, head) };
    return this.#pendingTasks.size > 0 || SOURCES.some((source) => hasNew(source)) || this.#someAreOverdue();
  }

  #someAreOverdue(): boolean {
    const { store, now } = this.#options;
    return store.sql.prepare('SELECT 1 FROM task_lives WHERE due < ? LIMIT 1').get(now()) !== undefined;
  }

  /** Repeats until a thread answers. Undefined: closed meanwhile. */
  async #ask(request: TaskEventsRequest): Promise<TaskEventsResponse | undefined> {
    while (!this.#closed) {
      const history = this.#options.history.forTasks();
      if (!this.#thread.isRunning) this.#sentHistory = undefined;
      try {
        const answer = this.#thread.request<TaskEventsResponse>({
          ...request,
          history: history === this.#sentHistory ? undefined : history,
        });
        this.#sentHistory = history;
        return await answer;
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind !== 'busy') throw error;
        // It keeps the process: a close that waits for this must not be lost with it.
        if (!this.#closed) await pause(RETRY);
      }
    }
    return undefined;
  }

  /**
   * Writes the differences in pieces, between which the event loop runs. Resolves when all of it is on disk.
   */
  async #write(lives: readonly string[], at: number): Promise<void> {
    const saving: Promise<void>[] = [];
    let batch: TaskRevision[] = [];
    let began = performance.now();
    const save = async () => {
      if (batch.length > 0) {
        const saved = this.#save(batch, at);
        saved.catch(() => undefined); // awaited below
        saving.push(saved);
        batch = [];
        if (saving.length >= MAX_UNSAVED) await saving[saving.length - MAX_UNSAVED];
      }
      await nextTurn();
      began = performance.now();
    };
    for (const life of lives) {
      const differing = this.#revision(JSON.parse(life) as DerivedTask);
      if (differing) batch.push(differing);
      if (countChanges(batch) >= RECORDS_PER_WRITE || performance.now() - began > SLICE) await save();
    }
    await save();
    await Promise.all(saving);
  }

  async #save(revisions: readonly TaskRevision[], at: number): Promise<void> {
    const { store } = this.#options;
    await store.transaction(async () => {
      const writes: Promise<unknown>[] = [];
      for (const { revision } of revisions) {
        if (revision.created.length > 0)
          writes.push(this.#events.insertMany(revision.created.map((event) => eventDraft(event, at, 'task'))));
        for (const event of revision.changed)
          writes.push(this.#events.change(event.id, (record) => ({ ...record, ...eventDraft(event, at, 'task') })));
        for (const event of revision.withdrawn) writes.push(this.#events.remove(event.id));
      }
      writes.push(
        store.writePlain((sql) => {
          for (const { taskId, derived, eventIds, requestsFrom } of revisions) {
            saveTask(sql, taskId, derived, eventIds);
            for (const [vehicleId, from] of requestsFrom) this.#options.requestsChange(vehicleId, from);
          }
        }),
      );
      await Promise.all(writes);
    });
    const others = revisions.flatMap(({ requestsFrom }) => [...requestsFrom.keys()]);
    if (others.length > 0) this.#options.requestsChanged(others);
    for (const { derived, revision } of revisions) {
      for (const { vehicleId, place, from } of derived.events)
        if (place === null) this.#lastPlaced.set(vehicleId, Math.max(from, this.#lastPlaced.get(vehicleId) ?? 0));
      this.#announce(revision);
    }
  }

  async #savePositions(): Promise<void> {
    const reached = this.#positions;
    if (this.#pendingTasks.size > 0 || SOURCES.every((source) => reached[source] === this.#savedPositions[source]))
      return;
    await this.#options.store.writePlain((sql) => {
      const put = sql.prepare(
        'INSERT INTO event_checkpoints_of_feeds (source, seq) VALUES (?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq',
      );
      for (const source of SOURCES) put.run(source, reached[source]);
    });
    this.#savedPositions = reached;
  }

  /** Changes to write about a task; undefined: nothing differs. */
  #revision({ taskId, derived, known }: DerivedTask): TaskRevision | undefined {
    const before = new Map((known?.events ?? []).map((event) => [event.id, event]));
    const after = new Map(derived.events.map((event) => this.#placed(event)).map((event) => [event.id, event]));
    const revision = {
      created: [...after.values()].filter(({ id }) => !before.has(id)),
      changed: [...after.values()].filter((event) => before.has(event.id) && !sameEvent(event, before.get(event.id)!)),
      withdrawn: [...before.values()].filter(({ id }) => !after.has(id)),
    };
    const turnsBefore = known?.turns ?? [];
    const sameTurns = JSON.stringify(sorted(turnsBefore)) === JSON.stringify(sorted(derived.assignments));
    if (
      known &&
      sameTurns &&
      known.due === derived.due &&
      revision.created.length + revision.changed.length + revision.withdrawn.length === 0
    )
      return undefined;
    return {
      taskId,
      derived,
      eventIds: [...after.keys()],
      revision,
      requestsFrom: requestsDiffer(turnsBefore, derived.assignments),
    };
  }

  #placed({ place, vehicleId, ...event }: TaskEvent): VehicleEvent {
    const { lat, lon } = place ?? this.#options.placeAt(vehicleId, event.from) ?? { lat: 0, lon: 0 };
    return { ...event, vehicleId, lat, lon, id: eventId(vehicleId, event), seenAt: event.from, bySilence: false };
  }

  #announce(revision: Pick<Revision, 'created' | 'changed' | 'withdrawn'>): void {
    const { created, changed, withdrawn } = revision;
    for (const vehicleId of new Set([...created, ...changed, ...withdrawn].map((event) => event.vehicleId))) {
      const its = (events: readonly VehicleEvent[]) => events.filter((event) => event.vehicleId === vehicleId);
      this.#options.revised({
        vehicleId,
        reason: 'task',
        created: its(created),
        changed: its(changed),
        withdrawn: its(withdrawn),
      });
    }
  }
}

import type { StatementSync } from 'node:sqlite';
import type { EventRecord, HistoryEntry, Message, Posting, ReviewPeriod } from '../../shared/records/index.ts';
import { DONE } from '../../shared/task-status.ts';
import type { CollectionName, Records, Store } from '../store/door.ts';
import { eventId, sameEvent, type Revision, type VehicleEvent } from './engine.ts';
import type { Revised } from './events.ts';
import type { Pasts } from './pasts.ts';
import { draftOf } from './revision-writer.ts';
import { eventOf } from './stored-memory.ts';
import { lifeOf, storyOf, type TaskEvent, type TaskStory, type TaskSurroundings, type TaskTurn } from './task-life.ts';
import { differsFrom, holds, type RequestPlace } from './world.ts';

export interface TaskBookOptions {
  readonly store: Store;
  /** Where a vehicle was at a time, by its track; undefined: nowhere yet. */
  placeAt(vehicleId: number, time: number): { lat: number; lon: number } | undefined;
  /** Through time: who drove what, and how much time types gave. */
  readonly pasts: Pick<Pasts, 'servicesOf' | 'periodsOf'>;
  /** The requests of a vehicle become others from a time on: called within the write that makes them so. */
  requestsChange(vehicleId: number, from: number): void;
  /** That is on disk. */
  requestsChanged(vehicleIds: readonly number[]): void;
  /** Told of each revision when it is on disk. */
  revised(revised: Revised): void;
  now(): number;
  report(error: unknown): void;
}

/**
 * What changed is followed in the feeds of these; every change of a message's history comes with one of the message itself, but for what other stations send. Of the
 * fleet it is the notes on who drove what, and on how much time types gave.
 */
const SOURCES = ['messages', 'history', 'fleet'] as const satisfies readonly CollectionName[];
const STEP = 50;
/** ms between two looks at which tasks have become overdue. */
const TICK = 5_000;

/**
 * The events of tasks (types 18 to 23) and whose requests are whose, worked out from messages and their history. How far that is done is on disk with what came
 * of it, so that nothing is left out and nothing is there twice, also after a crash, and after changes that came from another station.
 */
export class TaskBook {
  readonly #options: TaskBookOptions;
  readonly #messages: Records<Message>;
  readonly #events: Records<EventRecord>;
  readonly #requests: StatementSync;
  readonly #stops: (() => void)[] = [];
  readonly #toDo = new Set<number>();
  /** How far the feeds are read, where that is not on disk yet: nothing came of it. */
  readonly #reached = new Map<string, number>();
  /** The last event of each vehicle that lies where its track says. */
  readonly #lastPlaced = new Map<number, number>();
  #running: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor(options: TaskBookOptions) {
    const { store } = options;
    this.#options = options;
    this.#messages = store.records('messages');
    this.#events = store.records('events');
    this.#requests = store.sql.prepare('SELECT message, since, till, title, lat, lon FROM task_turns WHERE vehicle = ? AND (till IS NULL OR till > ?) AND lat IS NOT NULL ORDER BY message, since');
    for (const row of store.sql.prepare('SELECT vehicle, max(last_event) AS last FROM task_turns JOIN task_lives USING (message) WHERE placed_by_track = 1 GROUP BY vehicle').all()) {
      this.#lastPlaced.set(row['vehicle'] as number, row['last'] as number);
    }
  }

  /** Begins with what changed while the station was down. */
  start(): void {
    const { store } = this.#options;
    const timer = setInterval(() => this.tick(), TICK);
    timer.unref();
    this.#stops.push(() => clearInterval(timer), store.feed.watch((changed) => {
      if (SOURCES.some((source) => changed.has(source))) this.#wake();
    }));
    this.#wake();
  }

  /** The places of requests that a vehicle serves at a time or later. */
  requests(vehicleId: number, from: number): readonly RequestPlace[] {
    const rows = this.#requests.all(vehicleId, from) as unknown as { message: number; since: number; till: number | null; title: string; lat: number; lon: number }[];
    return rows.map(({ message, since, till, title, lat, lon }) => ({ id: message, title, lat, lon, validFrom: since, validTill: till }));
  }

  /** The track of a vehicle has points from a time on that it had not: events that lie where it was may lie elsewhere. */
  trackChanged(vehicleId: number, from: number): void {
    if ((this.#lastPlaced.get(vehicleId) ?? -1) < from) return;
    const rows = this.#options.store.sql.prepare('SELECT DISTINCT message FROM task_turns JOIN task_lives USING (message) WHERE vehicle = ? AND placed_by_track = 1 AND last_event >= ?').all(vehicleId, from);
    for (const { message } of rows as { message: number }[]) this.#toDo.add(message);
    if (rows.length > 0) this.#wake();
  }

  /** Looks which tasks are overdue by now. Called by a timer; tests call it when they like. */
  tick(): void {
    const rows = this.#options.store.sql.prepare('SELECT message FROM task_lives WHERE due < ?').all(this.#options.now());
    for (const { message } of rows as { message: number }[]) this.#toDo.add(message);
    if (rows.length > 0) this.#wake();
  }

  /** Resolves when everything that happened so far is worked out and on disk. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops.splice(0)) stop();
    await this.idle();
  }

  #wake(): void {
    this.#again = true;
    if (this.#closed) return;
    this.#running ??= this.#work().catch((error: unknown) => this.#options.report(error)).finally(() => (this.#running = undefined));
  }

  async #work(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false;
      const some = [...this.#toDo].slice(0, STEP);
      for (const id of some) this.#toDo.delete(id);
      if (some.length > 0) await this.#workOff(some);
      for (const source of SOURCES) if (await this.#step(source)) this.#again = true;
      if (this.#toDo.size > 0) this.#again = true;
      await new Promise((turn) => setImmediate(turn));
    }
  }

  /** Works off some of what a feed brings; false when it brought nothing. */
  async #step(source: (typeof SOURCES)[number]): Promise<boolean> {
    const { store } = this.#options;
    const reached = store.sql.prepare('SELECT seq FROM event_checkpoints_of_feeds WHERE source = ?').get(source)?.['seq'];
    const { records, checkpoint } = store.feed.since(source, this.#reached.get(source) ?? (typeof reached === 'number' ? reached : 0), STEP);
    if (records.length === 0) return false;
    const ids = [...new Set(records.flatMap(({ record }) => (source === 'messages' ? record['id'] as number : source === 'history' ? record['messageId'] as number : this.#concerned(record))))];
    // How far the feed is read is written with the last of what came of it.
    while (ids.length > STEP) {
      await this.#workOff(ids.splice(0, STEP));
      await new Promise((turn) => setImmediate(turn));
    }
    await this.#workOff(ids, { source, checkpoint, more: records.length === STEP });
    return true;
  }

  /** The messages that are not done and that a note of the fleet may concern. */
  #concerned(record: Record<string, unknown>): number[] {
    const { kind, id, versions } = record as Pick<Posting | ReviewPeriod, 'kind' | 'id' | 'versions'>;
    const open = (field: 'typeId' | 'assignedUserId', ids: readonly number[]) => {
      const { sql, table } = this.#options.store;
      return sql.prepare(`SELECT json_extract(data, '$.id') AS id FROM ${table('messages')} WHERE deleted = 0 AND withdrawn = 0 AND archived = 0 AND ${field} IN (SELECT value FROM json_each(?)) AND status <> ${DONE}`).all(JSON.stringify(ids)).map((row) => row['id'] as number);
    };
    if (kind === 'reviewPeriod') return open('typeId', [id]);
    if (kind === 'posting') return open('assignedUserId', [...new Set((versions as Posting['versions']).flatMap(({ userIds }) => userIds))]);
    return [];
  }

  async #workOff(messageIds: readonly number[], reached?: { source: string; checkpoint: number; more: boolean }): Promise<void> {
    const { store, now } = this.#options;
    const at = now();
    const done = messageIds.flatMap((id) => this.#revision(id, at) ?? []);
    if (reached) this.#reached.set(reached.source, reached.checkpoint);
    if (done.length === 0 && (!reached || reached.more)) return;
    await store.together(async () => {
      const writes: Promise<unknown>[] = [];
      for (const { revision } of done) {
        if (revision.created.length > 0) writes.push(this.#events.insertMany(revision.created.map((event) => draftOf(event, at, 'task'))));
        for (const event of revision.changed) writes.push(this.#events.change(event.id, (record) => ({ ...record, ...draftOf(event, at, 'task') })));
        for (const event of revision.withdrawn) writes.push(this.#events.remove(event.id));
      }
      writes.push(store.writePlain((sql) => {
        for (const { messageId, story, eventIds, requestsFrom } of done) {
          saveStory(sql, messageId, story, eventIds);
          for (const [vehicleId, from] of requestsFrom) this.#options.requestsChange(vehicleId, from);
        }
        if (reached) sql.prepare('INSERT INTO event_checkpoints_of_feeds (source, seq) VALUES (?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq').run(reached.source, reached.checkpoint);
      }));
      await Promise.all(writes);
    });
    const others = done.flatMap(({ requestsFrom }) => [...requestsFrom.keys()]);
    if (others.length > 0) this.#options.requestsChanged(others);
    for (const { story, revision } of done) {
      for (const { vehicleId, place, from } of story.events) if (place === null) this.#lastPlaced.set(vehicleId, Math.max(from, this.#lastPlaced.get(vehicleId) ?? 0));
      this.#tell(revision);
    }
  }

  /** What is to be written about a message; undefined: nothing differs. */
  #revision(messageId: number, at: number): TaskRevision | undefined {
    const { store } = this.#options;
    const known = store.sql.prepare('SELECT events, due FROM task_lives WHERE message = ?').get(messageId) as { events: string; due: number | null } | undefined;
    const message = this.#messages.get(messageId);
    const story = message ? storyOf(lifeOf(message, this.#historyOf(messageId)), this.#surroundings(), at) : NO_STORY;
    // Most messages are nobody's yet.
    if (!known && story.turns.length === 0 && story.events.length === 0) return undefined;

    const before = new Map((known ? (JSON.parse(known.events) as number[]) : []).flatMap((id) => this.#events.get(id) ?? []).map((record) => [record.id, eventOf(record)]));
    const after = new Map(story.events.map((event) => this.#placed(event)).map((event) => [event.id, event]));
    const revision = {
      created: [...after.values()].filter(({ id }) => !before.has(id)),
      changed: [...after.values()].filter((event) => before.has(event.id) && !sameEvent(event, before.get(event.id)!)),
      withdrawn: [...before.values()].filter(({ id }) => !after.has(id)),
    };
    const turnsBefore = this.#turnsOf(messageId);
    const requestsFrom = requestsDiffer(turnsBefore, story.turns);
    const sameTurns = JSON.stringify(turnsBefore) === JSON.stringify(sorted(story.turns));
    if (known && sameTurns && known.due === story.due && revision.created.length + revision.changed.length + revision.withdrawn.length === 0) return undefined;
    return { messageId, story, eventIds: [...after.keys()], revision, requestsFrom };
  }

  #placed({ place, vehicleId, ...event }: TaskEvent): VehicleEvent {
    const { lat, lon } = place ?? this.#options.placeAt(vehicleId, event.from) ?? { lat: 0, lon: 0 };
    return { ...event, vehicleId, lat, lon, id: eventId(vehicleId, event), seenAt: event.from, bySilence: false };
  }

  #surroundings(): TaskSurroundings {
    const { pasts } = this.#options;
    return {
      reviewSeconds: (typeId, at) => pasts.periodsOf(typeId).findLast(({ validFrom }) => validFrom <= at)?.seconds ?? 0,
      vehiclesOf: (userId, at) => pasts.servicesOf(userId).filter((service) => holds(service, at)).map(({ vehicleId }) => vehicleId),
      changesOf: (userId, typeId) => [
        ...pasts.servicesOf(userId).flatMap(({ validFrom, validTill }) => (validTill === null ? [validFrom] : [validFrom, validTill])),
        ...pasts.periodsOf(typeId).map(({ validFrom }) => validFrom),
      ],
    };
  }

  #historyOf(messageId: number): HistoryEntry[] {
    const { store } = this.#options;
    return store.sql.prepare(`SELECT data FROM ${store.table('history')} WHERE deleted = 0 AND messageId = ?`).all(messageId).map((row) => JSON.parse(row['data'] as string) as HistoryEntry);
  }

  #turnsOf(messageId: number): TaskTurn[] {
    const rows = this.#options.store.sql.prepare('SELECT vehicle, since, till, title, lat, lon FROM task_turns WHERE message = ?').all(messageId) as unknown as { vehicle: number; since: number; till: number | null; title: string; lat: number | null; lon: number | null }[];
    return sorted(rows.map(({ vehicle, since, till, title, lat, lon }) => ({ vehicleId: vehicle, since, till, title, place: lat === null || lon === null ? null : { lon, lat } })));
  }

  #tell(revision: Pick<Revision, 'created' | 'changed' | 'withdrawn'>): void {
    const { created, changed, withdrawn } = revision;
    for (const vehicleId of new Set([...created, ...changed, ...withdrawn].map((event) => event.vehicleId))) {
      const its = (events: readonly VehicleEvent[]) => events.filter((event) => event.vehicleId === vehicleId);
      this.#options.revised({ vehicleId, reason: 'task', created: its(created), changed: its(changed), withdrawn: its(withdrawn) });
    }
  }
}

interface TaskRevision {
  readonly messageId: number;
  readonly story: TaskStory;
  readonly eventIds: readonly number[];
  readonly revision: Pick<Revision, 'created' | 'changed' | 'withdrawn'>;
  /** Vehicles whose requests differ, and from when on. */
  readonly requestsFrom: ReadonlyMap<number, number>;
}

const NO_STORY: TaskStory = { events: [], turns: [], due: null };

function sorted(turns: readonly TaskTurn[]): TaskTurn[] {
  return turns.map(({ vehicleId, since, till, title, place }) => ({ vehicleId, since, till, title, place })).sort((a, b) => a.vehicleId - b.vehicleId || a.since - b.since);
}

/** Only what has a place can be arrived at. */
function requestsDiffer(before: readonly TaskTurn[], after: readonly TaskTurn[]): Map<number, number> {
  const differing = new Map<number, number>();
  for (const vehicleId of new Set([...before, ...after].map((turn) => turn.vehicleId))) {
    const its = (turns: readonly TaskTurn[]) => turns.flatMap((turn) => (turn.vehicleId === vehicleId && turn.place ? [{ id: 0, ...turn.place, title: turn.title, validFrom: turn.since, validTill: turn.till }] : []));
    const from = differsFrom(its(before), its(after));
    if (from !== undefined) differing.set(vehicleId, from);
  }
  return differing;
}

function saveStory(sql: Store['sql'], messageId: number, { turns, events, due }: TaskStory, eventIds: readonly number[]): void {
  sql.prepare('INSERT OR REPLACE INTO task_lives (message, events, due, placed_by_track, last_event) VALUES (?, ?, ?, ?, ?)')
    .run(messageId, JSON.stringify(eventIds), due, Number(events.some(({ place }) => place === null)), Math.max(0, ...events.map(({ from }) => from)));
  sql.prepare('DELETE FROM task_turns WHERE message = ?').run(messageId);
  const put = sql.prepare('INSERT INTO task_turns (vehicle, since, message, till, title, lat, lon) VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (const { vehicleId, since, till, title, place } of turns) put.run(vehicleId, since, messageId, till, title, place?.lat ?? null, place?.lon ?? null);
}

import { isMerged, rootOf } from '../../../shared/tasks/merged.ts';
import type { Actor } from '../../../shared/access.ts';
import { withoutMentions } from '../../../shared/text/mentions.ts';
import { Mutex } from '../../platform/mutex.ts';
import type { Store } from '../../store/types.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { readEido, type IncomingIncident, type IncomingNote } from './read-eido.ts';
import { elementOf } from './write-eido.ts';

interface IncidentsOptions {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly now: () => number;
}

/** The type and the organization of a task that an incident becomes; no organization: that of the caller. */
export interface IncidentDefaults {
  readonly typeId: number;
  readonly organizationId?: number | undefined;
}

/** The outcome of a message. */
export interface TakenIncident {
  readonly taskId: number;
  readonly isNew: boolean;
  /** Notes that became comments. */
  readonly comments: number;
}

/** Incidents of other systems, and the tasks that they became: a table of this station (README). */
export class Incidents {
  readonly #options: IncidentsOptions;
  readonly #mutex = new Mutex();

  private constructor(options: IncidentsOptions) {
    this.#options = options;
  }

  static async open(options: IncidentsOptions): Promise<Incidents> {
    await options.store.writePlain((sql) =>
      sql.exec(`
        CREATE TABLE IF NOT EXISTS eido_incidents (
          id TEXT PRIMARY KEY, task_id INTEGER NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS eido_notes (
          task_id INTEGER NOT NULL, note TEXT NOT NULL, PRIMARY KEY (task_id, note)) STRICT, WITHOUT ROWID;`),
    );
    return new Incidents(options);
  }

  /** Takes a message with the rights of the actor. Resolves when what it became is on disk. */
  take(actor: Actor, body: unknown, defaults: IncidentDefaults): Promise<TakenIncident> {
    const incident = readEido(body);
    return this.#mutex.run(() => this.#options.store.transaction(() => this.#take(actor, incident, defaults)));
  }

  async #take(actor: Actor, incident: IncomingIncident, defaults: IncidentDefaults): Promise<TakenIncident> {
    const { tasks } = this.#options;
    const known = this.#taskOf(incident.id);
    if (known === undefined) return this.#create(actor, incident, defaults);
    const task = tasks.get(actor, known);
    const taskId = isMerged(task) ? rootOf(known, (id) => tasks.stored(id)) : known;
    const fresh = incident.notes.filter((note) => this.#isNew(known, note));
    for (const note of fresh) await tasks.comments.add(actor, taskId, { text: withoutMentions(note.text) });
    await this.#remember(known, fresh);
    return { taskId, isNew: false, comments: fresh.length };
  }

  async #create(
    actor: Actor,
    { id, title, notes, address, point, priority, head }: IncomingIncident,
    { typeId, organizationId }: IncidentDefaults,
  ): Promise<TakenIncident> {
    const { store, tasks, now } = this.#options;
    const taskId = tasks.takeId();
    await store.writePlain((sql) =>
      sql.prepare('INSERT INTO eido_incidents (id, task_id, at) VALUES (?, ?, ?)').run(id, taskId, now()),
    );
    await this.#remember(taskId, notes);
    await tasks.create(
      actor,
      {
        ...{ title, typeId, address, priority, systemData: head.join('\n') },
        text: notes
          .map(({ text }) => text)
          .join('\n\n')
          .slice(0, LONGEST_TEXT),
        ...(organizationId !== undefined && { organizationId }),
        ...(point && { point: { lat: point.lat, lon: point.lon } }),
      },
      [],
      undefined,
      taskId,
    );
    return { taskId, isNew: true, comments: 0 };
  }

  /** The task of an incident: one that it became, or our own that comes back. */
  #taskOf(id: string): number | undefined {
    const { store, tasks } = this.#options;
    const row = store.sql.prepare('SELECT task_id AS taskId FROM eido_incidents WHERE id = ?').get(id);
    if (row) return Number(row['taskId']);
    const own = /^urn:emergency:uid:incidentid:(\d{1,10}):(.+)$/.exec(id);
    const taskId = own?.[2] === elementOf(store.stationId) ? Number(own[1]) : undefined;
    return taskId !== undefined && tasks.stored(taskId) ? taskId : undefined;
  }

  /** Not one that we sent, nor one that was taken. A note without an id is known by its text. */
  #isNew(taskId: number, note: IncomingNote): boolean {
    const { store } = this.#options;
    if (note.id.endsWith(`@${elementOf(store.stationId)}`)) return false;
    return !store.sql.prepare('SELECT 1 FROM eido_notes WHERE task_id = ? AND note = ?').get(taskId, keyOf(note));
  }

  async #remember(taskId: number, notes: readonly IncomingNote[]): Promise<void> {
    await this.#options.store.writePlain((sql) => {
      const insert = sql.prepare('INSERT OR IGNORE INTO eido_notes (task_id, note) VALUES (?, ?)');
      for (const note of notes) insert.run(taskId, keyOf(note));
    });
  }
}

const LONGEST_TEXT = 100_000;

function keyOf({ id, text }: IncomingNote): string {
  return id || text.slice(0, 1_000);
}

import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { SmsMark, SmsProblem } from '../../../shared/records/index.ts';
import type { Store } from '../../store/types.ts';
import type { DeliveryReport } from './gateway.ts';

/** The purpose of a text. */
export type SmsPurpose = 'crew' | 'reply' | 'sending' | 'notice' | 'test';
export type SmsState = SmsMark['state'];

export interface SentSms {
  readonly id: number;
  readonly publicId: string;
  readonly purpose: SmsPurpose;
  /** Epoch ms. */
  readonly at: number;
  readonly number: string;
  readonly name: string;
  readonly text: string;
  /** The message to crews that it repeats, or 0. */
  readonly crewMessageId: number;
  readonly vehicleId: number;
  readonly organizationId: number;
  readonly state: SmsState;
  readonly attempts: number;
  readonly nextAt: number;
  readonly sentAt: number | null;
  readonly deliveredAt: number | null;
  /** Why it was not sent, or not yet; empty: nothing is known against it. */
  readonly problem: SmsProblem | '';
  /** The error text of the gateway. */
  readonly error: string;
}

export interface SmsDraft {
  readonly purpose: SmsPurpose;
  /** Empty: nobody knows one. It is kept as failed. */
  readonly number: string;
  readonly name: string;
  readonly text: string;
  readonly crewMessageId?: number;
  readonly vehicleId?: number;
  readonly organizationId: number;
}

const COLUMNS =
  'id, public_id AS publicId, purpose, at, number, name, text, crew_message_id AS crewMessageId, vehicle_id AS vehicleId, organization_id AS organizationId, state, attempts, next_at AS nextAt, sent_at AS sentAt, delivered_at AS deliveredAt, problem, error';
/** ms after which what was finished is removed. */
const KEEP = 90 * 86_400_000;
/** ms for which a report of an unknown text is kept: it may have come before the answer to the text. */
const KEEP_EARLY = 3_600_000;
const REMOVED_AT_ONCE = 5_000;
/** The record of the message does not say how far the text has come. */
const UNNOTED = "noted <> state || '/' || problem";

/** Texts that go out, a table of this station. Of one number only the oldest unsent one may be handed over. */
export class SmsOutbox {
  readonly #store: Store;
  readonly #now: () => number;

  private constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  static async open(store: Store, now: () => number): Promise<SmsOutbox> {
    await store.writePlain((sql) => {
      openTables(sql);
      // Texts that a restored backup holds as unsent may have been sent since.
      sql
        .prepare(
          "UPDATE sms_sent SET state = 'failed', problem = 'restored', next_at = 0 WHERE state = 'queued' AND epoch <> ?",
        )
        .run(store.feed.epoch);
    });
    return new SmsOutbox(store, now);
  }

  /** Adds texts, inside a write. Returns their ids. */
  add(sql: DatabaseSync, drafts: readonly SmsDraft[]): number[] {
    const insert = sql.prepare(
      `INSERT INTO sms_sent (public_id, purpose, at, number, name, text, crew_message_id, vehicle_id, organization_id,
         state, attempts, next_at, problem, error, noted, epoch)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, '', '', ?)`,
    );
    const now = this.#now();
    return drafts.map(({ purpose, number, name, text, crewMessageId = 0, vehicleId = 0, organizationId }) => {
      const [state, problem] = number === '' ? ['failed', 'noNumber'] : ['queued', ''];
      const what = [randomUUID(), purpose, now, number, name, text, crewMessageId, vehicleId, organizationId];
      return Number(insert.run(...what, state!, now, problem!, this.#store.feed.epoch).lastInsertRowid);
    });
  }

  /** Texts that may be handed over now, the longest due first. */
  due(limit: number): SentSms[] {
    return this.#read(
      `SELECT ${COLUMNS} FROM sms_sent AS sent WHERE state = 'queued' AND next_at <= ? AND NOT EXISTS (
         SELECT 1 FROM sms_sent AS earlier
         WHERE earlier.state = 'queued' AND earlier.number = sent.number AND earlier.id < sent.id)
       ORDER BY next_at, id LIMIT ?`,
      this.#now(),
      limit,
    );
  }

  /** When the next one is due; undefined: nothing is queued. */
  get nextDue(): number | undefined {
    const next = this.#store.sql.prepare("SELECT min(next_at) AS at FROM sms_sent WHERE state = 'queued'").get()!['at'];
    return next === null ? undefined : Number(next);
  }

  /** Texts that are not sent yet. */
  get queued(): number {
    return Number(
      this.#store.sql.prepare("SELECT count(*) AS count FROM sms_sent WHERE state = 'queued'").get()!['count'],
    );
  }

  /** Newest first. @param filter.organizationIds undefined: of all */
  list(filter: {
    state?: SmsState | undefined;
    before?: number | undefined;
    limit: number;
    organizationIds: readonly number[] | undefined;
  }): SentSms[] {
    const { state, before, limit, organizationIds } = filter;
    const conditions = [
      ...(state ? ['state = ?'] : []),
      ...(before ? ['id < ?'] : []),
      ...(organizationIds ? ['organization_id IN (SELECT value FROM json_each(?))'] : []),
    ];
    return this.#read(
      `SELECT ${COLUMNS} FROM sms_sent ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''} ORDER BY id DESC LIMIT ?`,
      ...(state ? [state] : []),
      ...(before ? [before] : []),
      ...(organizationIds ? [JSON.stringify(organizationIds)] : []),
      limit,
    );
  }

  get(id: number): SentSms | undefined {
    return this.#read(`SELECT ${COLUMNS} FROM sms_sent WHERE id = ?`, id)[0];
  }

  /** The gateway's ids of the parts that it has taken, in order. */
  taken(id: number): string[] {
    const rows = this.#store.sql.prepare('SELECT gateway_id FROM sms_parts WHERE sms_id = ? ORDER BY part').all(id);
    return rows.map((row) => String(row['gateway_id']));
  }

  /** An attempt begins: stored before, so that a station with a full disk does not send one text without end. */
  async begin({ id, attempts }: SentSms, nextAt: number): Promise<void> {
    await this.#set(id, 'attempts = ?, next_at = ?', attempts + 1, nextAt);
  }

  /** The gateway took a part. A report of it may have come before. */
  async takenPart(id: number, gatewayId: string): Promise<void> {
    await this.#store.writePlain((sql) => {
      const part = Number(sql.prepare('SELECT count(*) AS count FROM sms_parts WHERE sms_id = ?').get(id)!['count']);
      const early = sql.prepare('SELECT state, error FROM sms_early WHERE gateway_id = ?').get(gatewayId);
      sql
        .prepare('INSERT INTO sms_parts (sms_id, part, gateway_id, state) VALUES (?, ?, ?, ?)')
        .run(id, part, gatewayId, early ? String(early['state']) : '');
      sql.prepare('DELETE FROM sms_early WHERE gateway_id = ?').run(gatewayId);
      if (early?.['state'] === 'failed')
        sql.prepare('UPDATE sms_sent SET error = ? WHERE id = ?').run(early['error']!, id);
    });
  }

  /** The gateway has all of it. */
  async finish(id: number): Promise<void> {
    const now = this.#now();
    await this.#store.writePlain((sql) => {
      sql
        .prepare("UPDATE sms_sent SET state = 'sent', sent_at = ?, problem = '' WHERE id = ? AND state = 'queued'")
        .run(now, id);
      settle(sql, id, now);
    });
  }

  async postpone(id: number, nextAt: number, problem: SmsProblem, error: string): Promise<void> {
    await this.#set(id, 'next_at = ?, problem = ?, error = ?', nextAt, problem, error);
  }

  async fail(id: number, problem: SmsProblem, error: string): Promise<void> {
    await this.#set(id, "state = 'failed', problem = ?, error = ?", problem, error);
  }

  /** Makes all waiting texts due now: the gateway can be reached again. */
  async hurry(): Promise<void> {
    const now = this.#now();
    await this.#store.writePlain((sql) =>
      sql.prepare("UPDATE sms_sent SET next_at = ? WHERE state = 'queued' AND next_at > ?").run(now, now),
    );
  }

  /** Queues one again that failed, as a text of its own for the gateway. */
  async sendAgain(id: number, number: string): Promise<void> {
    await this.#store.writePlain((sql) => {
      const { changes } = sql
        .prepare(
          `UPDATE sms_sent SET state = 'queued', public_id = ?, at = ?, attempts = 0, next_at = ?, sent_at = NULL,
             delivered_at = NULL, problem = '', error = '', number = ?, epoch = ? WHERE id = ? AND state = 'failed'`,
        )
        .run(randomUUID(), this.#now(), this.#now(), number, this.#store.feed.epoch, id);
      if (changes > 0) sql.prepare('DELETE FROM sms_parts WHERE sms_id = ?').run(id);
    });
  }

  /** Stores the state that the gateway reports of a text or a part of it. */
  async report({ gatewayId, state, error }: DeliveryReport): Promise<void> {
    const now = this.#now();
    await this.#store.writePlain((sql) => {
      const part = partOf(sql, gatewayId);
      if (!part) {
        const keep = 'INSERT OR REPLACE INTO sms_early (gateway_id, state, error, at) VALUES (?, ?, ?, ?)';
        sql.prepare(keep).run(gatewayId, state, error, now);
        sql.prepare('DELETE FROM sms_early WHERE at < ?').run(now - KEEP_EARLY);
        return;
      }
      const { sms_id: id, part: index } = part;
      sql.prepare('UPDATE sms_parts SET state = ? WHERE sms_id = ? AND part = ?').run(state, id!, index!);
      if (state === 'failed') sql.prepare('UPDATE sms_sent SET error = ? WHERE id = ?').run(error, id!);
      settle(sql, Number(id), now);
    });
  }

  /** Messages to crews of which a text came further than their records say. */
  unnoted(limit: number): number[] {
    return this.#store.sql
      .prepare(`SELECT DISTINCT crew_message_id AS id FROM sms_sent WHERE crew_message_id > 0 AND ${UNNOTED} LIMIT ?`)
      .all(limit)
      .map((row) => Number(row['id']));
  }

  /** How far the texts of a message to crews have come, by vehicle. */
  marksOf(crewMessageId: number): Record<string, SmsMark> {
    const rows = this.#read(`SELECT ${COLUMNS} FROM sms_sent WHERE crew_message_id = ? ORDER BY id`, crewMessageId);
    return Object.fromEntries(rows.map(({ vehicleId, state, problem }) => [vehicleId, { state, problem }]));
  }

  async noted(crewMessageId: number, marks: Readonly<Record<string, SmsMark>>): Promise<void> {
    await this.#store.writePlain((sql) => {
      const update = sql.prepare('UPDATE sms_sent SET noted = ? WHERE crew_message_id = ? AND vehicle_id = ?');
      for (const [vehicleId, { state, problem }] of Object.entries(marks))
        update.run(`${state}/${problem}`, crewMessageId, Number(vehicleId));
    });
  }

  async sweep(): Promise<void> {
    for (;;) {
      const removed = await this.#store.writePlain((sql) => {
        const { changes } = sql
          .prepare(
            `DELETE FROM sms_sent WHERE id IN (SELECT id FROM sms_sent WHERE state <> 'queued' AND at < ? LIMIT ?)`,
          )
          .run(this.#now() - KEEP, REMOVED_AT_ONCE);
        sql.exec('DELETE FROM sms_parts WHERE sms_id NOT IN (SELECT id FROM sms_sent)');
        return Number(changes);
      });
      if (removed < REMOVED_AT_ONCE) return;
    }
  }

  async #set(id: number, columns: string, ...values: (string | number)[]): Promise<void> {
    await this.#store.writePlain((sql) =>
      sql.prepare(`UPDATE sms_sent SET ${columns} WHERE id = ? AND state = 'queued'`).run(...values, id),
    );
  }

  #read(query: string, ...values: (string | number)[]): SentSms[] {
    return this.#store.sql.prepare(query).all(...values) as unknown as SentSms[];
  }
}

function partOf(sql: DatabaseSync, gatewayId: string) {
  const find = sql.prepare('SELECT sms_id, part FROM sms_parts WHERE gateway_id = ? ORDER BY sms_id DESC LIMIT 1');
  const found = find.get(gatewayId);
  if (found) return found;
  const own = sql.prepare('SELECT id FROM sms_sent WHERE public_id = ?').get(gatewayId);
  return own && sql.prepare('SELECT sms_id, part FROM sms_parts WHERE sms_id = ?').get(own['id']!);
}

/** A text is delivered when all of its parts are, and failed when one is. */
function settle(sql: DatabaseSync, id: number, now: number): void {
  const { failed, open } = sql
    .prepare("SELECT sum(state = 'failed') AS failed, sum(state = '') AS open FROM sms_parts WHERE sms_id = ?")
    .get(id) as { failed: number | null; open: number | null };
  if (failed)
    sql
      .prepare("UPDATE sms_sent SET state = 'failed', problem = 'undelivered' WHERE id = ? AND state = 'sent'")
      .run(id);
  else if (open === 0)
    sql
      .prepare(
        "UPDATE sms_sent SET state = 'delivered', delivered_at = ?, problem = '', error = '' WHERE id = ? AND state = 'sent'",
      )
      .run(now, id);
}

function openTables(sql: DatabaseSync): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS sms_sent (
      id INTEGER PRIMARY KEY AUTOINCREMENT, public_id TEXT NOT NULL UNIQUE, purpose TEXT NOT NULL, at INTEGER NOT NULL,
      number TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, crew_message_id INTEGER NOT NULL,
      vehicle_id INTEGER NOT NULL, organization_id INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
      next_at INTEGER NOT NULL, sent_at INTEGER, delivered_at INTEGER, problem TEXT NOT NULL, error TEXT NOT NULL,
      noted TEXT NOT NULL, epoch TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS sms_sent_due ON sms_sent (next_at, id) WHERE state = 'queued';
    CREATE INDEX IF NOT EXISTS sms_sent_of_number ON sms_sent (number, id) WHERE state = 'queued';
    CREATE INDEX IF NOT EXISTS sms_sent_list ON sms_sent (state, id);
    CREATE INDEX IF NOT EXISTS sms_sent_of_message ON sms_sent (crew_message_id) WHERE crew_message_id > 0;
    CREATE INDEX IF NOT EXISTS sms_sent_unnoted ON sms_sent (crew_message_id) WHERE crew_message_id > 0 AND ${UNNOTED};
    CREATE TABLE IF NOT EXISTS sms_parts (
      sms_id INTEGER NOT NULL, part INTEGER NOT NULL, gateway_id TEXT NOT NULL, state TEXT NOT NULL,
      PRIMARY KEY (sms_id, part)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS sms_parts_by_id ON sms_parts (gateway_id);
    CREATE TABLE IF NOT EXISTS sms_early (
      gateway_id TEXT PRIMARY KEY, state TEXT NOT NULL, error TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;`);
}

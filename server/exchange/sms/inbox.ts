import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../store/types.ts';
import type { IncomingText } from './gateway.ts';

/**
 * States of a received text: not processed yet; a message of a crew; a status of its vehicle, set or refused;
 * an answer to a message; from an unknown number; such a one that somebody has dealt with.
 */
export const RECEIVED_STATES = ['new', 'words', 'status', 'notSet', 'answer', 'unknown', 'done'] as const;
export type ReceivedState = (typeof RECEIVED_STATES)[number];

export interface ReceivedSms {
  readonly id: number;
  readonly at: number;
  readonly number: string;
  readonly text: string;
  readonly state: ReceivedState;
  /** Whose crew wrote it, or 0. */
  readonly vehicleId: number;
}

const COLUMNS = 'id, at, number, text, state, vehicle_id AS vehicleId';
/** Texts of one unknown number, and of all of them, that are kept within a day. */
const MOST_OF_ONE = 20;
const MOST_UNKNOWN = 500;
const DAY = 86_400_000;
const KEEP = 90 * DAY;
/** ms for which the ids of a gateway are known again. */
const KNOWN_AGAIN = 7 * DAY;
/** ms after which a text is taken without the parts that did not come. */
export const PATIENCE = 30 * 60_000;
/** Characters of a text in all of its parts. */
const LONGEST = 2_000;

/** Texts that came in, a table of this station. What is acknowledged to a gateway is on disk. */
export class SmsInbox {
  readonly #store: Pick<Store, 'sql' | 'writePlain'>;
  readonly #now: () => number;

  private constructor(store: Pick<Store, 'sql' | 'writePlain'>, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  static async open(store: Pick<Store, 'sql' | 'writePlain'>, now: () => number): Promise<SmsInbox> {
    await store.writePlain(openTables);
    return new SmsInbox(store, now);
  }

  /** Stores a text, or a part of one. @returns whether there is something to process now */
  async keep({ number, text, gatewayId, part }: IncomingText): Promise<boolean> {
    const now = this.#now();
    return this.#store.writePlain((sql) => {
      if (gatewayId !== '') {
        const note = 'INSERT OR IGNORE INTO sms_known (gateway_id, at) VALUES (?, ?)';
        if (Number(sql.prepare(note).run(gatewayId, now).changes) === 0) return false;
      }
      if (!part || part.count < 2) {
        insert(sql, { number, text, at: now });
        return true;
      }
      const { reference, index, count } = part;
      sql
        .prepare(
          'INSERT OR REPLACE INTO sms_pieces (number, reference, count, piece, text, at) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(number, reference, count, index, text, now);
      return joinPieces(sql, now);
    });
  }

  /** Takes texts whose last parts did not come. Returns whether there are any. */
  joinLate(): Promise<boolean> {
    return this.#store.writePlain((sql) => joinPieces(sql, this.#now()));
  }

  /** Unread texts, oldest first. */
  fresh(limit: number): ReceivedSms[] {
    return this.#read(`SELECT ${COLUMNS} FROM sms_received WHERE state = 'new' ORDER BY id LIMIT ?`, limit);
  }

  /** Records the result for one, inside a write. */
  settle(sql: DatabaseSync, id: number, state: ReceivedState, vehicleId: number): void {
    sql.prepare('UPDATE sms_received SET state = ?, vehicle_id = ? WHERE id = ?').run(state, vehicleId, id);
  }

  /** Keeps a text of an unknown number, within the limits for that number and for all of them. */
  async settleUnknown({ id, number }: ReceivedSms): Promise<boolean> {
    const since = this.#now() - DAY;
    return this.#store.writePlain((sql) => {
      const { own, all } = sql
        .prepare(
          "SELECT count(*) AS total, coalesce(sum(number = ?), 0) AS own, count(*) AS [all] FROM sms_received WHERE state IN ('unknown', 'done') AND at > ?",
        )
        .get(number, since) as { own: number; all: number };
      if (own >= MOST_OF_ONE || all >= MOST_UNKNOWN) {
        sql.prepare('DELETE FROM sms_received WHERE id = ?').run(id);
        return false;
      }
      this.settle(sql, id, 'unknown', 0);
      return true;
    });
  }

  get(id: number): ReceivedSms | undefined {
    return this.#read(`SELECT ${COLUMNS} FROM sms_received WHERE id = ?`, id)[0];
  }

  /** Texts of unknown numbers that nobody has dealt with, newest first. */
  unknown(limit: number): ReceivedSms[] {
    return this.#read(`SELECT ${COLUMNS} FROM sms_received WHERE state = 'unknown' ORDER BY id DESC LIMIT ?`, limit);
  }

  async sweep(): Promise<void> {
    const now = this.#now();
    await this.#store.writePlain((sql) => {
      sql.prepare("DELETE FROM sms_received WHERE state <> 'new' AND at < ?").run(now - KEEP);
      sql.prepare('DELETE FROM sms_known WHERE at < ?').run(now - KNOWN_AGAIN);
    });
  }

  #read(query: string, ...values: (string | number)[]): ReceivedSms[] {
    return this.#store.sql.prepare(query).all(...values) as unknown as ReceivedSms[];
  }
}

function insert(sql: DatabaseSync, { number, text, at }: Pick<ReceivedSms, 'number' | 'text' | 'at'>): void {
  if (text.trim() === '') return; // it says nothing
  sql
    .prepare("INSERT INTO sms_received (at, number, text, state, vehicle_id) VALUES (?, ?, ?, 'new', 0)")
    .run(at, number, [...text].slice(0, LONGEST).join(''));
}

/** Makes texts of parts that are all there, or that have waited long enough for the others. */
function joinPieces(sql: DatabaseSync, now: number): boolean {
  const rows = sql
    .prepare(
      `SELECT number, reference, count FROM sms_pieces GROUP BY number, reference, count
       HAVING count(*) >= count OR max(at) < ?`,
    )
    .all(now - PATIENCE);
  for (const row of rows) {
    const key = [row['number']!, row['reference']!, row['count']!];
    const pieces = sql
      .prepare('SELECT piece, text FROM sms_pieces WHERE number = ? AND reference = ? AND count = ? ORDER BY piece')
      .all(...key);
    const texts = new Map(pieces.map((piece) => [Number(piece['piece']), String(piece['text'])]));
    const all = Array.from({ length: Math.min(Number(row['count']), 255) }, (_, index) => texts.get(index + 1) ?? '…');
    insert(sql, { number: String(row['number']), text: all.join(''), at: now });
    sql.prepare('DELETE FROM sms_pieces WHERE number = ? AND reference = ? AND count = ?').run(...key);
  }
  return rows.length > 0;
}

function openTables(sql: DatabaseSync): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS sms_received (
      id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, number TEXT NOT NULL, text TEXT NOT NULL,
      state TEXT NOT NULL, vehicle_id INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS sms_received_list ON sms_received (state, id);
    CREATE INDEX IF NOT EXISTS sms_received_at ON sms_received (at);
    CREATE TABLE IF NOT EXISTS sms_known (gateway_id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS sms_pieces (
      number TEXT NOT NULL, reference INTEGER NOT NULL, count INTEGER NOT NULL, piece INTEGER NOT NULL,
      text TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (number, reference, count, piece)) WITHOUT ROWID;`);
}

import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../store/types.ts';

/** `blocked`: an earlier delivery about the same record is not finished. */
export type DeliveryState = 'blocked' | 'waiting' | 'sent' | 'failed';

export interface Delivery {
  readonly id: number;
  readonly webhookId: number;
  /** The same in every attempt, so that receivers recognize what they have. */
  readonly publicId: string;
  readonly type: string;
  readonly record: string;
  readonly body: string;
  /** Epoch ms. */
  readonly at: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When the next attempt is due. */
  readonly nextAt: number;
  readonly sentAt: number | null;
  /** Status of the last answer; 0: none came. */
  readonly status: number;
  /** Why the last attempt failed. */
  readonly error: string;
}

export type DeliveryDraft = Pick<Delivery, 'webhookId' | 'publicId' | 'type' | 'record' | 'body' | 'at'>;

const COLUMNS =
  'id, webhook_id AS webhookId, public_id AS publicId, type, record, body, at, state, attempts, next_at AS nextAt, sent_at AS sentAt, status, error';
/** ms after which finished deliveries are removed. */
const KEEP_SENT = 7 * 86_400_000;
const KEEP_FAILED = 30 * 86_400_000;
/** Rows that one statement removes, so that no commit is long. */
const REMOVED_AT_ONCE = 5_000;

/**
 * The queue of webhooks, a table of this station. Deliveries about one record go out one after the other: only the
 * first unfinished one is `waiting`.
 */
export class Deliveries {
  readonly #store: Pick<Store, 'sql' | 'writePlain'>;

  private constructor(store: Pick<Store, 'sql' | 'writePlain'>) {
    this.#store = store;
  }

  static async open(store: Pick<Store, 'sql' | 'writePlain'>): Promise<Deliveries> {
    await store.writePlain(openTable);
    return new Deliveries(store);
  }

  /** Adds deliveries, inside a write. Returns their ids. */
  add(sql: DatabaseSync, drafts: readonly DeliveryDraft[]): number[] {
    const open = sql.prepare(
      `SELECT 1 FROM webhook_deliveries WHERE webhook_id = ? AND record = ? AND ${UNFINISHED} LIMIT 1`,
    );
    const insert = sql.prepare(
      `INSERT INTO webhook_deliveries (webhook_id, public_id, type, record, body, at, state, attempts, next_at, status, error)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, 0, '')`,
    );
    return drafts.map(({ webhookId, publicId, type, record, body, at }) => {
      const state = open.get(webhookId, record) ? 'blocked' : 'waiting';
      return Number(insert.run(webhookId, publicId, type, record, body, at, state, at).lastInsertRowid);
    });
  }

  /** Deliveries that may be sent now, the longest due first. */
  due(webhookId: number, now: number, limit: number): Delivery[] {
    return this.#store.sql
      .prepare(
        `SELECT ${COLUMNS} FROM webhook_deliveries
         WHERE webhook_id = ? AND state = 'waiting' AND next_at <= ? ORDER BY next_at, id LIMIT ?`,
      )
      .all(webhookId, now, limit) as unknown as Delivery[];
  }

  /** When the next attempt of this webhook is due; undefined: nothing waits. */
  nextDue(webhookId: number): number | undefined {
    const next = this.#store.sql
      .prepare("SELECT min(next_at) AS at FROM webhook_deliveries WHERE webhook_id = ? AND state = 'waiting'")
      .get(webhookId)!['at'];
    return next === null ? undefined : Number(next);
  }

  /** It was sent, or is given up; the next one about its record may be sent. */
  finish(
    { id, webhookId, record, attempts }: Delivery,
    outcome: { state: 'sent' | 'failed'; status: number; error: string; at: number },
  ): Promise<void> {
    return this.#store.writePlain((sql) => {
      sql
        .prepare(
          `UPDATE webhook_deliveries SET state = ?, attempts = ?, sent_at = ?, status = ?, error = ? WHERE id = ?`,
        )
        .run(
          outcome.state,
          attempts + 1,
          outcome.state === 'sent' ? outcome.at : null,
          outcome.status,
          outcome.error,
          id,
        );
      release(sql, webhookId, record, outcome.at);
    });
  }

  async postpone({ id, attempts }: Delivery, next: { status: number; error: string; at: number }): Promise<void> {
    await this.#store.writePlain((sql) =>
      sql
        .prepare(`UPDATE webhook_deliveries SET attempts = ?, next_at = ?, status = ?, error = ? WHERE id = ?`)
        .run(attempts + 1, next.at, next.status, next.error, id),
    );
  }

  /** Newest first, before the one with the id `before`. */
  list(
    webhookId: number,
    { state, before, limit }: { state?: DeliveryState | undefined; before?: number | undefined; limit: number },
  ): Delivery[] {
    const conditions = [...(state ? ['state = ?'] : []), ...(before ? ['id < ?'] : [])].map((text) => ` AND ${text}`);
    return this.#store.sql
      .prepare(
        `SELECT ${COLUMNS} FROM webhook_deliveries WHERE webhook_id = ?${conditions.join('')} ORDER BY id DESC LIMIT ?`,
      )
      .all(webhookId, ...(state ? [state] : []), ...(before ? [before] : []), limit) as unknown as Delivery[];
  }

  get(webhookId: number, id: number): Delivery | undefined {
    return this.#store.sql
      .prepare(`SELECT ${COLUMNS} FROM webhook_deliveries WHERE webhook_id = ? AND id = ?`)
      .get(webhookId, id) as unknown as Delivery | undefined;
  }

  /** Sends one again, or one that waits at once. */
  async sendAgain({ id, webhookId, record }: Delivery, now: number): Promise<void> {
    await this.#store.writePlain((sql) => {
      const isOpen = sql
        .prepare(
          `SELECT 1 FROM webhook_deliveries WHERE webhook_id = ? AND record = ? AND state = 'waiting' AND id <> ?`,
        )
        .get(webhookId, record, id);
      sql
        .prepare(`UPDATE webhook_deliveries SET state = ?, next_at = ? WHERE id = ?`)
        .run(isOpen ? 'blocked' : 'waiting', now, id);
    });
  }

  /** Deliveries by state. */
  counts(webhookId: number): Record<DeliveryState, number> {
    const rows = this.#store.sql
      .prepare('SELECT state, count(*) AS count FROM webhook_deliveries WHERE webhook_id = ? GROUP BY state')
      .all(webhookId);
    const counts = { blocked: 0, waiting: 0, sent: 0, failed: 0 };
    for (const row of rows) counts[row['state'] as DeliveryState] = Number(row['count']);
    return counts;
  }

  /** Removes what was finished long ago. */
  async sweep(now: number): Promise<void> {
    for (;;) {
      const removed = await this.#store.writePlain(
        (sql) =>
          sql
            .prepare(
              `DELETE FROM webhook_deliveries WHERE id IN (
                 SELECT id FROM webhook_deliveries
                 WHERE (state = 'sent' AND at < ?) OR (state = 'failed' AND at < ?) LIMIT ?)`,
            )
            .run(now - KEEP_SENT, now - KEEP_FAILED, REMOVED_AT_ONCE).changes,
      );
      if (Number(removed) < REMOVED_AT_ONCE) return;
    }
  }
}

const UNFINISHED = "state IN ('waiting', 'blocked')";

/** Lets the next delivery about this record go. */
function release(sql: DatabaseSync, webhookId: number, record: string, now: number): void {
  sql
    .prepare(
      `UPDATE webhook_deliveries SET state = 'waiting', next_at = ? WHERE id = (
         SELECT min(id) FROM webhook_deliveries WHERE webhook_id = ? AND record = ? AND state = 'blocked')
       AND NOT EXISTS (
         SELECT 1 FROM webhook_deliveries WHERE webhook_id = ? AND record = ? AND state = 'waiting')`,
    )
    .run(now, webhookId, record, webhookId, record);
}

function openTable(sql: DatabaseSync): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS webhook_deliveries (
      id INTEGER PRIMARY KEY AUTOINCREMENT, webhook_id INTEGER NOT NULL, public_id TEXT NOT NULL, type TEXT NOT NULL,
      record TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
      next_at INTEGER NOT NULL, sent_at INTEGER, status INTEGER NOT NULL, error TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at, id)
      WHERE state = 'waiting';
    CREATE INDEX IF NOT EXISTS webhook_deliveries_open ON webhook_deliveries (webhook_id, record, id)
      WHERE state IN ('waiting', 'blocked');
    CREATE INDEX IF NOT EXISTS webhook_deliveries_list ON webhook_deliveries (webhook_id, state, id);
    CREATE INDEX IF NOT EXISTS webhook_deliveries_at ON webhook_deliveries (state, at);`);
}

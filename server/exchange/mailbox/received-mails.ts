import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../store/types.ts';
import { IGNORED_WHY } from './mail-fate.ts';
import type { IncomingMail } from './read-mail.ts';

/** A received mail and its fate. */
export interface ReceivedMail {
  readonly id: number;
  /** When the station took it. */
  readonly at: number;
  readonly from: string;
  readonly subject: string;
  readonly state: (typeof RECEIVED_MAIL_STATES)[number];
  /** Of the task that it made, or that it is a comment on; 0: none. */
  readonly taskId: number;
}

export const RECEIVED_MAIL_STATES = ['task', 'comment', ...IGNORED_WHY] as const;

const DAY = 86_400_000;
/** ms for which a mail is known again, and an answer to it finds its task. */
const KEEP = 400 * DAY;
const HOUR = 3_600_000;
const COLUMNS = 'id, at, sender AS "from", subject, state, task_id AS taskId';

/** Mails that were taken, a table of this station: each mail is taken once. */
export class ReceivedMails {
  readonly #store: Pick<Store, 'sql' | 'writePlain'>;
  readonly #now: () => number;

  private constructor(store: Pick<Store, 'sql' | 'writePlain'>, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  static async open(store: Pick<Store, 'sql' | 'writePlain'>, now: () => number): Promise<ReceivedMails> {
    await store.writePlain(openTable);
    return new ReceivedMails(store, now);
  }

  /** Notes what became of a mail, in the transaction that does it. Refuses, and so undoes, a second time. */
  async note(mail: IncomingMail, state: ReceivedMail['state'], taskId: number): Promise<void> {
    const now = this.#now();
    await this.#store.writePlain((sql) =>
      sql
        .prepare(
          'INSERT INTO mailbox_mails (at, key, message_id, sender, subject, state, task_id) VALUES (?, ?, ?, ?, ?, ?, ?)',
        )
        .run(now, mail.key, mail.mailId, mail.from, mail.subject.slice(0, 500), state, taskId),
    );
  }

  withKey(key: string): ReceivedMail | undefined {
    return this.#read(`SELECT ${COLUMNS} FROM mailbox_mails WHERE key = ?`, key)[0];
  }

  /** The task that the mail with this Message-ID made, or is a comment on. */
  taskOf(mailId: string): number | undefined {
    const query = `SELECT ${COLUMNS} FROM mailbox_mails WHERE message_id = ? AND task_id > 0 ORDER BY id LIMIT 1`;
    return this.#read(query, mailId)[0]?.taskId;
  }

  /** Whether this sender's mail made the task. */
  madeBy(taskId: number, from: string): boolean {
    const query = `SELECT ${COLUMNS} FROM mailbox_mails WHERE task_id = ? AND sender = ? AND state = 'task' LIMIT 1`;
    return this.#read(query, taskId, from).length > 0;
  }

  /** How many tasks and comments mails made within an hour: those of one sender, and all. */
  withinHour(from: string): { readonly ofSender: number; readonly ofAll: number } {
    const query = `SELECT count(*) AS ofAll, coalesce(sum(sender = ?), 0) AS ofSender
       FROM mailbox_mails WHERE at > ? AND task_id > 0`;
    const row = this.#store.sql.prepare(query).get(from, this.#now() - HOUR)!;
    return { ofSender: Number(row['ofSender']), ofAll: Number(row['ofAll']) };
  }

  /** Newest first. */
  list(before: number | undefined, limit: number): ReceivedMail[] {
    const query = `SELECT ${COLUMNS} FROM mailbox_mails WHERE id < ? ORDER BY id DESC LIMIT ?`;
    return this.#read(query, before ?? Number.MAX_SAFE_INTEGER, limit);
  }

  async sweep(): Promise<void> {
    const end = this.#now() - KEEP;
    await this.#store.writePlain((sql) => sql.prepare('DELETE FROM mailbox_mails WHERE at < ?').run(end));
  }

  #read(query: string, ...values: (string | number)[]): ReceivedMail[] {
    return this.#store.sql.prepare(query).all(...values) as unknown as ReceivedMail[];
  }
}

function openTable(sql: DatabaseSync): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS mailbox_mails (
      id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, key TEXT NOT NULL UNIQUE, message_id TEXT NOT NULL,
      sender TEXT NOT NULL, subject TEXT NOT NULL, state TEXT NOT NULL, task_id INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS mailbox_mails_message ON mailbox_mails (message_id);
    CREATE INDEX IF NOT EXISTS mailbox_mails_task ON mailbox_mails (task_id);
    CREATE INDEX IF NOT EXISTS mailbox_mails_at ON mailbox_mails (at);`);
}

import type { Readable } from 'node:stream';
import type { DatabaseSync } from 'node:sqlite';
import type { Transporter } from 'nodemailer';
import { Refusal } from '../../../shared/refusal.ts';
import type { Store } from '../../store/types.ts';

export interface Mail {
  readonly id: number;
  readonly at: number;
  readonly taskId: number;
  /** Whose message it is about; 0 when that is not known any more. */
  readonly organizationId: number;
  readonly name: string;
  readonly address: string;
  readonly subject: string;
  readonly text: string;
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly attempts: number;
  /** When the next attempt is due. */
  readonly nextAt: number;
  readonly sentAt: number | null;
  /** Why it has not been sent. */
  readonly error: string;
}

export type MailDraft = Pick<Mail, 'taskId' | 'organizationId' | 'name' | 'address' | 'subject' | 'text'>;

interface MailQueueOptions {
  readonly store: Pick<Store, 'sql' | 'writePlain' | 'stationId' | 'readOnly' | 'onReadOnly'>;
  /** `smtp://user:password@host:port`; null: nothing is sent. */
  readonly smtpUrl: string | null;
  readonly from: string;
  readonly now: () => number;
  readonly report: (message: string, error: unknown) => void;
  /** Opens the file of a mail. */
  readonly openFile?: (file: string) => Readable;
  /**
   * ms that `close` waits for a mail server that has not answered yet, since it may be accepting the mail.
   */
  readonly closeTimeout?: number;
}

/** The error of a mail whose file was lost, as after the restore of a backup that has no such files. */
const FILE_GONE = 'Its file is not on this station any more, so nothing is sent. Send the report again.';
const NO_SERVER = 'No mail server is set (WAYPOST_SMTP_URL), so nothing is sent.';
/** The error of a mail to somebody without an address. It is stored, so that users see who got no notice. */
export const NO_ADDRESS = 'The recipient has no e-mail address, so nothing is sent.';
/** ms until the next attempt: 30 s, doubled each time, up to an hour. */
const FIRST_PAUSE = 30_000;
const LONGEST_PAUSE = 60 * 60_000;
const CLOSE_TIMEOUT = 3_000;
/** About three days. */
const MAX_ATTEMPTS = 80;
const COLUMNS =
  'id, at, task_id AS taskId, organization_id AS organizationId, name, address, subject, text, state, attempts, next_at AS nextAt, sent_at AS sentAt, error';

export function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempts - 1));
}

/**
 * Sends mail one by one. The queue is a table, so it survives a restart. Failed mail is sent again after
 * growing delays.
 */
export class MailQueue {
  readonly #options: MailQueueOptions;
  readonly #transport: Promise<Transporter> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  readonly #end = new AbortController();
  readonly #stopWatching: () => void;
  #closed = false;

  constructor(options: MailQueueOptions) {
    this.#options = options;
    this.#transport = options.smtpUrl === null ? undefined : openTransport(options.smtpUrl);
    this.#transport?.catch(() => undefined); // told with each mail
    this.#stopWatching = options.store.onReadOnly(() => this.wake());
  }

  /** Why no mail is sent at all; null when there is a server. */
  get disabledReason(): string | null {
    return this.#transport ? null : NO_SERVER;
  }

  /** Puts a mail into the queue, in the transaction that is open; one without an address is kept as failed. */
  async add(mail: MailDraft): Promise<void> {
    await this.#options.store.writePlain((sql) => this.put(sql, mail));
  }

  /** As `add`, within a write of somebody else. Gives the id; `wake` sends it. */
  put(sql: DatabaseSync, { taskId, organizationId, name, address, subject, text }: MailDraft): number {
    const [state, error] = address === '' ? ['failed', NO_ADDRESS] : ['waiting', ''];
    const now = this.#options.now();
    const { lastInsertRowid } = sql
      .prepare(
        'INSERT INTO mail (at, task_id, organization_id, name, address, subject, text, state, attempts, next_at, sent_at, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, NULL, ?)',
      )
      .run(now, taskId, organizationId, name, address, subject, text, state!, now, error!);
    return Number(lastInsertRowid);
  }

  /** How many mails wait to be sent. */
  get waiting(): number {
    const counted = this.#options.store.sql.prepare("SELECT count(*) AS count FROM mail WHERE state = 'waiting'").get();
    return Number(counted!['count']);
  }

  /** Newest first. @param filter.organizationId only about messages of this department */
  list({
    state = null,
    before = null,
    organizationId = null,
    limit,
  }: {
    state?: Mail['state'] | null | undefined;
    before?: number | null | undefined;
    organizationId?: number | null | undefined;
    limit: number;
  }): Mail[] {
    // Two statements: SQLite can use the index of the organization only when the condition is there.
    const ofOrganization = organizationId === null ? '' : 'organization_id = ? AND ';
    return this.#options.store.sql
      .prepare(
        `SELECT ${COLUMNS} FROM mail WHERE ${ofOrganization}(? IS NULL OR state = ?) AND (? IS NULL OR id < ?) ORDER BY id DESC LIMIT ?`,
      )
      .all(
        ...(organizationId === null ? [] : [organizationId]),
        state,
        state,
        before,
        before,
        limit,
      ) as unknown as Mail[];
  }

  /**
   * Retries one at once, also if it had been given up. A sent one is not sent again. @param organizationId it
   * must be about a message of this department; null: of any
   */
  async retry(id: number, organizationId: number | null = null): Promise<Mail> {
    const asked = this.#get(id);
    if (!asked || (organizationId !== null && asked.organizationId !== organizationId))
      throw new Refusal('reports.noMail', { id });
    const changed = await this.#options.store.writePlain(
      (sql) =>
        sql
          .prepare("UPDATE mail SET state = 'waiting', next_at = ? WHERE id = ? AND state <> 'sent'")
          .run(this.#options.now(), id).changes,
    );
    const mail = this.#get(id);
    if (!mail) throw new Refusal('reports.noMail', { id });
    if (changed === 0) throw new Refusal('reports.mailSent', { id });
    this.wake();
    return mail;
  }

  /** Sends what has come into the queue. */
  wake(): void {
    if (!this.#transport || this.#isPaused) return;
    clearTimeout(this.#timer);
    this.#running ??= this.#send()
      .catch((error: unknown) => this.#options.report('The mail queue failed.', error))
      .finally(() => {
        this.#running = undefined;
        this.#sleep();
      });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopWatching();
    clearTimeout(this.#timer);
    const patience = setTimeout(() => this.#end.abort(), this.#options.closeTimeout ?? CLOSE_TIMEOUT);
    await this.#running;
    clearTimeout(patience);
    (await this.#transport?.catch(() => undefined))?.close();
  }

  /** A standby sends nothing. */
  get #isPaused(): boolean {
    return this.#closed || this.#options.store.readOnly !== undefined;
  }

  #sleep(): void {
    const next = this.#options.store.sql.prepare("SELECT min(next_at) AS at FROM mail WHERE state = 'waiting'").get()?.[
      'at'
    ];
    if (this.#closed || typeof next !== 'number') return;
    this.#timer = setTimeout(() => this.wake(), Math.max(1000, Math.min(LONGEST_PAUSE, next - this.#options.now())));
    this.#timer.unref();
  }

  async #send(): Promise<void> {
    for (let mail = this.#next(); mail && !this.#isPaused; mail = this.#next()) await this.#sendOne(mail);
  }

  async #sendOne({ id, name, address, subject, text, attempts, nextAt }: Mail): Promise<void> {
    const { store, now, from } = this.#options;
    if (address === '') return this.#put(id, "state = 'failed', error = ?", NO_ADDRESS);
    const given = attempts + 1;
    // Stored before the attempt: else a station with a full disk would send the same mail again and again.
    await this.#put(id, 'next_at = ?', now() + pauseAfter(given));
    const files = this.#attachments(id);
    try {
      // The same Message-ID in each attempt, so that a server that took the mail before a crash recognizes
      // it.
      const transport = await this.#transport!;
      await transport.sendMail({
        from,
        to: { name, address },
        subject,
        text,
        attachments: files,
        messageId: `<waypost-${store.stationId}-${id}@waypost>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: this.#end.signal,
      });
    } catch (error) {
      if (this.#closed) return this.#put(id, 'next_at = ?', nextAt);
      // The mailer puts a code of its own into the error.
      const isFileGone = files.some(({ content }) => content.errored?.message.startsWith('ENOENT'));
      const hopeless = isFileGone || given >= MAX_ATTEMPTS || isFinal(error);
      return this.#put(
        id,
        'state = ?, attempts = ?, error = ?',
        hopeless ? 'failed' : 'waiting',
        given,
        isFileGone ? FILE_GONE : String((error as Error).message).slice(0, 500),
      );
    }
    await this.#put(id, "state = 'sent', sent_at = ?, attempts = ?, error = ''", now(), given);
  }

  /** Read from the disk while they are sent. */
  #attachments(id: number): { filename: string; content: Readable }[] {
    const row = this.#options.store.sql
      .prepare("SELECT name, file FROM mail_files WHERE mail_id = ? AND file <> ''")
      .get(id);
    const { openFile } = this.#options;
    return row && openFile ? [{ filename: String(row['name']), content: openFile(String(row['file'])) }] : [];
  }

  async #put(id: number, columns: string, ...values: (string | number)[]): Promise<void> {
    await this.#options.store.writePlain((sql) =>
      sql.prepare(`UPDATE mail SET ${columns} WHERE id = ?`).run(...values, id),
    );
  }

  #next(): Mail | undefined {
    return this.#options.store.sql
      .prepare(`SELECT ${COLUMNS} FROM mail WHERE state = 'waiting' AND next_at <= ? ORDER BY next_at, id LIMIT 1`)
      .get(this.#options.now()) as unknown as Mail | undefined;
  }

  #get(id: number): Mail | undefined {
    return this.#options.store.sql.prepare(`SELECT ${COLUMNS} FROM mail WHERE id = ?`).get(id) as unknown as
      Mail | undefined;
  }
}

/** Loaded only when there is a mail server: the package takes several MB. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Whether the server will never accept this mail: it rejects the address or the content for good, or there is
 * no address. A rejected login or sender can be corrected, and other failures may pass.
 */
function isFinal(error: unknown): boolean {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string };
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  return responseCode === undefined || (responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA'));
}

import type { ImapFlow } from 'imapflow';
import { Refusal } from '../../../shared/refusal.ts';
import { LARGEST_MAIL } from './mail-limits.ts';
import type { MailboxSettings } from './settings.ts';

/** A mail in the mailbox that nobody has read. */
export interface UnreadMail {
  readonly uid: number;
  /** Lower case; empty: it names no sender. */
  readonly from: string;
}

/** ms until a server that does not answer counts as away. */
const PATIENCE = 15_000;
/** ms after which a silent connection is closed, and between two keep-alives while waiting. */
const SILENCE = 90_000;
const SIGN_OF_LIFE = 45_000;
/** Mails that one look names. */
const MOST_UNREAD = 2_000;

/** A connection to a mailbox by IMAP4rev1 (RFC 3501), in one folder. */
export class MailServer {
  readonly #client: ImapFlow;

  private constructor(client: ImapFlow) {
    this.#client = client;
  }

  /** @param changed called when mail comes in, and when the connection ends */
  static async connect(settings: MailboxSettings, changed: () => void): Promise<MailServer> {
    const { host, port, security, login, secret, folder } = settings;
    // Only a station with a mailbox loads it.
    const { ImapFlow } = await import('imapflow');
    const client = new ImapFlow({
      ...{ host, port, logger: false, secure: security === 'tls', doSTARTTLS: security === 'starttls' },
      auth: { user: login, pass: secret },
      ...{ connectionTimeout: PATIENCE, greetingTimeout: PATIENCE, socketTimeout: SILENCE, maxIdleTime: SIGN_OF_LIFE },
      ...{ maxLiteralSize: LARGEST_MAIL + 1_000_000, maxResponseSize: LARGEST_MAIL + 5_000_000 },
      autoIdleDelay: 500,
      clientInfo: { name: 'Waypost' },
    });
    client.on('error', changed);
    client.on('close', changed);
    client.on('exists', changed);
    try {
      await client.connect();
      await client.mailboxOpen(folder);
    } catch (error) {
      client.close();
      throw error;
    }
    return new MailServer(client);
  }

  get isOpen(): boolean {
    return this.#client.usable;
  }

  /** UIDVALIDITY of the folder: uids name the same mails while it is the same. */
  get uidEpoch(): bigint | undefined {
    return this.#client.mailbox ? this.#client.mailbox.uidValidity : undefined;
  }

  /** Oldest first. */
  async unread(): Promise<UnreadMail[]> {
    const uids = (await this.#client.search({ seen: false }, { uid: true })) || [];
    if (uids.length === 0) return [];
    const range = uids.slice(0, MOST_UNREAD).join(',');
    const mails = await this.#client.fetchAll(range, { uid: true, envelope: true }, { uid: true });
    return mails.map(({ uid, envelope }) => ({ uid, from: envelope?.from?.[0]?.address?.toLowerCase() ?? '' }));
  }

  /** The bytes of a mail, up to a limit; undefined: it is gone. */
  async read(uid: number): Promise<{ source: Buffer; isCut: boolean } | undefined> {
    const query = { uid: true, size: true, source: { maxLength: LARGEST_MAIL } };
    const found = await this.#client.fetchOne(String(uid), query, { uid: true });
    if (!found || !found.source) return undefined;
    return { source: found.source, isCut: (found.size ?? 0) > LARGEST_MAIL };
  }

  async markRead(uid: number): Promise<void> {
    const marked = await this.#client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
    if (!marked) throw new Error('The mail server did not mark a mail as read.');
  }

  async close(): Promise<void> {
    if (!this.#client.usable) return this.#client.close();
    const patience = setTimeout(() => this.#client.close(), 2_000);
    await this.#client.logout().catch(() => undefined);
    clearTimeout(patience);
    this.#client.close();
  }
}

/** Error text of the mail server or the network about the connection. */
export function wordsOfServer(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  const { responseText, message } = error as { responseText?: string; message?: string };
  return String(responseText ?? message ?? error).slice(0, 300);
}

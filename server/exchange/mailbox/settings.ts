import type { DatabaseSync } from 'node:sqlite';

/** How the connection to the mail server is encrypted. */
export const MAILBOX_SECURITY = ['tls', 'starttls', 'none'] as const;

/**
 * Rules from mail to tasks. A pattern matches anywhere in the text, in any case; `*` stands for any
 * characters, and an empty one matches everything.
 */
export interface MailRule {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** Mail that a program wrote, such as an alarm panel, counts, too. */
  readonly takesAutomatic: boolean;
  readonly typeId: number;
  /** 0: none. */
  readonly categoryId: number;
  /** 0: the organization of the mailbox's user. */
  readonly organizationId: number;
  /** 0: as the category says. */
  readonly priority: number;
}

/** The station's own receiver of mail by SMTP. */
export interface ReceiverSettings {
  readonly enabled: boolean;
  /** Address of this machine that it listens on. */
  readonly host: string;
  readonly port: number;
  /** Addresses that it takes mail for, as patterns; none: all. */
  readonly recipients: readonly string[];
  /** Addresses and networks that it takes mail from. */
  readonly networks: readonly string[];
}

export interface MailboxSettings {
  readonly enabled: boolean;
  readonly host: string;
  readonly port: number;
  readonly security: (typeof MAILBOX_SECURITY)[number];
  readonly login: string;
  readonly secret: string;
  readonly folder: string;
  readonly receiver: ReceiverSettings;
  /** In whose name tasks and comments are written. */
  readonly userId: number;
  /** Mails of one sender, and of all, that are taken within an hour. */
  readonly senderPerHour: number;
  readonly perHour: number;
  /** The first that fits decides. */
  readonly rules: readonly MailRule[];
}

const BLANK: MailboxSettings = {
  enabled: false,
  host: '',
  port: 993,
  security: 'tls',
  login: '',
  secret: '',
  folder: 'INBOX',
  receiver: {
    enabled: false,
    host: '0.0.0.0',
    port: 2525,
    recipients: [],
    networks: ['127.0.0.1', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  },
  userId: 0,
  senderPerHour: 30,
  perHour: 300,
  rules: [],
};

export function openMailboxSettings(sql: DatabaseSync): MailboxSettings {
  sql.exec('CREATE TABLE IF NOT EXISTS mailbox_settings (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)');
  const row = sql.prepare('SELECT value FROM mailbox_settings').get();
  return { ...BLANK, ...((row ? JSON.parse(String(row['value'])) : {}) as Partial<MailboxSettings>) };
}

export function saveMailboxSettings(sql: DatabaseSync, settings: MailboxSettings): void {
  sql.prepare('INSERT OR REPLACE INTO mailbox_settings (id, value) VALUES (1, ?)').run(JSON.stringify(settings));
}

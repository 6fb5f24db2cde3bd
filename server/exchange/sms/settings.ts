import type { DatabaseSync } from 'node:sqlite';
import { randomBytes } from 'node:crypto';

export const GATEWAYS = ['off', 'http', 'smpp'] as const;
export const MESSAGES_BY_SMS = ['chosen', 'unreachable', 'all'] as const;
/** How receipts write the ids of answers. */
export const REPORT_IDS = ['same', 'decimal', 'hexadecimal'] as const;
export const HOOK_FORMS = ['plain', 'android'] as const;

/** A request to an HTTP gateway. Its texts hold `{to}`, `{text}`, `{id}`, `{login}`, `{secret}` and `{basic}`. */
export interface HttpGatewaySettings {
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly url: string;
  /** One a line: `Name: value`. */
  readonly headers: string;
  /** JSON or a form, as its `Content-Type` says. */
  readonly body: string;
  /** Where a JSON answer has the gateway's id, such as `data.id`; empty: it has none. */
  readonly idField: string;
  /** A part of every answer to a text that was taken; empty: its status is enough. */
  readonly answerContains: string;
  /** The format of the gateway's posts to the station. */
  readonly hookForm: (typeof HOOK_FORMS)[number];
}

export interface SmppSettings {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly systemType: string;
  /** From which number or name texts come; empty: the centre decides. */
  readonly source: string;
  readonly reportIds: (typeof REPORT_IDS)[number];
}

export interface SmsSettings {
  readonly gateway: (typeof GATEWAYS)[number];
  readonly login: string;
  readonly secret: string;
  readonly http: HttpGatewaySettings;
  readonly smpp: SmppSettings;
  /** Texts or parts of texts that may go out within a minute. */
  readonly perMinute: number;
  /** Hours after which an unsent text is given up. */
  readonly hours: number;
  /** Put before numbers without `+`, in place of `trunkPrefix`. */
  readonly countryCode: string;
  readonly trunkPrefix: string;
  /** Which messages to crews go out as texts, too. */
  readonly messages: (typeof MESSAGES_BY_SMS)[number];
  /** Of the texts that the station writes itself. */
  readonly language: 'en' | 'ru';
}

/** The present settings, and the key with which a gateway proves itself to the station. */
export interface StoredSettings extends SmsSettings {
  readonly hookKey: string;
}

export const BLANK: SmsSettings = {
  gateway: 'off',
  login: '',
  secret: '',
  http: {
    method: 'POST',
    url: '',
    headers: 'Content-Type: application/json\nAuthorization: Basic {basic}',
    body: '{"id": "{id}", "textMessage": {"text": "{text}"}, "phoneNumbers": ["{to}"], "withDeliveryReport": true}',
    idField: 'id',
    answerContains: '',
    hookForm: 'android',
  },
  smpp: { host: '', port: 2775, tls: false, systemType: '', source: '', reportIds: 'same' },
  perMinute: 60,
  hours: 12,
  countryCode: '',
  trunkPrefix: '',
  messages: 'chosen',
  language: 'en',
};

export const newHookKey = (): string => randomBytes(32).toString('base64url');

export function openSettings(sql: DatabaseSync): StoredSettings {
  sql.exec('CREATE TABLE IF NOT EXISTS sms_settings (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)');
  const row = sql.prepare('SELECT value FROM sms_settings').get();
  const stored = (row ? JSON.parse(String(row['value'])) : {}) as Partial<StoredSettings>;
  const settings = {
    ...{ ...BLANK, hookKey: newHookKey(), ...stored },
    http: { ...BLANK.http, ...stored.http },
    smpp: { ...BLANK.smpp, ...stored.smpp },
  };
  if (!row) saveSettings(sql, settings);
  return settings;
}

export function saveSettings(sql: DatabaseSync, settings: StoredSettings): void {
  sql.prepare('INSERT OR REPLACE INTO sms_settings (id, value) VALUES (1, ?)').run(JSON.stringify(settings));
}

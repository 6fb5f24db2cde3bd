import type { DatabaseSync } from 'node:sqlite';

/** Calls that come in here are calls of the control room. */
export interface ExchangeLine {
  /** Of the dial plan, such as `from-trunk`. */
  readonly context: string;
  /** The number that was called; empty: any in this context. */
  readonly extension: string;
  readonly organizationId: number;
}

export interface ExchangeSettings {
  readonly isOn: boolean;
  readonly host: string;
  readonly port: number;
  readonly login: string;
  readonly secret: string;
  readonly lines: readonly ExchangeLine[];
  /** The channel of a person's telephone; `{extension}` is theirs. */
  readonly channel: string;
  /** The context of the dial plan in which outgoing calls are dialled. */
  readonly dialContext: string;
  /** Put before every outside number. */
  readonly dialPrefix: string;
  /** Dialled in place of `+`. */
  readonly plus: string;
}

/** With this begin the ids of channels that the station itself asks for: they are no callers. */
export const OWN_CHANNEL = 'waypost-';

const BLANK: ExchangeSettings = {
  isOn: false,
  host: '',
  port: 5038,
  login: '',
  secret: '',
  lines: [],
  channel: 'PJSIP/{extension}',
  dialContext: 'from-internal',
  dialPrefix: '',
  plus: '+',
};

/** README rule 1: they belong only to this station, so they are not records. */
export function openExchange(sql: DatabaseSync): ExchangeSettings {
  sql.exec('CREATE TABLE IF NOT EXISTS exchange_settings (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)');
  const row = sql.prepare('SELECT value FROM exchange_settings').get();
  const stored = (row ? JSON.parse(String(row['value'])) : {}) as Partial<ExchangeSettings>;
  return { ...BLANK, ...stored };
}

export function saveExchange(sql: DatabaseSync, settings: ExchangeSettings): void {
  sql.prepare('INSERT OR REPLACE INTO exchange_settings (id, value) VALUES (1, ?)').run(JSON.stringify(settings));
}

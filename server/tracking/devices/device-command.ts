import type { DatabaseSync } from 'node:sqlite';

/**
 * `queued`: the device has not been connected since. `sent`: its answer is awaited. `relayed`: another server keeps it
 * until the device is connected. The others are final; `handed`: another server sent it, and no answer came.
 */
export const COMMAND_STATES = [
  ...(['queued', 'sent', 'relayed', 'handed', 'answered'] as const),
  ...(['failed', 'expired', 'cancelled'] as const),
] as const;
export type CommandState = (typeof COMMAND_STATES)[number];

/**
 * Why a command failed. `declined`, `unknown`: another server did not take it, or does not know the device. Except for
 * these, `refused` and `restored`, the device may have carried it out.
 */
export const COMMAND_FAILURES = [
  ...(['refused', 'declined', 'unknown'] as const),
  ...(['unanswered', 'disconnected', 'restarted', 'restored'] as const),
] as const;
export type CommandFailure = (typeof COMMAND_FAILURES)[number];

/** A command to the device of a vehicle. Times are epoch ms. */
export interface DeviceCommand {
  readonly id: number;
  readonly vehicleId: number;
  readonly text: string;
  readonly userId: number;
  readonly createdAt: number;
  /** From then on it is not sent any more. */
  readonly expiresAt: number;
  readonly state: CommandState;
  readonly failure: CommandFailure | null;
  /** The protocol by which it was sent; empty before. */
  readonly protocol: string;
  readonly sentAt: number | null;
  readonly endedAt: number | null;
  readonly answer: string;
  /** Why the forwarding server accepts nothing now; empty: it waits only for the device. */
  readonly problem: string;
}

/** ms that a device has for its answer, and characters of it that are kept. */
export const ANSWER_WITHIN = 3 * 60_000;
export const LONGEST_ANSWER = 4_000;

type Row = Readonly<Record<string, unknown>>;

export function openCommandTable(sql: DatabaseSync): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS device_commands (
      id INTEGER PRIMARY KEY AUTOINCREMENT, epoch TEXT NOT NULL, vehicle_id INTEGER NOT NULL, text TEXT NOT NULL,
      user_id INTEGER NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, state TEXT NOT NULL,
      failure TEXT, protocol TEXT NOT NULL DEFAULT '', sent_at INTEGER, ended_at INTEGER,
      answer TEXT NOT NULL DEFAULT '');
    CREATE INDEX IF NOT EXISTS device_commands_of_vehicle ON device_commands (vehicle_id, id);
    CREATE INDEX IF NOT EXISTS device_commands_open ON device_commands (state) WHERE state IN ('queued', 'sent');
    CREATE INDEX IF NOT EXISTS device_commands_age ON device_commands (created_at);`);
  // The id of a command at the server that keeps it; 0: it was never kept there.
  if (!sql.prepare("SELECT 1 FROM pragma_table_info('device_commands') WHERE name = 'kept_as'").get())
    sql.exec('ALTER TABLE device_commands ADD COLUMN kept_as INTEGER NOT NULL DEFAULT 0');
}

export function commandOf(row: Row): DeviceCommand {
  const time = (name: string) => (row[name] === null ? null : Number(row[name]));
  return {
    id: Number(row['id']),
    vehicleId: Number(row['vehicle_id']),
    text: String(row['text']),
    userId: Number(row['user_id']),
    createdAt: Number(row['created_at']),
    expiresAt: Number(row['expires_at']),
    state: row['state'] as CommandState,
    failure: row['failure'] as CommandFailure | null,
    protocol: String(row['protocol']),
    sentAt: time('sent_at'),
    endedAt: time('ended_at'),
    answer: String(row['answer']),
    problem: '',
  };
}

/** The outcome of a sent command; `queued`: nothing was written to the device, so it waits again. */
export type CommandOutcome = Pick<DeviceCommand, 'state' | 'failure' | 'answer' | 'endedAt'> & {
  /** The id at the server that keeps it. */
  readonly keptAs?: number;
};

export function settleCommand(
  sql: DatabaseSync,
  id: number,
  { state, failure, answer, endedAt, keptAs = 0 }: CommandOutcome,
): void {
  sql
    .prepare(
      'UPDATE device_commands SET state = ?, failure = ?, answer = ?, ended_at = ?, kept_as = ? ' +
        "WHERE id = ? AND state = 'sent'",
    )
    .run(state, failure, answer, endedAt, keptAs, id);
  if (state === 'queued')
    sql.prepare("UPDATE device_commands SET sent_at = NULL, protocol = '' WHERE id = ? AND state = 'queued'").run(id);
}

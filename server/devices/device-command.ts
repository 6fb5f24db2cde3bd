import type { DatabaseSync } from 'node:sqlite';

/** `queued`: the device has not been connected since. `sent`: its answer is awaited. The others are final. */
export const COMMAND_STATES = ['queued', 'sent', 'answered', 'failed', 'expired', 'cancelled'] as const;
export type CommandState = (typeof COMMAND_STATES)[number];

/** Why a command failed. Except for `refused` and `restored`, the device may have carried it out. */
export const COMMAND_FAILURES = ['refused', 'unanswered', 'disconnected', 'restarted', 'restored'] as const;
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
}

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
  };
}

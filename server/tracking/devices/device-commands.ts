import type { DatabaseSync } from 'node:sqlite';
import { mayCommandDevices, type Actor } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Store } from '../../store/types.ts';
import type { CommandRelay, RelayReport } from './command-relay.ts';
import {
  ANSWER_WITHIN,
  commandOf,
  LONGEST_ANSWER,
  openCommandTable,
  settleCommand,
  type CommandFailure,
  type CommandOutcome,
  type CommandState,
  type DeviceCommand,
} from './device-command.ts';
import { RelayedCommands } from './relayed-commands.ts';

/** A device that is connected. */
export interface DeviceLink {
  readonly protocol: string;
  /** False: nothing was written, because the connection ends or the device belongs to another vehicle by now. */
  send(text: string): boolean;
}

/** Reports of a connection about its device. */
export interface DeviceLinkEvents {
  answered(answer: { readonly text: string; readonly isRefusal: boolean }): void;
  closed(): void;
}

interface DeviceCommandsOptions {
  readonly store: Store;
  readonly now: () => number;
  /** Throws where the actor does not see the vehicle. */
  readonly requireVehicle: (by: Actor, id: number) => void;
  readonly report: (message: string, error: unknown) => void;
  /** Sends to devices whose positions come through another server. */
  readonly relay?: CommandRelay | undefined;
  /** The id of the device of a vehicle. */
  readonly deviceOf?: (vehicleId: number) => string | undefined;
}

export interface CommandOrder {
  readonly text: string;
  /** ms in which it may be sent. */
  readonly keptFor: number;
}

/** Commands that wait for one device, and finished ones that are kept of it. */
const MOST_WAITING = 20;
const MOST_KEPT = 200;
const KEPT_FOR = 90 * 86_400_000;
const SWEEP = 30_000;

/** Commands to devices (README): each is stored before it is sent, and sent at most once. */
export class DeviceCommands {
  readonly #options: DeviceCommandsOptions;
  readonly #devices = new Map<number, ConnectedDevice>();
  #relayed: RelayedCommands | undefined;
  readonly #sweeping: NodeJS.Timeout;
  readonly #writing = new Set<Promise<void>>();
  /** Outcomes that the disk did not take. The next sweep stores them. */
  readonly #unstored = new Map<number, CommandOutcome>();
  /** Vehicles whose next command the disk kept back. */
  readonly #stalled = new Set<number>();
  #isClosed = false;

  private constructor(options: DeviceCommandsOptions) {
    this.#options = options;
    this.#sweeping = setInterval(() => this.#try(this.#sweep()), SWEEP).unref();
  }

  static async open(options: DeviceCommandsOptions): Promise<DeviceCommands> {
    const { store, now } = options;
    await store.writePlain((sql) => {
      openCommandTable(sql);
      sql
        .prepare(
          "UPDATE device_commands SET state = 'failed', failure = 'restarted', ended_at = ? WHERE state = 'sent' " +
            'AND kept_as = 0',
        )
        .run(now());
      failRestored(sql, now(), store.feed.epoch);
    });
    const commands = new DeviceCommands(options);
    await commands.#openRelay();
    return commands;
  }

  async #openRelay(): Promise<void> {
    const { store, now, relay, deviceOf = () => undefined } = this.#options;
    if (!relay) return;
    const queue = {
      next: (vehicleId: number) => this.#next(vehicleId),
      mark: (vehicleId: number, id: number, protocol: string) => this.#mark(vehicleId, id, protocol),
      settle: (vehicleId: number, id: number, outcome: CommandOutcome) => this.#settle(vehicleId, id, outcome),
      isConnected: (vehicleId: number) => this.#devices.has(vehicleId),
      wake: (vehicleId: number) => this.#wake(vehicleId),
      follow: (work: Promise<void>) => this.#try(work),
    };
    this.#relayed = await RelayedCommands.open({ store, now, relay, deviceOf, queue });
    this.#relayed.start();
  }

  /** Resolves when what became of commands is on disk. Call it after the connections have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeping);
    this.#relayed?.close();
    for (const device of this.#devices.values()) clearTimeout(device.timer);
    await Promise.all(this.#writing);
  }

  /** The newest first. */
  list(by: Actor, vehicleId: number): DeviceCommand[] {
    this.#requireMay(by, vehicleId);
    return this.#options.store.sql
      .prepare('SELECT * FROM device_commands WHERE vehicle_id = ? ORDER BY id DESC LIMIT ?')
      .all(vehicleId, MOST_KEPT + MOST_WAITING)
      .map((row) => this.#present(row));
  }

  async create(by: Actor, vehicleId: number, { text, keptFor }: CommandOrder): Promise<DeviceCommand> {
    this.#requireMay(by, vehicleId);
    const { store, now } = this.#options;
    const at = now();
    const row = await store.writePlain((sql) => {
      const waiting = sql
        .prepare(
          "SELECT count(*) AS n FROM device_commands WHERE vehicle_id = ? AND state = 'queued' AND expires_at > ?",
        )
        .get(vehicleId, at)!['n'];
      if (Number(waiting) >= MOST_WAITING) return undefined;
      sql
        .prepare(
          "DELETE FROM device_commands WHERE vehicle_id = ? AND state NOT IN ('queued', 'sent') AND id <= " +
            '(SELECT id FROM device_commands WHERE vehicle_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)',
        )
        .run(vehicleId, vehicleId, MOST_KEPT - 1);
      return sql
        .prepare(
          'INSERT INTO device_commands (epoch, vehicle_id, text, user_id, created_at, expires_at, state) ' +
            "VALUES (?, ?, ?, ?, ?, ?, 'queued') RETURNING *",
        )
        .get(store.feed.epoch, vehicleId, text, by.user.id, at, at + keptFor);
    });
    if (!row) throw new Refusal('devices.tooManyWaiting', { most: MOST_WAITING });
    this.#wake(vehicleId);
    return this.#present(row);
  }

  /** Cancels a command that has not been sent. */
  async cancel(by: Actor, vehicleId: number, id: number): Promise<DeviceCommand> {
    this.#requireMay(by, vehicleId);
    const { store, now } = this.#options;
    const known = store.sql.prepare('SELECT 1 FROM device_commands WHERE id = ? AND vehicle_id = ?').get(id, vehicleId);
    if (!known) throw new Refusal('devices.noCommand', { id });
    const row = await store.writePlain((sql) =>
      sql
        .prepare(
          "UPDATE device_commands SET state = 'cancelled', ended_at = ? " +
            "WHERE id = ? AND state = 'queued' AND expires_at > ? RETURNING *",
        )
        .get(now(), id, now()),
    );
    if (!row) throw new Refusal('devices.notWaiting', { id });
    return this.#present(row);
  }

  /** A device has logged in. A newer connection takes the place of an older one. */
  connected(vehicleId: number, link: DeviceLink): DeviceLinkEvents {
    const device = deviceAt(link);
    this.#devices.set(vehicleId, device);
    if (this.#relayed) this.#try(this.#relayed.left(vehicleId));
    this.#wake(vehicleId);
    const end = (state: CommandState, failure: CommandFailure | null, answer = '') => {
      if (device.sending === undefined || !device.isWritten) return;
      clearTimeout(device.timer);
      this.#try(this.#end(vehicleId, device, { state, failure, answer }));
    };
    return {
      answered: ({ text, isRefusal }) =>
        end(isRefusal ? 'failed' : 'answered', isRefusal ? 'refused' : null, text.slice(0, LONGEST_ANSWER)),
      closed: () => {
        device.isClosed = true;
        if (this.#devices.get(vehicleId) === device) this.#devices.delete(vehicleId);
        end('failed', 'disconnected');
      },
    };
  }

  /** The relay tells of a device. Resolves when it is on disk. */
  async reported(vehicleId: number, report: RelayReport): Promise<void> {
    await this.#relayed?.reported(vehicleId, report);
  }

  #requireMay(by: Actor, vehicleId: number): void {
    this.#options.requireVehicle(by, vehicleId);
    if (!mayCommandDevices(by)) throw new Refusal('devices.mayNot');
  }

  #wake(vehicleId: number): void {
    const device = this.#devices.get(vehicleId);
    if (!device) this.#relayed?.wake(vehicleId);
    else if (device.sending === undefined) this.#try(this.#send(vehicleId, device));
  }

  /** The command that is to be sent next. */
  #next(vehicleId: number): DeviceCommand | undefined {
    const { store, now } = this.#options;
    if (this.#isClosed || store.readOnly) return undefined;
    const row = store.sql
      .prepare(
        "SELECT * FROM device_commands WHERE vehicle_id = ? AND state = 'queued' AND expires_at > ? AND epoch = ? " +
          'ORDER BY id LIMIT 1',
      )
      .get(vehicleId, now(), store.feed.epoch);
    return row && commandOf(row);
  }

  /** Notes that the next command is sent, and then sends it: a crash between the two never sends it twice. */
  async #send(vehicleId: number, device: ConnectedDevice): Promise<void> {
    const next = this.#next(vehicleId);
    if (!next || device.isClosed) return;
    const { id, text } = next;
    device.sending = id;
    const isMarked = await this.#mark(vehicleId, id, device.link.protocol).catch((error: unknown) => {
      device.sending = undefined;
      throw error;
    });
    if (!isMarked) {
      device.sending = undefined; // It was cancelled meanwhile.
      return this.#send(vehicleId, device);
    }
    if (!device.isClosed && device.link.send(text)) {
      device.isWritten = true;
      const unanswered = () =>
        this.#try(this.#end(vehicleId, device, { state: 'failed', failure: 'unanswered', answer: '' }));
      device.timer = setTimeout(unanswered, ANSWER_WITHIN).unref();
      return;
    }
    try {
      await this.#settle(vehicleId, id, { state: 'queued', failure: null, answer: '', endedAt: null });
    } finally {
      device.sending = undefined;
    }
    // The device may have connected again while this was written.
    const newer = this.#devices.get(vehicleId);
    if (newer !== device) this.#wake(vehicleId);
  }

  async #mark(vehicleId: number, id: number, protocol: string): Promise<boolean> {
    const { store, now } = this.#options;
    try {
      const { changes } = await store.writePlain((sql) =>
        sql
          .prepare(
            "UPDATE device_commands SET state = 'sent', sent_at = ?, protocol = ? WHERE id = ? AND state = 'queued'",
          )
          .run(now(), protocol, id),
      );
      return changes > 0;
    } catch (error) {
      this.#stalled.add(vehicleId);
      throw error;
    }
  }

  async #end(vehicleId: number, device: ConnectedDevice, end: Omit<CommandOutcome, 'endedAt'>): Promise<void> {
    const id = device.sending!;
    device.isWritten = false;
    try {
      await this.#settle(vehicleId, id, { ...end, endedAt: this.#options.now() });
    } finally {
      device.sending = undefined;
    }
    this.#wake(vehicleId);
  }

  /** Stores what became of a sent command. A full disk must not lose its answer, nor block its device. */
  async #settle(vehicleId: number, id: number, outcome: CommandOutcome): Promise<void> {
    try {
      await this.#options.store.writePlain((sql) => settleCommand(sql, id, outcome));
    } catch (error) {
      this.#unstored.set(id, outcome);
      this.#stalled.add(vehicleId);
      throw error;
    }
  }

  async #catchUp(): Promise<void> {
    const { store } = this.#options;
    const outcomes = [...this.#unstored];
    if (outcomes.length > 0)
      await store.writePlain((sql) => outcomes.forEach(([id, outcome]) => settleCommand(sql, id, outcome)));
    for (const [id] of outcomes) this.#unstored.delete(id);
    const stalled = [...this.#stalled];
    this.#stalled.clear();
    for (const vehicleId of stalled) this.#wake(vehicleId);
  }

  async #sweep(): Promise<void> {
    const { store, now } = this.#options;
    if (store.readOnly) return;
    await this.#catchUp();
    await this.#relayed?.sweep();
    const at = now();
    const {
      sql,
      feed: { epoch },
    } = store;
    const isDue =
      sql
        .prepare("SELECT 1 FROM device_commands WHERE state = 'queued' AND (expires_at <= ? OR epoch <> ?) LIMIT 1")
        .get(at, epoch) ?? sql.prepare('SELECT 1 FROM device_commands WHERE created_at < ? LIMIT 1').get(at - KEPT_FOR);
    if (!isDue) return;
    await store.writePlain((sql) => {
      sql
        .prepare(
          "UPDATE device_commands SET state = 'expired', ended_at = expires_at WHERE state = 'queued' AND expires_at <= ?",
        )
        .run(at);
      failRestored(sql, at, epoch);
      sql.prepare('DELETE FROM device_commands WHERE created_at < ?').run(at - KEPT_FOR);
    });
  }

  /** A command that has expired since the last sweep is shown as such. */
  #present(row: Readonly<Record<string, unknown>>): DeviceCommand {
    const command = commandOf(row);
    return command.state === 'queued' && command.expiresAt <= this.#options.now()
      ? { ...command, state: 'expired', endedAt: command.expiresAt }
      : { ...command, problem: this.#problemOf(command) };
  }

  #problemOf({ state, vehicleId }: DeviceCommand): string {
    return state === 'queued' && !this.#devices.has(vehicleId) ? (this.#relayed?.problemOf(vehicleId) ?? '') : '';
  }

  #try(work: Promise<void>): void {
    const tried = work
      .catch((error: unknown) => this.#options.report('The state of a command to a device could not be stored.', error))
      .finally(() => this.#writing.delete(tried));
    this.#writing.add(tried);
  }
}

interface ConnectedDevice {
  readonly link: DeviceLink;
  /** The command that is being sent or waits for its answer. */
  sending: number | undefined;
  /** Whether it was written to the connection. */
  isWritten: boolean;
  isClosed: boolean;
  timer: NodeJS.Timeout | undefined;
}

function deviceAt(link: DeviceLink): ConnectedDevice {
  return { link, sending: undefined, isWritten: false, isClosed: false, timer: undefined };
}

/** A backup may hold commands that were sent after it was made. */
function failRestored(sql: DatabaseSync, at: number, epoch: string): void {
  sql
    .prepare(
      "UPDATE device_commands SET state = 'failed', failure = 'restored', ended_at = ? " +
        "WHERE state = 'queued' AND epoch <> ?",
    )
    .run(at, epoch);
}

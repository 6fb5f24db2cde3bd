import type { Store } from '../../store/types.ts';
import type { CommandRelay, Handover, RelayReport } from './command-relay.ts';
import { ANSWER_WITHIN, LONGEST_ANSWER, type CommandOutcome, type DeviceCommand } from './device-command.ts';
import { RelayedVehicles } from './relayed-vehicles.ts';

/** The queue of commands, as the relay uses it. */
interface CommandQueue {
  /** The command that is to be sent next. */
  next(vehicleId: number): DeviceCommand | undefined;
  /** Notes that it is sent. False: it was cancelled. */
  mark(vehicleId: number, id: number, protocol: string): Promise<boolean>;
  settle(vehicleId: number, id: number, outcome: CommandOutcome): Promise<void>;
  isConnected(vehicleId: number): boolean;
  wake(vehicleId: number): void;
  /** Reports an error of this work, and waits for its end before the room closes. */
  follow(work: Promise<void>): void;
}

interface RelayedCommandsOptions {
  readonly store: Store;
  readonly now: () => number;
  readonly relay: CommandRelay;
  /** The id of the device of a vehicle. */
  readonly deviceOf: (vehicleId: number) => string | undefined;
  readonly queue: CommandQueue;
}

/** A command on its way through the relay. */
interface Sending {
  id: number | undefined;
  /** Whether the other server has sent it, so that its answer is awaited. */
  isSent: boolean;
  /** An answer that came before the other server said that the command was sent. */
  early: string | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** Commands to devices whose positions come through another server (README, rules 7 to 9). */
export class RelayedCommands {
  readonly #options: RelayedCommandsOptions;
  readonly #vehicles: RelayedVehicles;
  readonly #sending = new Map<number, Sending>();
  /** Vehicles whose next command waits for the relay. */
  readonly #held = new Set<number>();
  readonly #stopFollowing: () => void;

  private constructor(options: RelayedCommandsOptions, vehicles: RelayedVehicles) {
    this.#options = options;
    this.#vehicles = vehicles;
    this.#stopFollowing = options.store.onReadOnly(() => this.start());
    options.relay.onReady(() => {
      const held = [...this.#held];
      this.#held.clear();
      for (const vehicleId of held) options.queue.wake(vehicleId);
    });
  }

  static async open(options: RelayedCommandsOptions): Promise<RelayedCommands> {
    return new RelayedCommands(options, await RelayedVehicles.open(options.store));
  }

  /** Sends what waits: from the last run, or from before this station led again. */
  start(): void {
    const { store, queue } = this.#options;
    if (store.readOnly) return;
    const waiting = "SELECT DISTINCT vehicle_id AS id FROM device_commands WHERE state = 'queued'";
    for (const row of store.sql.prepare(waiting).all()) queue.wake(Number(row['id']));
  }

  close(): void {
    this.#stopFollowing();
    this.#options.relay.close();
    for (const { timer } of this.#sending.values()) clearTimeout(timer);
  }

  /** The device has connected to the station itself. */
  left(vehicleId: number): Promise<void> {
    return this.#vehicles.remove(vehicleId);
  }

  /** Why a command to this vehicle waits; empty: it waits only for the device. */
  problemOf(vehicleId: number): string {
    return this.#deviceOf(vehicleId) === undefined ? '' : this.#options.relay.problem;
  }

  wake(vehicleId: number): void {
    const { queue } = this.#options;
    const device = this.#deviceOf(vehicleId);
    if (device === undefined || this.#sending.has(vehicleId)) return;
    const sending: Sending = { id: undefined, isSent: false, early: undefined, timer: undefined };
    this.#sending.set(vehicleId, sending);
    queue.follow(
      this.#send(vehicleId, sending, device).finally(() => {
        if (!sending.isSent) this.#ended(vehicleId, sending);
        if (queue.isConnected(vehicleId)) queue.wake(vehicleId);
      }),
    );
  }

  /** Resolves when the report is on disk. */
  async reported(vehicleId: number, { device, event }: RelayReport): Promise<void> {
    const { store, now, queue } = this.#options;
    if (store.readOnly) return;
    if (await this.#vehicles.add(vehicleId, device)) queue.wake(vehicleId);
    if (event?.kind === 'answered') await this.#answered(vehicleId, event.text.slice(0, LONGEST_ANSWER));
    if (event?.kind === 'passedOn')
      await store.writePlain((sql) =>
        sql
          .prepare(
            "UPDATE device_commands SET state = 'sent', sent_at = ? WHERE vehicle_id = ? AND state = 'relayed' " +
              'AND kept_as = ?',
          )
          .run(now(), vehicleId, event.keptAs),
      );
  }

  /** Ends commands that the other server kept and passed on, and that were not answered in time. */
  async sweep(): Promise<void> {
    const { store, now } = this.#options;
    const isSilent = "state = 'sent' AND kept_as > 0 AND sent_at <= ?";
    const since = now() - ANSWER_WITHIN;
    if (!store.sql.prepare(`SELECT 1 FROM device_commands WHERE ${isSilent} LIMIT 1`).get(since)) return;
    await store.writePlain((sql) =>
      sql.prepare(`UPDATE device_commands SET state = 'handed', ended_at = ? WHERE ${isSilent}`).run(now(), since),
    );
  }

  /** The id of the device at the other server, if that is how it is reached. */
  #deviceOf(vehicleId: number): string | undefined {
    const device = this.#vehicles.get(vehicleId);
    return device !== undefined && this.#options.deviceOf(vehicleId) === device ? device : undefined;
  }

  async #send(vehicleId: number, sending: Sending, device: string): Promise<void> {
    const { relay, queue } = this.#options;
    while (queue.next(vehicleId)) {
      const found = await relay.find(device);
      // It may have been cancelled meanwhile, or the device may have connected to the station itself.
      const next = queue.next(vehicleId);
      if (!next || queue.isConnected(vehicleId)) return;
      if (found.kind === 'waits') return void this.#held.add(vehicleId);
      const { id, text } = next;
      if (!(await queue.mark(vehicleId, id, relay.protocol))) continue;
      sending.id = id;
      const handover = found.kind === 'ready' ? await found.send(text) : ({ kind: 'unknown' } as const);
      if (handover.kind === 'sent') return this.#awaitAnswer(vehicleId, id, sending);
      sending.id = undefined;
      await queue.settle(vehicleId, id, this.#outcomeOf(handover));
      if (handover.kind === 'waits') return void this.#held.add(vehicleId);
    }
  }

  async #awaitAnswer(vehicleId: number, id: number, sending: Sending): Promise<void> {
    sending.isSent = true;
    if (sending.early !== undefined) return this.#end(vehicleId, id, sending, 'answered', sending.early);
    const silent = () => this.#options.queue.follow(this.#end(vehicleId, id, sending, 'handed', ''));
    sending.timer = setTimeout(silent, ANSWER_WITHIN).unref();
  }

  async #end(vehicleId: number, id: number, sending: Sending, state: 'answered' | 'handed', answer: string) {
    const { queue, now } = this.#options;
    sending.isSent = false;
    try {
      await queue.settle(vehicleId, id, { state, failure: null, answer, endedAt: now() });
    } finally {
      this.#ended(vehicleId, sending);
    }
    queue.wake(vehicleId);
  }

  #ended(vehicleId: number, sending: Sending): void {
    if (this.#sending.get(vehicleId) === sending) this.#sending.delete(vehicleId);
  }

  /** Takes an answer for the command under way, else for the first that the other server kept and passed on. */
  async #answered(vehicleId: number, answer: string): Promise<void> {
    const sending = this.#sending.get(vehicleId);
    if (sending?.id !== undefined) {
      if (!sending.isSent) return void (sending.early ??= answer);
      clearTimeout(sending.timer);
      return this.#end(vehicleId, sending.id, sending, 'answered', answer);
    }
    const { store, now } = this.#options;
    await store.writePlain((sql) =>
      sql
        .prepare(
          "UPDATE device_commands SET state = 'answered', answer = ?, ended_at = ? WHERE id = (SELECT min(id) FROM " +
            "device_commands WHERE vehicle_id = ? AND state = 'sent' AND kept_as > 0)",
        )
        .run(answer, now(), vehicleId),
    );
  }

  #outcomeOf(handover: Exclude<Handover, { kind: 'sent' }> | { readonly kind: 'unknown' }): CommandOutcome {
    const endedAt = this.#options.now();
    switch (handover.kind) {
      case 'kept':
        // Without an id, nothing that comes later can be about it.
        return { state: 'relayed', failure: null, answer: '', endedAt: null, keptAs: handover.keptAs ?? -1 };
      case 'waits':
        return { state: 'queued', failure: null, answer: '', endedAt: null };
      case 'unknown':
        return { state: 'failed', failure: 'unknown', answer: '', endedAt };
      case 'declined':
        return { state: 'failed', failure: 'declined', answer: handover.text, endedAt };
      case 'unclear':
        return { state: 'failed', failure: 'unanswered', answer: handover.text, endedAt };
    }
  }
}

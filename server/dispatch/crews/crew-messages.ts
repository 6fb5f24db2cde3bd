import { mayDirectCrews, seesOrganization, type Actor } from '../../../shared/access.ts';
import type { CrewMessage, SmsMark, Vehicle } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { Mirror, type Fleet } from '../fleet/index.ts';
import type { Records, Store } from '../../store/types.ts';
import {
  createMessage,
  isTo,
  marked,
  receiptOf,
  SHOWN_FOR,
  shownTo,
  type MessageMark,
  type MessageOrder,
} from './messages.ts';

interface CrewMessagesOptions {
  readonly store: Store;
  readonly fleet: Fleet;
  now(): number;
}

/** ms after which messages that are no longer shown are dropped. */
const AGAIN = 60_000;

/** Messages between the control room and crews (README rules 8 to 10). */
export class CrewMessages {
  readonly #options: CrewMessagesOptions;
  readonly #records: Records<CrewMessage>;
  readonly #all: Mirror<CrewMessage>;
  readonly #stop: () => void;
  /** Those that a telephone may show, and until when this holds. */
  #recent: { readonly until: number; readonly messages: readonly CrewMessage[] } | undefined;

  constructor(options: CrewMessagesOptions) {
    this.#options = options;
    this.#records = options.store.kind<CrewMessage>('fleet', 'crewMessage');
    this.#all = new Mirror(this.#records);
    this.#stop = this.#records.watch(() => (this.#recent = undefined));
  }

  close(): void {
    this.#stop();
    this.#all.close();
  }

  /** Messages that the telephone of a vehicle shows, oldest first. */
  shownTo(vehicle: Vehicle): CrewMessage[] {
    const now = this.#options.now();
    if (!this.#recent || this.#recent.until < now) {
      const messages = [...this.#all.values()].filter(({ at, mustAnswer }) => mustAnswer || now - at < SHOWN_FOR);
      this.#recent = { until: now + AGAIN, messages };
    }
    return shownTo(this.#recent.messages, vehicle, now);
  }

  /** The newest first; of one vehicle, or of all that the actor directs. */
  list(by: Actor, { vehicleId, limit }: { vehicleId?: number | undefined; limit: number }): CrewMessage[] {
    this.#requireDirects(by);
    const vehicle = vehicleId === undefined ? undefined : this.#requireVehicle(by, vehicleId, 'carId');
    return [...this.#all.values()]
      .filter(
        (message) =>
          !message.isDeleted &&
          sees(by, message) &&
          (!vehicle || message.vehicleId === vehicle.id || isTo(message, vehicle)),
      )
      .sort((a, b) => b.at - a.at || b.id - a.id)
      .slice(0, limit);
  }

  /** Messages of the control room to this vehicle that its crew must still answer. */
  unanswered(vehicle: Vehicle): CrewMessage[] {
    return this.shownTo(vehicle).filter(
      (message) => message.mustAnswer && isTo(message, vehicle) && receiptOf(message, vehicle.id).answeredAt === 0,
    );
  }

  /** Notes the delivery state of a message as SMS, and which crews have it. */
  async noteSms(id: number, sms: Readonly<Record<string, SmsMark>>): Promise<void> {
    if (!this.#all.get(id)) return;
    const now = this.#options.now();
    await this.#records.change(id, (message) => {
      const delivered = Object.entries(sms).filter(([, { state }]) => state === 'delivered');
      const noted = delivered.reduce((one, [vehicleId]) => marked(one, Number(vehicleId), 'delivered', now), message);
      return { ...noted, sms };
    });
  }

  /** The vehicles that a message is for. */
  addressees(message: CrewMessage): Vehicle[] {
    return this.#options.fleet.all().filter((vehicle) => !vehicle.isDeleted && isTo(message, vehicle));
  }

  /** The control room writes to a vehicle, a group or all of its organization. */
  send(by: Actor, order: MessageOrder): Promise<CrewMessage> {
    this.#requireDirects(by);
    const from = { organizationId: this.#organizationOf(by, order.to), userId: by.user.id, vehicleId: 0 };
    return this.#records.insert(createMessage(this.#records.nextId(), from, order, this.#options.now()));
  }

  /** A crew writes to the control room. */
  say({ id, organizationId }: Vehicle, text: string, at: number): Promise<CrewMessage> {
    const from = { organizationId, userId: 0, vehicleId: id };
    const order: MessageOrder = { to: { kind: 'control', id: 0 }, text, mustAnswer: false };
    return this.#records.insert(createMessage(this.#records.nextId(), from, order, at));
  }

  /** Somebody of the control room has read what a crew wrote. */
  async read(by: Actor, id: number): Promise<CrewMessage> {
    this.#requireDirects(by);
    const message = this.#all.get(id);
    if (!message || message.isDeleted || !sees(by, message)) throw new Refusal('crews.noMessage', { id });
    return this.#records.change(id, (now) => marked(now, undefined, 'read', this.#options.now()));
  }

  /** The crew got, read or answered messages; those that are not its own are passed over. */
  async mark(vehicle: Vehicle, ids: readonly number[], mark: MessageMark, at: number): Promise<void> {
    for (const id of ids) {
      const message = this.#all.get(id);
      if (message && isTo(message, vehicle)) await this.#records.change(id, (now) => marked(now, vehicle.id, mark, at));
    }
  }

  #organizationOf(by: Actor, { kind, id }: CrewMessage['to']): number {
    if (kind === 'vehicle') return this.#requireVehicle(by, id, 'carId').organizationId;
    // A user who sees every organization writes to all of them.
    if (kind !== 'group') return by.role.superuser ? 0 : by.user.organizationId;
    const group = this.#options.fleet.groups.mirror.get(id);
    if (!group || group.isDeleted || !seesOrganization(by, group.organizationId))
      throw new Refusal('field.unknown', { field: 'groupId', id });
    return group.organizationId;
  }

  #requireDirects(by: Actor): void {
    if (!mayDirectCrews(by)) throw new Refusal('crews.dispatchersOnly');
  }

  #requireVehicle(by: Actor, id: number, field: string): Vehicle {
    const vehicle = this.#options.fleet.get(id);
    if (!vehicle || !seesOrganization(by, vehicle.organizationId)) throw new Refusal('field.unknown', { field, id });
    return vehicle;
  }
}

/** One to all organizations belongs to none. */
function sees(by: Actor, { organizationId }: CrewMessage): boolean {
  return organizationId === 0 || seesOrganization(by, organizationId);
}

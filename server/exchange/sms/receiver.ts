import { mayDirectCrews, seesOrganization, type Actor } from '../../../shared/access.ts';
import type { Vehicle } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Crews } from '../../dispatch/crews/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { TokenBucket } from '../../platform/token-bucket.ts';
import type { Store } from '../../store/types.ts';
import type { CrewNumbers } from './crew-numbers.ts';
import type { IncomingText } from './gateway.ts';
import { SmsInbox, type ReceivedSms, type ReceivedState } from './inbox.ts';
import { numberForGateway } from './numbers.ts';
import type { SmsDraft, SmsOutbox } from './outbox.ts';
import { smsRefusalText, replyOf, textsIn } from './replies.ts';
import type { SmsSettings } from './settings.ts';

interface ReceiverOptions {
  readonly store: Store;
  readonly fleet: Fleet;
  readonly crews: Crews;
  readonly outbox: SmsOutbox;
  readonly inbox: SmsInbox;
  readonly numbers: CrewNumbers;
  readonly settings: () => SmsSettings;
  readonly now: () => number;
  /** Called when an answer was queued. */
  readonly queued: () => void;
  readonly report: (message: string, error: unknown) => void;
}

/** Texts a second that are kept, and at once. */
const RATE = 20;
const BURST = 200;
/** Texts that are looked at in one round. */
const STEP = 50;
/** ms between two checks for texts with missing parts, and after an error. */
const AGAIN = 60_000;

/** Turns texts that come in into what crews say and do (README rules 9 to 13). */
export class SmsReceiver {
  readonly #options: ReceiverOptions;
  readonly #rate: TokenBucket;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;
  #again = false;
  #isClosed = false;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#rate = new TokenBucket(RATE, BURST, options.now());
    const joinLate = () =>
      void options.inbox
        .joinLate()
        .then(() => this.wake())
        .catch((error: unknown) => options.report('Texts in parts could not be joined.', error));
    this.#timer = setInterval(joinLate, AGAIN).unref();
  }

  /** Stores a text, or a part of one. Resolves when it is on disk; its effects follow. */
  async receive(text: IncomingText): Promise<void> {
    const { inbox, now, store } = this.#options;
    if (store.readOnly !== undefined) throw Refusal.of(store.readOnly);
    if (!this.#rate.take(now())) throw new Refusal('sms.tooMany');
    if (await inbox.keep(text)) this.wake();
  }

  /** Takes up messages that are not handled yet. */
  wake(): void {
    this.#again = true;
    this.#running ??= this.#work()
      .catch((error: unknown) => this.#options.report('Texts that came in wait.', error))
      .finally(() => (this.#running = undefined));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Texts of numbers that nobody knows, newest first. */
  unknown(by: Actor, limit: number): ReceivedSms[] {
    requireDirects(by);
    return this.#options.inbox.unknown(limit);
  }

  /** This vehicle's crew sent it: it becomes their message. */
  async assign(by: Actor, id: number, vehicleId: number): Promise<void> {
    const { fleet, crews, inbox, store } = this.#options;
    const sms = this.#requireUnknown(by, id);
    const vehicle = fleet.get(vehicleId);
    if (!vehicle || !seesOrganization(by, vehicle.organizationId))
      throw new Refusal('field.unknown', { field: 'carId', id: vehicleId });
    await store.transaction(async () => {
      await crews.messages.say(vehicle, sms.text, sms.at);
      await store.writePlain((sql) => inbox.settle(sql, id, 'done', vehicle.id));
    });
  }

  /** Somebody has dealt with it. */
  async dismiss(by: Actor, id: number): Promise<void> {
    this.#requireUnknown(by, id);
    await this.#options.store.writePlain((sql) => this.#options.inbox.settle(sql, id, 'done', 0));
  }

  #requireUnknown(by: Actor, id: number): ReceivedSms {
    requireDirects(by);
    const sms = this.#options.inbox.get(id);
    if (sms?.state === 'done') throw new Refusal('sms.handled', { id });
    if (sms?.state !== 'unknown') throw new Refusal('sms.noSms', { id });
    return sms;
  }

  async #work(): Promise<void> {
    const { inbox, store } = this.#options;
    while (this.#again && !this.#isClosed && store.readOnly === undefined) {
      this.#again = false;
      for (const sms of inbox.fresh(STEP)) {
        await this.#take(sms).catch((error: unknown) => this.#giveUp(sms, error));
        this.#again = true;
      }
    }
  }

  /** A text that no rule takes must not hold up those behind it. Another error is no fault of the text. */
  async #giveUp(sms: ReceivedSms, error: unknown): Promise<void> {
    const { inbox, store, report } = this.#options;
    if (!(error instanceof Refusal)) throw error;
    report(`A text from ${sms.number} was not taken.`, error);
    await store.writePlain((sql) => inbox.settle(sql, sms.id, 'done', 0));
  }

  async #take(sms: ReceivedSms): Promise<void> {
    const { inbox, numbers, settings } = this.#options;
    const vehicle = numbers.crewOf(sms.number, settings());
    if (!vehicle) return void (await inbox.settleUnknown(sms));
    const reply = replyOf(sms.text);
    if (reply.kind === 'status') return this.#setStatus(sms, vehicle, reply.status);
    if (reply.kind === 'answer' && (await this.#answer(sms, vehicle))) return;
    await this.#say(sms, vehicle);
  }

  /** Sets a status by the rules of every status, and answers the crew with the outcome. */
  async #setStatus(sms: ReceivedSms, vehicle: Vehicle, status: number): Promise<void> {
    const { crews, settings } = this.#options;
    const { language } = settings();
    const texts = textsIn(language);
    try {
      await crews.act({ vehicle }, this.#orderOf(sms, { kind: 'status', status }));
      await this.#settle(sms, vehicle, 'status', texts.set(vehicle.name, status));
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
      const text = texts.notSet(vehicle.name, status, smsRefusalText(error, language));
      await this.#settle(sms, vehicle, 'notSet', text);
    }
  }

  /** Answers what the crew must answer; false: there is nothing. */
  async #answer(sms: ReceivedSms, vehicle: Vehicle): Promise<boolean> {
    const { messages } = this.#options.crews;
    const ids = messages.unanswered(vehicle).map(({ id }) => id);
    if (ids.length === 0) return false;
    await messages.mark(vehicle, ids, 'answered', sms.at);
    await this.#settle(sms, vehicle, 'answer');
    return true;
  }

  async #say(sms: ReceivedSms, vehicle: Vehicle): Promise<void> {
    await this.#options.crews.act({ vehicle }, this.#orderOf(sms, { kind: 'say', text: sms.text }));
    await this.#settle(sms, vehicle, 'words');
  }

  #orderOf<Action>({ id, at }: ReceivedSms, action: Action) {
    return { key: `sms-${id}`, age: Math.max(0, this.#options.now() - at), action };
  }

  async #settle(sms: ReceivedSms, vehicle: Vehicle, state: ReceivedState, answer?: string): Promise<void> {
    const { inbox, outbox, store, settings, queued } = this.#options;
    const isAnswered = answer !== undefined && settings().gateway !== 'off';
    const draft: SmsDraft = {
      purpose: 'reply',
      number: numberForGateway(sms.number, settings()),
      name: vehicle.name,
      text: answer ?? '',
      vehicleId: vehicle.id,
      organizationId: vehicle.organizationId,
    };
    await store.writePlain((sql) => {
      inbox.settle(sql, sms.id, state, vehicle.id);
      if (isAnswered) outbox.add(sql, [draft]);
    });
    if (isAnswered) queued();
  }
}

export function requireDirects(by: Actor): void {
  if (!mayDirectCrews(by)) throw new Refusal('crews.dispatchersOnly');
}

import { seesOrganization, type Actor } from '../../../shared/access.ts';
import type { CrewMessage, Vehicle } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Crews, MessageOrder } from '../../dispatch/crews/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { VERSION } from '../../platform/program.ts';
import type { Store } from '../../store/types.ts';
import { CrewNumbers } from './crew-numbers.ts';
import type { SmsGateway } from './gateway.ts';
import { provesKey, readHook, type HookRequest } from './hook.ts';
import { HttpGateway } from './http-gateway.ts';
import { SmsInbox } from './inbox.ts';
import { numberForGateway } from './numbers.ts';
import { SmsOutbox, type SentSms, type SmsState } from './outbox.ts';
import { requireDirects, SmsReceiver } from './receiver.ts';
import { SmppGateway } from './smpp/smpp-gateway.ts';
import { textsIn } from './replies.ts';
import { SmsSender } from './sender.ts';
import { newHookKey, openSettings, saveSettings, type SmsSettings, type StoredSettings } from './settings.ts';

interface SmsOptions {
  readonly store: Store;
  readonly fleet: Fleet;
  readonly crews: Crews;
  readonly stationName: string;
  readonly now: () => number;
  readonly report: (message: string, error: unknown) => void;
}

/** Where texts for a crew go. */
export interface CrewTelephone {
  readonly vehicle: Vehicle;
  /** Its own telephone, as it was written. */
  readonly phone: string;
  /** The number that texts go to, its own or a driver's; empty: nobody knows one. */
  readonly number: string;
}

const SWEEP = 3_600_000;
/** ms in which steps of texts are noted at their messages as one. */
const TOGETHER = 200;
/** Messages that are noted in one round. */
const STEP = 50;

/** Texts to and from telephones (README). */
export class Sms {
  readonly outbox: SmsOutbox;
  readonly receiver: SmsReceiver;
  readonly #options: SmsOptions;
  readonly #numbers: CrewNumbers;
  readonly #stops: (() => void)[] = [];
  #settings: StoredSettings;
  #sender: SmsSender | undefined;
  #gateway: SmsGateway | undefined;
  #noting: Promise<void> | undefined;
  #noteTimer: NodeJS.Timeout | undefined;
  #isStarted = false;
  #isClosed = false;

  private constructor(options: SmsOptions, settings: StoredSettings, outbox: SmsOutbox, inbox: SmsInbox) {
    const { store, fleet, crews, now, report } = options;
    this.#options = options;
    this.#settings = settings;
    this.outbox = outbox;
    this.#numbers = new CrewNumbers(store, fleet);
    this.receiver = new SmsReceiver({
      ...{ store, fleet, crews, outbox, inbox, now, report, numbers: this.#numbers },
      settings: () => this.#settings,
      queued: () => this.#queued(),
    });
    const sweep = () =>
      void Promise.all([outbox.sweep(), inbox.sweep()]).catch((error: unknown) =>
        report('Old texts could not be removed.', error),
      );
    const timer = setInterval(sweep, SWEEP).unref();
    this.#stops.push(
      () => clearInterval(timer),
      () => this.#numbers.close(),
    );
  }

  static async open(options: SmsOptions): Promise<Sms> {
    const { store, now } = options;
    const settings = await store.writePlain(openSettings);
    return new Sms(options, settings, await SmsOutbox.open(store, now), await SmsInbox.open(store, now));
  }

  /** Starts sending, and processing of received texts. */
  start(): void {
    this.#isStarted = true;
    const leadershipChanged = () => void this.#connect();
    this.#stops.push(this.#options.store.onReadOnly(leadershipChanged));
    void this.#connect();
    this.#note();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#noteTimer);
    for (const stop of this.#stops.splice(0)) stop();
    await this.#sender?.close();
    await this.receiver.close();
    await this.#noting;
  }

  get settings(): StoredSettings {
    return this.#settings;
  }

  /** Why the gateway cannot be reached now; empty: nothing is known against it. */
  get problem(): string {
    return this.#gateway?.problem ?? '';
  }

  async change(settings: SmsSettings): Promise<void> {
    await this.#save({ ...settings, hookKey: this.#settings.hookKey });
    await this.#connect();
  }

  /** Creates a new key for the gateway; the old one becomes invalid. */
  async renewHookKey(): Promise<string> {
    const hookKey = newHookKey();
    await this.#save({ ...this.#settings, hookKey });
    return hookKey;
  }

  /** Writes to crews, and to their telephones where that is wanted, or the settings say so. */
  async send(by: Actor, order: MessageOrder, isWanted: boolean): Promise<CrewMessage> {
    const { store, crews } = this.#options;
    if (isWanted) this.#requireOn();
    const sent = await store.transaction(async () => {
      const crewMessage = await crews.messages.send(by, order);
      const vehicles = this.#vehiclesFor(crewMessage, isWanted);
      if (vehicles.length > 0) await this.#addFor(crewMessage, vehicles);
      return crewMessage;
    });
    this.#queued();
    return sent;
  }

  /** The telephones of the crews that the actor directs. */
  phones(by: Actor): CrewTelephone[] {
    requireDirects(by);
    const vehicles = this.#options.fleet.everyVehicleSeenBy(by).filter(({ isDeleted }) => !isDeleted);
    return vehicles.map((vehicle) => this.#telephoneOf(vehicle));
  }

  /** @param phone empty: the crew has none of its own */
  async setPhone(by: Actor, vehicleId: number, phone: string): Promise<CrewTelephone> {
    requireDirects(by);
    const vehicle = this.#options.fleet.get(vehicleId);
    if (!vehicle || !seesOrganization(by, vehicle.organizationId))
      throw new Refusal('fleet.missing', { id: vehicleId });
    if (phone !== '' && numberForGateway(phone, this.#settings) === '')
      throw new Refusal('sms.noNumber', { number: phone });
    await this.#numbers.setPhone(vehicle, phone);
    return this.#telephoneOf(vehicle);
  }

  /** Sends a text that says who sends it. */
  async test(by: Actor, written: string): Promise<SentSms> {
    this.#requireOn();
    const number = numberForGateway(written, this.#settings);
    if (number === '') throw new Refusal('sms.noNumber', { number: written });
    const text = textsIn(this.#settings.language).test(this.#options.stationName);
    const { organizationId } = by.user;
    const [id] = await this.#options.store.writePlain((sql) =>
      this.outbox.add(sql, [{ purpose: 'test', number, name: by.user.name, text, organizationId }]),
    );
    this.#queued();
    return this.outbox.get(id!)!;
  }

  /** Newest first. */
  list(by: Actor, filter: { state?: SmsState | undefined; before?: number | undefined; limit: number }): SentSms[] {
    requireDirects(by);
    return this.outbox.list({ ...filter, organizationIds: by.role.superuser ? undefined : [by.user.organizationId] });
  }

  /** Sends one again that failed. */
  async sendAgain(by: Actor, id: number): Promise<SentSms> {
    requireDirects(by);
    this.#requireOn();
    const sms = this.outbox.get(id);
    if (!sms || !seesOrganization(by, sms.organizationId)) throw new Refusal('sms.noSms', { id });
    if (sms.state !== 'failed') throw new Refusal('sms.notFailed', { id });
    const vehicle = this.#options.fleet.get(sms.vehicleId);
    const number = vehicle ? this.#numbers.of(vehicle, this.#settings) || sms.number : sms.number;
    if (number === '') throw new Refusal('sms.noNumber', { number: sms.name });
    await this.outbox.sendAgain(id, number);
    this.#queued();
    return this.outbox.get(id)!;
  }

  /** Takes the post of an HTTP gateway. Resolves when it is on disk. */
  async hook(request: HookRequest): Promise<void> {
    const { hookKey, gateway, http } = this.#settings;
    if (!provesKey(request, hookKey, this.#options.now())) throw new Refusal('sms.wrongKey');
    if (gateway !== 'http') throw new Refusal('sms.off');
    const word = readHook(http.hookForm, request);
    if (word.kind === 'received') await this.receiver.receive(word.text);
    if (word.kind === 'reported') {
      await this.outbox.report(word.report);
      this.#note();
    }
  }

  #telephoneOf(vehicle: Vehicle): CrewTelephone {
    const phone = this.#numbers.phoneOf(vehicle.id);
    return { vehicle, phone, number: this.#numbers.of(vehicle, this.#settings) };
  }

  #requireOn(): void {
    if (this.#settings.gateway === 'off') throw new Refusal('sms.off');
  }

  async #save(settings: StoredSettings): Promise<void> {
    await this.#options.store.writePlain((sql) => saveSettings(sql, settings));
    this.#settings = settings;
  }

  #vehiclesFor(crewMessage: CrewMessage, isWanted: boolean): Vehicle[] {
    const { crews, now } = this.#options;
    const { gateway, messages } = this.#settings;
    if (gateway === 'off' || (!isWanted && messages === 'chosen')) return [];
    const addressees = crews.messages.addressees(crewMessage);
    if (isWanted || messages === 'all') return addressees;
    const reachable = new Set(crews.sessions.all(now()).map(({ vehicleId }) => vehicleId));
    return addressees.filter(({ id }) => !reachable.has(id));
  }

  #addFor({ id, text, mustAnswer }: CrewMessage, vehicles: readonly Vehicle[]): Promise<unknown> {
    const written = mustAnswer ? `${text}\n${textsIn(this.#settings.language).mustAnswer}` : text;
    const drafts = vehicles.map((vehicle) => ({
      purpose: 'crew' as const,
      number: this.#numbers.of(vehicle, this.#settings),
      name: vehicle.name,
      text: written,
      crewMessageId: id,
      vehicleId: vehicle.id,
      organizationId: vehicle.organizationId,
    }));
    return this.#options.store.writePlain((sql) => this.outbox.add(sql, drafts));
  }

  #queued(): void {
    this.#sender?.wake();
    this.#note();
  }

  /** Gives the station a gateway with its present settings. */
  async #connect(): Promise<void> {
    const { now, report, store } = this.#options;
    const former = this.#sender;
    [this.#sender, this.#gateway] = [undefined, undefined];
    await former?.close();
    if (!this.#isStarted || this.#isClosed || store.readOnly !== undefined) return;
    this.receiver.wake();
    const gateway = this.#gatewayOf(this.#settings);
    if (!gateway) return;
    const { perMinute, hours } = this.#settings;
    this.#gateway = gateway;
    this.#sender = new SmsSender({
      ...{ outbox: this.outbox, gateway, perMinute, hours, now },
      isPaused: () => this.#isClosed || store.readOnly !== undefined,
      moved: () => this.#note(),
      report: (error) => report('A text could not be handed over.', error),
    });
    this.#sender.wake();
  }

  #gatewayOf({ gateway, http, smpp, login, secret }: StoredSettings): SmsGateway | undefined {
    if (gateway === 'smpp') {
      const { report } = this.#options;
      return new SmppGateway({
        ...{ settings: smpp, login, secret },
        events: {
          received: (text) => this.receiver.receive(text),
          reported: async (said) => {
            await this.outbox.report(said);
            this.#note();
          },
        },
        reached: () =>
          void this.outbox
            .hurry()
            .then(() => this.#queued())
            .catch((error: unknown) => report('Texts wait longer than they need.', error)),
        report: (error) => report('A text from the message centre could not be kept.', error),
      });
    }
    if (gateway === 'http') return new HttpGateway({ settings: http, login, secret, userAgent: `Waypost/${VERSION}` });
    return undefined;
  }

  /** Notes soon how far texts have come at the messages that they repeat. */
  #note(): void {
    if (this.#isClosed || this.#noteTimer) return;
    this.#noteTimer = setTimeout(() => {
      this.#noteTimer = undefined;
      this.#noting ??= this.#noteAll()
        .catch((error: unknown) => this.#options.report('How far texts have come could not be noted.', error))
        .finally(() => {
          this.#noting = undefined;
          // Texts may have arrived while the last round ended.
          if (this.#options.store.readOnly === undefined && this.outbox.unnoted(1).length > 0) this.#note();
        });
    }, TOGETHER);
    this.#noteTimer.unref();
  }

  async #noteAll(): Promise<void> {
    const { store, crews } = this.#options;
    for (;;) {
      const ids = this.outbox.unnoted(STEP);
      if (ids.length === 0 || this.#isClosed || store.readOnly !== undefined) return;
      for (const id of ids) {
        const marks = this.outbox.marksOf(id);
        await crews.messages.noteSms(id, marks);
        await this.outbox.noted(id, marks);
      }
    }
  }
}

import { randomUUID } from 'node:crypto';
import { mayDirectCrews, type Actor } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Calls } from '../../dispatch/calls/index.ts';
import { Backoff } from '../../platform/backoff.ts';
import { Mutex } from '../../platform/mutex.ts';
import type { Store } from '../../store/types.ts';
import { AmiSession } from './ami-session.ts';
import type { AmiMessage } from './ami-wire.ts';
import { dialledNumber } from './dialled-number.ts';
import { ExchangeCalls } from './exchange-calls.ts';
import { OutgoingCalls, type OutgoingCall } from './outgoing-calls.ts';
import { openExchange, OWN_CHANNEL, saveExchange, type ExchangeSettings } from './settings.ts';

interface TelephonyOptions {
  readonly store: Store;
  readonly calls: Calls;
  /** The enabled people with this telephone. */
  readonly peopleAt: (extension: string) => readonly Actor[];
  readonly now: () => number;
  readonly report: (message: string, error?: unknown) => void;
}

/** ms that a telephone rings for an outgoing call. */
const RINGS = 30_000;
/** ms within which an exchange says that it rings this telephone, or cannot. After that the call goes its way. */
const HEARD_WITHIN = 2_000;
/** ms that an exchange has for each answer of a test. */
const TEST_WITHIN = 5_000;
const LONGEST_PAUSE = 60_000;

/** The telephone exchange: calls that come in, and calls that people ask for (README). */
export class Telephony {
  readonly #options: TelephonyOptions;
  readonly #incoming: ExchangeCalls;
  readonly #outgoing: OutgoingCalls;
  readonly #backoff = new Backoff(() => performance.now(), LONGEST_PAUSE);
  readonly #turns = new Mutex();
  #settings: ExchangeSettings;
  #session: AmiSession | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stop: (() => void) | undefined;
  #problem = '';
  /** Counts settings and leaderships: a connection of an older one is of no use. */
  #era = 0;

  private constructor(options: TelephonyOptions, settings: ExchangeSettings) {
    this.#options = options;
    this.#settings = settings;
    this.#outgoing = new OutgoingCalls(options.now);
    this.#incoming = new ExchangeCalls({
      ...options,
      lines: () => this.#settings.lines,
      personAt: (extension) => this.#personAt(extension),
    });
  }

  static async open(options: TelephonyOptions): Promise<Telephony> {
    return new Telephony(options, await options.store.writePlain(openExchange));
  }

  start(): void {
    this.#stop = this.#options.store.onReadOnly(() => this.#reconnect());
    this.#reconnect();
  }

  close(): void {
    this.#stop?.();
    this.#disconnect();
  }

  get settings(): ExchangeSettings {
    return this.#settings;
  }

  /** Why the exchange cannot be reached; empty: it is connected, or none is set. */
  get problem(): string {
    return this.#problem;
  }

  get isConnected(): boolean {
    return this.#session !== undefined;
  }

  change(settings: ExchangeSettings): Promise<void> {
    return this.#turns.run(async () => {
      await this.#options.store.writePlain((sql) => saveExchange(sql, settings));
      this.#settings = settings;
      this.#reconnect();
    });
  }

  /** Signs in with these settings and out again: how the exchange names itself, or why that failed. */
  async test({ host, port, login, secret }: Pick<ExchangeSettings, 'host' | 'port' | 'login' | 'secret'>) {
    const options = { host, port, login, secret, event: () => undefined, answerWithin: TEST_WITHIN };
    try {
      const session = await AmiSession.open(options);
      session.close();
      return { greeting: session.greeting, problem: '' };
    } catch (error) {
      return { greeting: '', problem: (error as Error).message };
    }
  }

  /** The last call that this person asked for. */
  callOf(by: Actor): OutgoingCall | undefined {
    return this.#outgoing.of(by.user.id);
  }

  /** README rule 5. Resolves when a telephone rings, or nothing else is known soon. */
  async dial(by: Actor, written: string): Promise<OutgoingCall> {
    const { isOn, channel, dialContext } = this.#settings;
    if (!mayDirectCrews(by)) throw new Refusal('telephony.mayNot');
    if (!isOn) throw new Refusal('telephony.off');
    const dialled = dialledNumber(written, this.#settings);
    if (dialled === '') throw new Refusal('telephony.noNumber', { number: written });
    const { id: userId, extension = '' } = by.user;
    if (extension === '') throw new Refusal('telephony.noExtension');
    const session = this.#session;
    if (!session) throw new Refusal('telephony.away');
    const id = `${OWN_CHANNEL}${randomUUID()}`;
    this.#outgoing.begin({ id, userId, number: written, dialled, extension });
    const order = {
      ...{ Channel: channel.replaceAll('{extension}', extension), ChannelId: id, CallerID: `<${dialled}>` },
      ...{ Context: dialContext, Exten: dialled, Priority: '1', Timeout: String(RINGS), Async: 'true' },
    };
    const answer = await session.ask('Originate', order, id).catch(() => undefined);
    if (answer?.get('response') !== 'Success') this.#outgoing.refuse(id);
    if (!answer) throw new Refusal('telephony.away');
    if (answer.get('response') !== 'Success')
      throw new Refusal('telephony.refused', { reason: (answer.get('message') ?? '').slice(0, 200) });
    const call = await this.#outgoing.heardOf(id, HEARD_WITHIN);
    if (!call || call.state === 'lost') throw new Refusal('telephony.away');
    if (call.reason === 'desk') throw new Refusal('telephony.noRing', { extension });
    return call;
  }

  #personAt(extension: string): Actor | undefined {
    const people = this.#options.peopleAt(extension);
    return people.length === 1 ? people[0] : undefined;
  }

  #take(event: AmiMessage): Promise<void> | undefined {
    this.#outgoing.take(event);
    return this.#incoming.take(event);
  }

  #disconnect(): void {
    this.#era++;
    clearTimeout(this.#timer);
    this.#leave();
    this.#problem = '';
  }

  #leave(): void {
    this.#session?.close();
    this.#session = undefined;
    this.#outgoing.lose();
  }

  #reconnect(): void {
    this.#disconnect();
    this.#backoff.recovered();
    if (this.#settings.isOn && this.#options.store.readOnly === undefined) void this.#follow(this.#era);
  }

  async #follow(era: number): Promise<void> {
    const { host, port, login, secret } = this.#settings;
    const event = (message: AmiMessage) => (era === this.#era ? this.#take(message) : undefined);
    let reason: string;
    try {
      const session = await AmiSession.open({ host, port, login, secret, event });
      if (era !== this.#era) return session.close();
      this.#session = session;
      this.#problem = '';
      this.#incoming.list();
      await session.ask('CoreShowChannels');
      this.#backoff.recovered();
      reason = await session.ended;
    } catch (error) {
      reason = (error as Error).message;
    }
    if (era !== this.#era) return;
    this.#leave();
    if (this.#problem !== reason) this.#options.report(`The exchange is away: ${reason}`);
    this.#problem = reason;
    this.#backoff.failed(reason);
    this.#timer = setTimeout(() => void this.#follow(era), this.#backoff.remaining);
    this.#timer.unref();
  }
}

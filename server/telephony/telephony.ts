import { randomUUID } from 'node:crypto';
import { mayDirectCrews, type Actor } from '../../shared/access.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { Calls } from '../calls/index.ts';
import { Backoff } from '../platform/backoff.ts';
import { Mutex } from '../platform/mutex.ts';
import type { Store } from '../store/types.ts';
import { AmiSession } from './ami-session.ts';
import type { AmiMessage } from './ami-wire.ts';
import { dialledNumber } from './dialled-number.ts';
import { ExchangeCalls } from './exchange-calls.ts';
import { openExchange, OWN_CHANNEL, saveExchange, saveExtension, type ExchangeSettings } from './settings.ts';

interface TelephonyOptions {
  readonly store: Store;
  readonly calls: Calls;
  /** The person with their role, while enabled. */
  readonly actorOf: (userId: number) => Actor | undefined;
  readonly now: () => number;
  readonly report: (message: string, error?: unknown) => void;
}

/** ms that a telephone rings for an outgoing call. */
const RINGS = 30_000;
/** ms within which an exchange says that it cannot ring this telephone. After that the call goes its way. */
const FAILS_WITHIN = 2_000;
const LONGEST_PAUSE = 60_000;

/** The telephone exchange: calls that come in, and calls that people ask for (README). */
export class Telephony {
  readonly #options: TelephonyOptions;
  readonly #extensions: Map<number, string>;
  readonly #incoming: ExchangeCalls;
  readonly #failures = new Map<string, (event: AmiMessage) => void>();
  readonly #backoff = new Backoff(() => performance.now(), LONGEST_PAUSE);
  readonly #turns = new Mutex();
  #settings: ExchangeSettings;
  #session: AmiSession | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stop: (() => void) | undefined;
  #problem = '';
  /** Counts settings and leaderships: a connection of an older one is of no use. */
  #era = 0;

  private constructor(options: TelephonyOptions, settings: ExchangeSettings, extensions: Map<number, string>) {
    this.#options = options;
    this.#settings = settings;
    this.#extensions = extensions;
    this.#incoming = new ExchangeCalls({
      ...options,
      lines: () => this.#settings.lines,
      personAt: (extension) => this.#personAt(extension),
    });
  }

  static async open(options: TelephonyOptions): Promise<Telephony> {
    const { settings, extensions } = await options.store.writePlain(openExchange);
    return new Telephony(options, settings, new Map(extensions));
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

  /** Why the exchange cannot be reached; empty: it is there, or none is set. */
  get problem(): string {
    return this.#problem;
  }

  get isConnected(): boolean {
    return this.#session !== undefined;
  }

  get extensions(): ReadonlyMap<number, string> {
    return this.#extensions;
  }

  change(settings: ExchangeSettings): Promise<void> {
    return this.#turns.run(async () => {
      await this.#options.store.writePlain((sql) => saveExchange(sql, settings));
      this.#settings = settings;
      this.#reconnect();
    });
  }

  /** @param extension empty: the person has no telephone */
  async setExtension(userId: number, extension: string): Promise<void> {
    await this.#options.store.writePlain((sql) => saveExtension(sql, userId, extension));
    if (extension === '') this.#extensions.delete(userId);
    else this.#extensions.set(userId, extension);
  }

  /** README rule 5. Returns the digits that are dialled. */
  async dial(by: Actor, written: string): Promise<{ number: string; extension: string }> {
    const { isOn, channel, dialContext } = this.#settings;
    if (!mayDirectCrews(by)) throw new Refusal('telephony.mayNot');
    if (!isOn) throw new Refusal('telephony.off');
    const number = dialledNumber(written, this.#settings);
    if (number === '') throw new Refusal('telephony.noNumber', { number: written });
    const extension = this.#extensions.get(by.user.id);
    if (extension === undefined) throw new Refusal('telephony.noExtension');
    const session = this.#session;
    if (!session) throw new Refusal('telephony.away');
    const id = `${OWN_CHANNEL}${randomUUID()}`;
    const failed = this.#failureOf(id);
    try {
      const answer = await session.ask(
        'Originate',
        {
          ...{ Channel: channel.replaceAll('{extension}', extension), ChannelId: id, CallerID: `<${number}>` },
          ...{ Context: dialContext, Exten: number, Priority: '1', Timeout: String(RINGS), Async: 'true' },
        },
        id,
      );
      if (answer.get('response') !== 'Success')
        throw new Refusal('telephony.refused', { reason: (answer.get('message') ?? '').slice(0, 200) });
      if (await failed.within(FAILS_WITHIN)) throw new Refusal('telephony.noRing', { extension });
    } catch (error) {
      throw error instanceof Refusal ? error : new Refusal('telephony.away');
    } finally {
      failed.forget();
    }
    return { number, extension };
  }

  #failureOf(id: string) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#failures.set(id, (event) => resolve(event.get('response') === 'Failure'));
    let timer: NodeJS.Timeout | undefined;
    return {
      within: (ms: number) => {
        timer = setTimeout(() => resolve(false), ms);
        return promise;
      },
      forget: () => {
        clearTimeout(timer);
        this.#failures.delete(id);
      },
    };
  }

  #personAt(extension: string): Actor | undefined {
    const ids = [...this.#extensions].filter(([, own]) => own === extension).map(([userId]) => userId);
    const people = ids.flatMap((userId) => this.#options.actorOf(userId) ?? []);
    return people.length === 1 ? people[0] : undefined;
  }

  #take(event: AmiMessage): Promise<void> | undefined {
    if (event.get('event') !== 'OriginateResponse') return this.#incoming.take(event);
    this.#failures.get(event.get('actionid') ?? '')?.(event);
    return undefined;
  }

  #disconnect(): void {
    this.#era++;
    clearTimeout(this.#timer);
    this.#session?.close();
    this.#session = undefined;
    this.#problem = '';
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
    this.#session?.close();
    this.#session = undefined;
    if (this.#problem !== reason) this.#options.report(`The exchange is away: ${reason}`);
    this.#problem = reason;
    this.#backoff.failed(reason);
    this.#timer = setTimeout(() => void this.#follow(era), this.#backoff.remaining);
    this.#timer.unref();
  }
}

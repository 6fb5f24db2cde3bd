import type { Pdu, Session } from 'smpp';
import type { SmppSettings } from '../settings.ts';

/** ms that the centre has for an answer, and between two keep-alive requests. */
const ANSWER = 15_000;
const ENQUIRE = 30_000;
const CONNECT = 15_000;
/** ms for a farewell. */
const UNBIND = 1_000;
/** `interface_version` of SMPP 3.4. */
const VERSION = 0x34;

interface SmppSessionOptions {
  readonly settings: SmppSettings;
  readonly login: string;
  readonly secret: string;
  /** Answers a `deliver_sm`: its `command_status`. */
  readonly delivered: (pdu: Pdu) => Promise<number>;
  readonly enquireEvery?: number | undefined;
}

/** One connection to a message centre, bound as a transceiver. It ends for good with its first error. */
export class SmppSession {
  readonly #session: Session;
  readonly #options: SmppSessionOptions;
  readonly #ended: Promise<string>;
  readonly #waiting = new Set<(error: Error) => void>();
  #timer: NodeJS.Timeout | undefined;
  #error = '';

  private constructor(session: Session, options: SmppSessionOptions) {
    this.#session = session;
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#ended = promise;
    session.on('error', (error: Error) => this.#end(error.message));
    session.on('close', () => {
      this.#end('The message centre closed the connection.');
      resolve(this.#error);
    });
    session.on('deliver_sm', (pdu: Pdu) => void this.#answer(pdu));
    session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()));
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response());
      this.#end('The message centre said goodbye.');
    });
    session.on('unknown', (pdu: Pdu) => session.send(pdu.response()));
  }

  /** Connects and binds; rejects with the reason where the centre cannot be reached, or does not want us. */
  static async open(options: SmppSessionOptions): Promise<SmppSession> {
    // Loaded only where it is used.
    const { default: smpp } = await import('smpp');
    const { host, port, tls, systemType } = options.settings;
    const raw = smpp.connect({ host, port, ...(tls ? { tls: true, servername: host } : {}) });
    const session = new SmppSession(raw, options);
    try {
      await session.#within(CONNECT, (resolve) =>
        raw.once(tls ? 'secureConnect' : 'connect', () => resolve(undefined)),
      );
      const bound = await session.#ask((answered) =>
        raw.bind_transceiver(
          {
            system_id: options.login.slice(0, 15),
            password: options.secret.slice(0, 8),
            system_type: systemType,
            interface_version: VERSION,
          },
          answered,
        ),
      );
      if (bound.command_status) throw new Error(`The message centre refused the login (${hex(bound.command_status)}).`);
    } catch (error) {
      session.#end((error as Error).message);
      throw error;
    }
    session.#timer = setInterval(() => void session.#enquire(), options.enquireEvery ?? ENQUIRE).unref();
    return session;
  }

  /** Resolves with the reason when the connection has ended. */
  get ended(): Promise<string> {
    return this.#ended;
  }

  /** Hands one part over; resolves with the answer. */
  submit(fields: Readonly<Record<string, unknown>>): Promise<Pdu> {
    return this.#ask((answered) => this.#session.submit_sm(fields, answered));
  }

  async close(): Promise<void> {
    const farewell = new Promise<void>((resolve) => {
      setTimeout(resolve, UNBIND).unref();
      if (this.#error !== '' || !this.#session.unbind(() => resolve())) resolve();
    });
    await farewell;
    this.#end('The station closed the connection.');
  }

  async #enquire(): Promise<void> {
    try {
      await this.#ask((answered) => this.#session.enquire_link(answered));
    } catch (error) {
      this.#end((error as Error).message);
    }
  }

  async #answer(pdu: Pdu): Promise<void> {
    const status = await this.#options.delivered(pdu);
    if (this.#error === '') this.#session.send(pdu.response({ command_status: status }));
  }

  #ask(send: (answered: (pdu: Pdu) => void) => boolean): Promise<Pdu> {
    return this.#within<Pdu>(ANSWER, (resolve, reject) => {
      if (!send(resolve)) reject(new Error('The connection to the message centre is gone.'));
    });
  }

  /** A promise that the end of the connection, or silence, rejects. */
  #within<T>(ms: number, begin: (resolve: (value: T) => void, reject: (error: Error) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(fail);
      };
      const fail = (error: Error) => {
        done();
        reject(error);
      };
      const timer = setTimeout(() => fail(new Error('The message centre does not answer.')), ms).unref();
      if (this.#error !== '') return fail(new Error(this.#error));
      this.#waiting.add(fail);
      begin((value) => {
        done();
        resolve(value);
      }, fail);
    });
  }

  #end(reason: string): void {
    if (this.#error !== '') return;
    this.#error = reason;
    clearInterval(this.#timer);
    for (const fail of [...this.#waiting]) fail(new Error(reason));
    this.#session.destroy();
  }
}

function hex(status: number): string {
  return `0x${status.toString(16).padStart(8, '0')}`;
}

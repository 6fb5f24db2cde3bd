import { createHash, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { AmiReader, writeAction, type AmiMessage } from './ami-wire.ts';

interface AmiSessionOptions {
  readonly host: string;
  readonly port: number;
  readonly login: string;
  readonly secret: string;
  /** Gets every event in its order. Nothing more is read before it has returned. */
  readonly event: (event: AmiMessage) => Promise<void> | undefined;
  /** ms between two keep-alive requests to the exchange. */
  readonly pingEvery?: number | undefined;
  /** ms that the exchange has for an answer. */
  readonly answerWithin?: number | undefined;
}

const ANSWER = 15_000;
const PING = 30_000;
/** Answers that may be waited for at once. */
const MOST_WAITING = 100;

type Waiting = { readonly resolve: (message: AmiMessage) => void; readonly reject: (error: Error) => void };

/** One connection to Asterisk's manager interface. It ends for good with its first error. */
export class AmiSession {
  readonly #socket: Socket;
  readonly #options: AmiSessionOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #ended = Promise.withResolvers<string>();
  #timer: NodeJS.Timeout | undefined;
  #error = '';
  readonly #reader = new AmiReader();

  private constructor(socket: Socket, options: AmiSessionOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.setNoDelay(true);
    socket.on('error', (error) => this.#end(error.message || 'The exchange cannot be reached.'));
    socket.on('close', () => this.#end('The exchange closed the connection.'));
  }

  /** Connects and signs in; rejects with the reason. The secret itself never leaves the station. */
  static async open(options: AmiSessionOptions): Promise<AmiSession> {
    const session = new AmiSession(connect({ host: options.host, port: options.port }), options);
    void session.#read();
    try {
      const { challenge } = await session.#must('Challenge', { AuthType: 'MD5' });
      const key = createHash('md5').update(`${challenge}${options.secret}`).digest('hex');
      const name = { AuthType: 'MD5', Username: options.login, Key: key };
      await session.#must('Login', { ...name, Events: 'call' });
    } catch (error) {
      session.#end((error as Error).message);
      throw error;
    }
    const ping = () => session.ask('Ping').catch((error: Error) => session.#end(error.message));
    session.#timer = setInterval(() => void ping(), options.pingEvery ?? PING).unref();
    return session;
  }

  /** The first line of the exchange, which names its manager interface. */
  get greeting(): string {
    return this.#reader.greeting ?? '';
  }

  /** Resolves with the reason when the connection has ended. */
  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  /** Sends an action; resolves with the response to it. */
  ask(action: string, fields: Readonly<Record<string, string>> = {}, id: string = randomUUID()): Promise<AmiMessage> {
    return new Promise((resolve, reject) => {
      if (this.#error !== '') return reject(new Error(this.#error));
      if (this.#waiting.size >= MOST_WAITING) return reject(new Error('The exchange is behind with its answers.'));
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(id);
      };
      const late = () => this.#waiting.get(id)?.reject(new Error('The exchange does not answer.'));
      const timer = setTimeout(late, this.#options.answerWithin ?? ANSWER).unref();
      this.#waiting.set(id, {
        resolve: (message) => (done(), resolve(message)),
        reject: (error) => (done(), reject(error)),
      });
      this.#socket.write(writeAction({ Action: action, ActionID: id, ...fields }));
    });
  }

  close(): void {
    this.#end('The station closed the connection.');
  }

  async #must(action: string, fields: Readonly<Record<string, string>>): Promise<{ challenge: string }> {
    const answer = await this.ask(action, fields);
    if (answer.get('response') !== 'Success')
      throw new Error(`The exchange refused the login: ${(answer.get('message') ?? '').slice(0, 200)}`);
    return { challenge: answer.get('challenge') ?? '' };
  }

  async #read(): Promise<void> {
    try {
      for await (const piece of this.#socket as AsyncIterable<Buffer>) {
        for (const message of this.#reader.read(piece)) {
          if (this.#error !== '') return;
          if (message.has('response') && !message.has('event'))
            this.#waiting.get(message.get('actionid') ?? '')?.resolve(message);
          else if (message.has('event')) await this.#options.event(message);
        }
        // A flood must not hold the event loop.
        await setImmediate();
      }
    } catch (error) {
      this.#end((error as Error).message);
    }
  }

  #end(reason: string): void {
    if (this.#error !== '') return;
    this.#error = reason || 'The connection ended.';
    clearInterval(this.#timer);
    this.#socket.destroy();
    for (const { reject } of [...this.#waiting.values()]) reject(new Error(this.#error));
    this.#ended.resolve(this.#error);
  }
}

import { readFileSync } from 'node:fs';
import { connect, credsAuthenticator, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { Backoff } from '../../platform/backoff.ts';
import { Emitter } from '../../platform/emitter.ts';
import { inboxOf } from './access/roles.ts';
import { userKeyOf } from './access/user-key.ts';
import { Subjects } from './subjects.ts';

export interface RegionOptions {
  /** Such as `nats://10.0.0.1:4222`; any of them will do. */
  readonly servers: readonly string[];
  readonly region: string;
  /** File with the user's JWT and key (`.creds`). */
  readonly credentials: string | undefined;
  /** PEM file of the authority that signed the certificates of the servers. */
  readonly authority: string | undefined;
  /** Copies of each stream. */
  readonly replicas: number;
  /** JetStream domain of the centre, whose servers hold the changes; undefined: the servers have no domains. */
  readonly domain?: string | undefined;
  /** Name of the client, for the operators of the servers. */
  readonly name: string;
  readonly log: { info(message: string): void; warn(message: string): void };
}

export interface RegionState {
  readonly isConnected: boolean;
  /** Epoch ms. */
  readonly since: number;
  /** Why it is not connected, in words; undefined: it is. */
  readonly problem: string | undefined;
}

/** ms between two tries. */
const LONGEST_DELAY = 5_000;
const CONNECT_TIMEOUT = 5_000;
/** ms between two looks whether the server still answers; two without an answer end the connection. */
const PING_EVERY = 5_000;

/** The connection to the servers of a region. It reconnects without limit; nothing waits for it. */
export class RegionConnection {
  readonly subjects: Subjects;
  readonly options: RegionOptions;
  readonly #changed = new Emitter<[]>();
  readonly #closing = new AbortController();
  readonly #run: Promise<void>;
  #connection: NatsConnection | undefined;
  #isConnected = false;
  #since = Date.now();
  #problem: string | undefined = 'It has not connected yet.';

  constructor(options: RegionOptions) {
    this.options = options;
    this.subjects = new Subjects(options.region);
    this.#run = this.#connect();
  }

  get state(): RegionState {
    return { isConnected: this.#isConnected, since: this.#since, problem: this.#problem };
  }

  /** undefined: it is not connected now. */
  get connection(): NatsConnection | undefined {
    return this.#isConnected ? this.#connection : undefined;
  }

  /** Calls the listener when the connection opens or is lost. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#changed.on(listener);
  }

  /** Resolves with the connection when there is one; rejects when the signal says so. */
  async connected(signal: AbortSignal): Promise<NatsConnection> {
    while (!this.connection) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const stop = this.onChange(resolve);
      const abort = () => reject(new Error('The program stops.'));
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      await promise.finally(() => {
        stop();
        signal.removeEventListener('abort', abort);
      });
    }
    return this.connection;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connection?.close();
    await this.#run;
  }

  async #connect(): Promise<void> {
    const { signal } = this.#closing;
    const backoff = new Backoff(undefined, LONGEST_DELAY);
    while (!signal.aborted) {
      try {
        this.#connection = await connect(this.#connectOptions());
        backoff.recovered();
        // `close` did not know it yet.
        if (signal.aborted) return await this.#connection.close();
        await this.#watch(this.#connection);
      } catch (error) {
        this.#lost((error as Error).message);
        backoff.failed((error as Error).message);
      }
      await waitFor(backoff.remaining, signal);
    }
  }

  #connectOptions(): NodeConnectionOptions {
    const { servers, credentials, authority, name } = this.options;
    return {
      servers: [...servers],
      name,
      timeout: CONNECT_TIMEOUT,
      pingInterval: PING_EVERY,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 500,
      ignoreAuthErrorAbort: true,
      noAsyncTraces: true,
      ...(credentials !== undefined && withCredentials(credentials)),
      ...(authority !== undefined && { tls: { ca: readFileSync(authority, 'utf8') } }),
    };
  }

  /** Resolves when the connection is closed for good. */
  async #watch(connection: NatsConnection): Promise<void> {
    this.#found(connection);
    for await (const status of connection.status()) {
      if (status.type === 'reconnect') this.#found(connection);
      else if (status.type === 'disconnect') this.#lost('No server of the region answers.');
      else if (status.type === 'error') this.options.log.warn(`A server of the region: ${status.error.message}`);
    }
    if (!this.#closing.signal.aborted) this.#lost('The connection was closed.');
  }

  #found(connection: NatsConnection): void {
    this.options.log.info(`Connected to the region ${this.options.region} at ${connection.getServer()}.`);
    this.#set(true, undefined);
  }

  #lost(problem: string): void {
    if (this.#isConnected || this.#problem !== problem)
      this.options.log.warn(`The region ${this.options.region} cannot be reached: ${problem}`);
    this.#set(false, problem);
  }

  #set(isConnected: boolean, problem: string | undefined): void {
    if (isConnected !== this.#isConnected) this.#since = Date.now();
    this.#isConnected = isConnected;
    this.#problem = problem;
    this.#changed.emit();
  }
}

/** Credentials are read at each connection: they are renewed. They allow answers to the user's own inbox. */
function withCredentials(path: string): Pick<NodeConnectionOptions, 'authenticator' | 'inboxPrefix'> {
  const key = userKeyOf(readFileSync(path, 'utf8'));
  return {
    authenticator: credsAuthenticator(() => readFileSync(path)),
    ...(key !== undefined && { inboxPrefix: inboxOf(key) }),
  };
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}

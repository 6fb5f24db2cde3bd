import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { connect, IClientOptions, MqttClient, Packet } from 'mqtt';
import { Backoff } from '../../../platform/backoff.ts';
import { serverLogin } from '../../../platform/server-login.ts';
import type { Sender } from '../quarantine/quarantine-quota.ts';
import type { Telemetry } from '../telemetry.ts';
import type { TraccarReport } from '../forwarded/index.ts';
import { readPublication } from './read-publication.ts';

export interface BrokerOptions {
  /** Such as `mqtts://station:secret@broker.example:8883`. */
  readonly url: string;
  /** Filters of topics, with their wildcards. */
  readonly topics: readonly string[];
  /** The broker stores messages while this client is offline. */
  readonly clientId: string;
  /** PEM file of the authority that signed the broker's certificate. */
  readonly authority: string | undefined;
  /** Called with the news of a device in a message of Traccar. Resolves when they are on disk. */
  readonly traccarReported?: ((report: TraccarReport) => Promise<void>) | undefined;
  readonly log: { info(message: string): void; warn(message: string): void };
}

const CONNECT_TIMEOUT = 10_000;
/** Seconds that a broker stores messages while the station is offline. */
const KEPT_FOR = 7 * 24 * 3_600;
/** Bytes of a publication that a broker of MQTT 5 sends us at most. */
const LONGEST = 256 * 1024;
const LONGEST_DELAY = 30_000;
const SOURCE = 'mqtt';
/** All publications come from the address of the broker: devices are distinguished by their vehicles. */
const SENDER: Sender = 'mqtt';
/** The broker does not speak the version: 1 of MQTT 3, 132 of MQTT 5. */
const WRONG_VERSION = new Set([1, 132]);

/** Publications that are stored at a time. */
const AT_ONCE = 100;

/** The method of the client by which confirmations go out. */
type SendPacket = (packet: Packet, sent?: () => void, ...more: unknown[]) => unknown;

type Ingest = Pick<Telemetry, 'ingest' | 'quarantine'>;

/**
 * Follows topics of an MQTT broker. A publication of QoS 1 is confirmed when it is on disk; unconfirmed ones
 * arrive again. The connection is retried without limit.
 */
export class BrokerIntake {
  readonly #telemetry: Ingest;
  readonly #options: BrokerOptions;
  readonly #closing = new AbortController();
  readonly #run: Promise<void>;
  #version: 4 | 5 = 5;
  #taking: Promise<unknown> = Promise.resolve();

  constructor(telemetry: Ingest, options: BrokerOptions) {
    this.#telemetry = telemetry;
    this.#options = options;
    this.#run = this.#keepConnected();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#run;
    await this.#taking;
  }

  async #keepConnected(): Promise<void> {
    const { signal } = this.#closing;
    const backoff = new Backoff(undefined, LONGEST_DELAY);
    // Loaded here: most stations follow no broker.
    const { connect } = await import('mqtt');
    while (!signal.aborted) {
      const problem = await this.#session(connect, () => backoff.recovered()).catch(
        (error: unknown) => (error as Error).message,
      );
      if (signal.aborted) return;
      if (problem === 'wrong version') continue;
      if (backoff.failed(problem) === 1)
        this.#options.log.warn(`No connection to the MQTT broker. Retrying: ${problem}`);
      await wait(backoff.remaining, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Resolves with the reason when the connection has ended. */
  async #session(open: typeof connect, subscribed: () => void): Promise<string> {
    const { url, topics, log } = this.#options;
    const { address, ...login } = serverLogin(url);
    const { signal } = this.#closing;
    const { promise, resolve } = Promise.withResolvers<string>();
    let problem = 'the connection was closed';
    const client = open(address, { ...this.#clientOptions(), ...login });
    const end = () => void client.end(true);
    signal.addEventListener('abort', end, { once: true });
    const fail = (reason: string) => {
      problem = reason;
      end();
    };
    client.on('error', (error) => {
      const isWrongVersion = this.#version === 5 && WRONG_VERSION.has(Number((error as { code?: unknown }).code));
      if (isWrongVersion) this.#version = 4;
      fail(isWrongVersion ? 'wrong version' : error.message);
    });
    client.on('close', () => {
      signal.removeEventListener('abort', end);
      end();
      resolve(problem);
    });
    client.on('connect', () =>
      client.subscribe([...topics], { qos: 1 }, (error, granted) => {
        const refused = (granted ?? []).filter(({ qos }) => qos >= 128).map(({ topic }) => topic);
        if (error) return fail(error.message);
        if (refused.length > 0) log.warn(`The MQTT broker refuses the topics ${refused.join(', ')}.`);
        subscribed();
        log.info(`Following ${topics.join(', ')} of the MQTT broker.`);
      }),
    );
    this.#handlePublications(client, fail);
    return promise;
  }

  /**
   * The client would confirm a publication before it reads the next one. Several are stored at a time and share
   * a sync of the disk: the confirmation of each is held back until it is stored.
   */
  #handlePublications(client: MqttClient, fail: (reason: string) => void): void {
    const taking = new Map<number | undefined, Promise<boolean>>();
    const free = new Slots(AT_ONCE);
    client.handleMessage = (packet, done) => {
      const { topic, payload } = packet;
      const taken = this.#take(topic, typeof payload === 'string' ? Buffer.from(payload) : payload).then(
        () => true,
        (error: unknown) => {
          fail(`a position could not be stored: ${(error as Error).message}`);
          return false;
        },
      );
      taking.set(identifierOf(packet), taken);
      this.#taking = Promise.all([this.#taking, taken]).then(() => undefined);
      free.take(taken, () => done());
    };
    const own = client as unknown as { _sendPacket: SendPacket };
    const send = own._sendPacket.bind(client);
    own._sendPacket = (packet, sent, ...more) => {
      if (packet.cmd !== 'puback') return send(packet, sent, ...more);
      void taking.get(identifierOf(packet))?.then((isStored) => isStored && send(packet));
      taking.delete(identifierOf(packet));
      sent?.();
    };
  }

  async #take(topic: string, payload: Buffer): Promise<void> {
    const read = readPublication(topic, payload);
    if (read.kind === 'position') await this.#telemetry.ingest([read.record], SOURCE, undefined, SENDER);
    else if (read.kind === 'unreadable')
      await this.#telemetry.quarantine([{ reason: read.reason, raw: payload }], SOURCE, read.device, SENDER);
    if (read.kind !== 'unreadable' && read.traccar) await this.#options.traccarReported?.(read.traccar);
  }

  #clientOptions(): IClientOptions {
    const { clientId, authority } = this.#options;
    return {
      clientId,
      clean: false,
      reconnectPeriod: 0,
      connectTimeout: CONNECT_TIMEOUT,
      keepalive: 30,
      resubscribe: false,
      protocolVersion: this.#version,
      ...(this.#version === 5 && {
        properties: { sessionExpiryInterval: KEPT_FOR, maximumPacketSize: LONGEST, receiveMaximum: 100 },
      }),
      // Read at each connection: certificates are renewed.
      ...(authority !== undefined && { ca: readFileSync(authority) }),
    };
  }
}

function identifierOf(packet: Packet): number | undefined {
  return 'messageId' in packet ? packet['messageId'] : undefined;
}

/** Calls back at once while work in progress leaves a place free, else when some ends. */
class Slots {
  readonly #most: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  take(work: Promise<unknown>, proceed: () => void): void {
    this.#running++;
    void work.then(() => {
      this.#running--;
      this.#waiting.shift()?.();
    });
    if (this.#running < this.#most) proceed();
    else this.#waiting.push(proceed);
  }
}

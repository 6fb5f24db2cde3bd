import type { MqttClient } from 'mqtt';
import { signedHeaders } from '../webhook.ts';
import {
  failed,
  inTime,
  TIMEOUT,
  type Attempt,
  type AttemptOutcome,
  type DeliverySender,
  type DeliverySenderOptions,
} from './sender.ts';

const LONGEST_CONNECT = 10_000;

/**
 * Publishes deliveries with QoS 1 to the topic PATH/TYPE of an address `mqtt://BROKER/PATH`. Id, time and signature are
 * user properties of MQTT 5. A delivery is sent when the broker confirmed it. The client is loaded with the first.
 */
export class MqttSender implements DeliverySender {
  readonly #options: DeliverySenderOptions;
  #client: Promise<MqttClient> | undefined;

  constructor(options: DeliverySenderOptions) {
    this.#options = options;
  }

  async send({ publicId, body, type, at, signal }: Attempt): Promise<AttemptOutcome> {
    const { url, secret, timeout = TIMEOUT } = this.#options;
    try {
      const client = await inTime((this.#client ??= this.#connect()), timeout, signal);
      const userProperties = signedHeaders(secret, publicId, at, body);
      const properties = { contentType: 'application/json', userProperties };
      await inTime(client.publishAsync(topicOf(url, type), body, { qos: 1, properties }), timeout, signal);
      return { kind: 'taken', status: 0 };
    } catch (error) {
      await this.#drop();
      return failed(error);
    }
  }

  async close(): Promise<void> {
    await this.#drop();
  }

  async #connect(): Promise<MqttClient> {
    const { connectAsync } = await import('mqtt');
    const client = await connectAsync(
      this.#options.url,
      { protocolVersion: 5, reconnectPeriod: 0, connectTimeout: LONGEST_CONNECT, clean: true },
      false,
    );
    client.on('error', () => undefined); // 'close' follows
    client.on('close', () => (this.#client = undefined));
    return client;
  }

  /** What was not confirmed fails with it, and is sent again. */
  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.then((each) => each.end(true)).catch(() => undefined);
  }
}

function topicOf(url: string, type: string): string {
  const path = decodeURIComponent(new URL(url).pathname).replace(/^\/+|\/+$/g, '');
  return path === '' ? type : `${path}/${type}`;
}

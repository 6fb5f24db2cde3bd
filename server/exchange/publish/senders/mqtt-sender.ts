import type { MqttClient } from 'mqtt';
import { serverLogin } from '../../../platform/server-login.ts';
import { signedHeaders } from '../webhook.ts';
import { KeptConnection, LONGEST_CONNECT, type Opening } from './kept-connection.ts';
import {
  inTime,
  type Attempt,
  type AttemptOutcome,
  type DeliverySender,
  type DeliverySenderOptions,
} from './sender.ts';

/**
 * Publishes deliveries with QoS 1 to the topic PATH/TYPE of an address `mqtt://BROKER/PATH`. Id, time and signature are
 * user properties of MQTT 5. A delivery is sent when the broker confirmed it. The client is loaded with the first.
 */
export class MqttSender implements DeliverySender {
  readonly #options: DeliverySenderOptions;
  /** Messages without a confirmation fail with their connection, and are sent again. */
  readonly #kept = new KeptConnection<MqttClient>(
    (opening) => this.#connect(opening),
    (client) => client.end(true),
  );

  constructor(options: DeliverySenderOptions) {
    this.#options = options;
  }

  send({ publicId, body, type, at, signal }: Attempt): Promise<AttemptOutcome> {
    const { url, secret, timeout } = this.#options;
    return this.#kept.publish(
      (client) => {
        const userProperties = signedHeaders(secret, publicId, at, body);
        const properties = { contentType: 'application/json', userProperties };
        return client.publishAsync(topicOf(url, type), body, { qos: 1, properties });
      },
      { timeout, signal },
    );
  }

  close(): Promise<void> {
    return this.#kept.giveUp();
  }

  async #connect({ signal, ended }: Opening): Promise<MqttClient> {
    const { connect } = await import('mqtt');
    const { address, ...login } = serverLogin(this.#options.url);
    const client = connect(address, {
      ...{ ...login, protocolVersion: 5, clean: true },
      ...{ reconnectPeriod: 0, connectTimeout: LONGEST_CONNECT },
    });
    const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
    client.on('connect', () => resolve());
    client.on('error', reject); // 'close' follows
    client.on('close', () => {
      ended();
      reject(new Error('The broker closed the connection.'));
    });
    try {
      await inTime(connected, LONGEST_CONNECT, signal);
      return client;
    } catch (error) {
      client.end(true);
      throw error;
    }
  }
}

function topicOf(url: string, type: string): string {
  const path = decodeURIComponent(new URL(url).pathname).replace(/^\/+|\/+$/g, '');
  return path === '' ? type : `${path}/${type}`;
}

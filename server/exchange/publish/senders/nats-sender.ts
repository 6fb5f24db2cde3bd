import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
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
 * Publishes deliveries to the subject PATH.TYPE of an address `nats://SERVER/PATH`. A delivery is sent when the server
 * has it; with `?jetstream`, when a stream stored it, which also drops what comes twice. The client is loaded with the
 * first delivery.
 */
export class NatsSender implements DeliverySender {
  readonly #options: DeliverySenderOptions;
  readonly #kept = new KeptConnection<NatsConnection>(
    (opening) => this.#connect(opening),
    (connection) => connection.close(),
  );

  constructor(options: DeliverySenderOptions) {
    this.#options = options;
  }

  send({ publicId, body, type, at, signal }: Attempt): Promise<AttemptOutcome> {
    const { url, secret, timeout } = this.#options;
    return this.#kept.publish(
      async (connection) => {
        const { headers } = await import('@nats-io/transport-node');
        const signed = headers();
        for (const [name, value] of Object.entries(signedHeaders(secret, publicId, at, body))) signed.set(name, value);
        await publish(connection, url, { subject: subjectOf(url, type), body, signed, publicId });
      },
      { timeout, signal },
    );
  }

  close(): Promise<void> {
    return this.#kept.giveUp();
  }

  async #connect({ signal, ended }: Opening): Promise<NatsConnection> {
    const { url, userAgent } = this.#options;
    const { address, username, password = '' } = serverLogin(url);
    const { hostname, port, protocol } = new URL(address);
    const { connect } = await import('@nats-io/transport-node');
    const opening = connect({
      servers: `${protocol}//${hostname}:${port || 4222}`,
      name: userAgent,
      timeout: LONGEST_CONNECT,
      reconnect: false,
      ...(protocol === 'tls:' && { tls: {} }),
      ...(username !== undefined && { user: username, pass: password }),
    });
    // The client cannot abort: a connection that opens too late is closed.
    const close = () => void opening.then((late) => late.close()).catch(() => undefined);
    signal.addEventListener('abort', close, { once: true });
    const connection = await inTime(opening, LONGEST_CONNECT, signal);
    void connection.closed().then(ended);
    return connection;
  }
}

interface Publishing {
  readonly subject: string;
  readonly body: string;
  readonly signed: MsgHdrs;
  readonly publicId: string;
}

async function publish(connection: NatsConnection, url: string, { subject, body, signed, publicId }: Publishing) {
  if (new URL(url).searchParams.has('jetstream')) {
    const { jetstream } = await import('@nats-io/jetstream');
    await jetstream(connection).publish(subject, body, { headers: signed, msgID: publicId });
  } else {
    connection.publish(subject, body, { headers: signed });
    await connection.flush();
  }
}

function subjectOf(url: string, type: string): string {
  const path = decodeURIComponent(new URL(url).pathname)
    .split('/')
    .filter((part) => part !== '');
  return [...path, type].join('.');
}

import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { NatsServers } from '../../support/nats-servers.ts';

/** Messages, and how many wait for the server at once, as at a station. */
const MESSAGES = 20_000;
const UNDER_WAY = 64;

/** Entries a second that a plain client publishes to a stream of its own, each acknowledged. */
export async function publishBare(servers: NatsServers, size: number): Promise<number> {
  const connection = await connect({ servers: [...servers.addresses] });
  try {
    const [client, manager] = [jetstream(connection), await jetstreamManager(connection)];
    await manager.streams.add({ name: 'bare', subjects: ['bare.*'], max_msgs_per_subject: 1 });
    const bytes = new Uint8Array(size);
    const began = performance.now();
    let next = 0;
    await Promise.all(
      Array.from({ length: UNDER_WAY }, async () => {
        while (next < MESSAGES) await client.publish(`bare.${next++}`, bytes);
      }),
    );
    const seconds = (performance.now() - began) / 1000;
    await manager.streams.delete('bare');
    return MESSAGES / seconds;
  } finally {
    await connection.close();
  }
}

/** The entries of the changes, and how many a second a plain client reads. */
export async function readBare(servers: NatsServers) {
  const connection = await connect({ servers: [...servers.addresses] });
  try {
    const [client, manager] = [jetstream(connection), await jetstreamManager(connection)];
    const { messages, bytes } = (await manager.streams.info('waypost_main_changes')).state;
    const began = performance.now();
    const consumer = await client.consumers.get('waypost_main_changes');
    let left = messages;
    for await (const _entry of await consumer.consume({ max_messages: 500 })) if (--left === 0) break;
    return { messages, bytes, rate: messages / ((performance.now() - began) / 1000) };
  } finally {
    await connection.close();
  }
}

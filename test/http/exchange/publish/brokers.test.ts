import { connect as dial, createServer, type AddressInfo, type Socket } from 'node:net';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openSender } from '../../../../server/exchange/publish/senders/index.ts';
import { newSecret } from '../../../../server/exchange/publish/webhook.ts';
import { eventually } from '../../../support/eventually.ts';
import { firstPacketServer, mqttText } from '../../../support/first-packet.ts';
import { HAS_MOSQUITTO, Mosquitto } from '../../../support/mosquitto.ts';
import { HAS_NATS, NatsServers } from '../../../support/nats-servers.ts';
import { tryStation, type TryStation } from '../../try-station.ts';

let at: TryStation;
let admin: string;
let type: number;

beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  type = Number((await at.ok('GET', '/newstype', { as: admin })).newstype[0].news_type_id);
});
afterEach(async () => {
  for (const { id } of await at.ok('GET', '/webhooks', { as: admin }))
    await at.ask('DELETE', `/webhooks/${id}`, { as: admin });
});
afterAll(() => at.stop());

const makeTask = async (title: string): Promise<number> => {
  const values = { title, news_type_id: type };
  return Number((await at.ok('POST', '/news/', { as: admin, body: { action: 'put', values } })).newsId);
};
const rename = (id: number, title: string) => at.ok('POST', `/news/${id}/update`, { as: admin, body: { title } });
const follow = (url: string, more: object = {}) =>
  at.ok('POST', '/webhooks', {
    as: admin,
    body: { name: 'Broker', url, types: ['task.created', 'task.changed'], ...more },
  });

test.skipIf(!HAS_MOSQUITTO)('changes are published to Mosquitto, in order, also after it was away', async () => {
  const broker = await Mosquitto.start();
  try {
    const lines = await broker.subscribe('control/room/#');
    const { secret, id: webhook } = await follow(`${broker.url}/control/room`);
    const id = await makeTask('Fallen tree');
    await rename(id, 'Fallen tree on a car');
    await eventually(() => expect(lines).toHaveLength(2));
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['control/room/task.created', 'control/room/task.changed']);
    const line = lines[1]!;
    const body = line.slice(line.indexOf('{'));
    const signed = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
        name,
        new RegExp(`${name}:(\\S+)`).exec(line)![1]!,
      ]),
    );
    expect(new Verifier(secret).verify(body, signed)).toMatchObject({ data: { changed: ['title'] } });
    await broker.stop();
    for (const title of ['one', 'two', 'three']) await rename(id, title);
    await eventually(async () => {
      const [newest] = await at.ok('GET', `/webhooks/${webhook}/deliveries?state=waiting`, { as: admin });
      expect(newest.attempts).toBeGreaterThan(0);
    });
    await broker.start();
    await eventually(() =>
      expect(lines.slice(2).map((each) => JSON.parse(each.slice(each.indexOf('{'))).data.news.title)).toEqual([
        'one',
        'two',
        'three',
      ]),
    );
  } finally {
    await broker.close();
  }
});

test.skipIf(!HAS_NATS)('changes are published to a NATS server, and stored once by JetStream', async () => {
  const servers = await NatsServers.start();
  const connection = await connect({ servers: [...servers.addresses] });
  try {
    const plain: string[] = [];
    void (async () => {
      for await (const { subject, headers } of connection.subscribe('plain.>'))
        plain.push(`${subject} ${headers?.get('webhook-id').slice(0, 4)}`);
    })();
    await connection.flush();
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'ROOM', subjects: ['control.room.>'] });
    await follow(`${servers.addresses[0]}/plain`);
    const { id: webhook } = await follow(`${servers.addresses[0]}/control/room?jetstream`);
    const id = await makeTask('Fallen tree');
    await rename(id, 'Fallen tree on a car');
    await eventually(() => expect(plain).toEqual(['plain.task.created msg_', 'plain.task.changed msg_']));
    await eventually(async () => expect((await manager.streams.info('ROOM')).state.messages).toBe(2));
    const [sent] = await at.ok('GET', `/webhooks/${webhook}/deliveries`, { as: admin });
    await at.ok('POST', `/webhooks/${webhook}/deliveries/${sent.id}/send`, { as: admin });
    await eventually(async () => {
      const [again] = await at.ok('GET', `/webhooks/${webhook}/deliveries`, { as: admin });
      expect([again.state, again.attempts]).toEqual(['sent', 2]);
    });
    expect((await manager.streams.info('ROOM')).state.messages).toBe(2);
    const stored = await jetstream(connection).consumers.get('ROOM');
    const first = await stored.next();
    expect([first?.subject, first?.json<{ type: string }>().type]).toEqual([
      'control.room.task.created',
      'task.created',
    ]);
  } finally {
    await connection.close();
    await servers.close();
  }
});

test('a stream that is not there is a failure that says so, and the password of a broker is never shown', async () => {
  const url = 'mqtts://station@broker.invalid/room';
  const { id, ...made } = await follow(url, { password: 'hidden-word' });
  expect(made).toMatchObject({ url, hasPassword: true });
  const body = { name: 'Broker 2', url, types: ['task.created'] };
  expect(await at.ok('PUT', `/webhooks/${id}`, { as: admin, body })).toMatchObject({ hasPassword: true });
  const elsewhere = { ...body, url: 'mqtts://station@other.invalid/room' };
  expect(await at.ok('PUT', `/webhooks/${id}`, { as: admin, body: elsewhere })).toMatchObject({ hasPassword: false });
  await makeTask('Nobody hears');
  await eventually(async () => {
    const [delivery] = await at.ok('GET', `/webhooks/${id}/deliveries`, { as: admin });
    expect(delivery.error).not.toBe('');
  });
  const told = JSON.stringify([
    await at.ok('GET', '/webhooks', { as: admin }),
    await at.ok('GET', '/audit?limit=20', { as: admin }),
    await at.ok('GET', `/webhooks/${id}/deliveries`, { as: admin }),
  ]);
  expect(told).not.toContain('hidden-word');
});

test.each([
  'mqtt://user:secret@broker/x',
  'https://user@receiver/x',
  'mqtt://broker/a+b',
  'nats://server/a%20b',
  'mqtt://broker/%E0%A4%A',
  'mqtt://us%er@broker/x',
  'mqtt:broker',
  'ftp://server/x',
])('the address %s is refused', async (url) => {
  const body = { name: 'Broker', url, types: ['task.created'] };
  expect((await at.ask('POST', '/webhooks', { as: admin, body })).status).toBe(400);
});

test('a password with a percent sign is kept, and the webhook can be changed', async () => {
  const url = 'mqtt://station@broker.invalid/room';
  const { id } = await follow(url, { password: '50%/@: off' });
  const body = { name: 'Broker 2', url, types: ['task.created'] };
  expect(await at.ok('PUT', `/webhooks/${id}`, { as: admin, body })).toMatchObject({ url, hasPassword: true });
});

test('a broker gets user and password as they were typed', async () => {
  const broker = await firstPacketServer();
  try {
    const { id } = await follow(`mqtt://st%40tion@127.0.0.1:${broker.port}/room`, { password: '50%/@: of:f' });
    await makeTask('Fallen tree');
    const packet = await broker.packet;
    expect(packet.includes(Buffer.concat([mqttText('st@tion'), mqttText('50%/@: of:f')]))).toBe(true);
    await at.ask('DELETE', `/webhooks/${id}`, { as: admin });
  } finally {
    broker.close();
  }
});

test.skipIf(!HAS_MOSQUITTO)('a sender has one connection at a time, and leaves none open', async () => {
  const broker = await Mosquitto.start();
  const sockets = new Set<Socket>();
  const between = createServer((socket) => {
    const onward = dial(broker.port, '127.0.0.1').on('error', () => socket.destroy());
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket) && onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  const { port } = between.address() as AddressInfo;
  const sender = openSender({ url: `mqtt://127.0.0.1:${port}/room`, secret: newSecret(), userAgent: 'test' });
  const attempt = { publicId: 'msg_1', body: '{}', type: 'task.created', at: 0, signal: new AbortController().signal };
  try {
    expect(await sender.send(attempt)).toMatchObject({ kind: 'taken' });
    // The connection is given up, and ends only while the next one begins.
    expect(await sender.send({ ...attempt, signal: AbortSignal.abort() })).toMatchObject({ kind: 'failed' });
    for (let count = 0; count < 3; count++) expect(await sender.send(attempt)).toMatchObject({ kind: 'taken' });
    await eventually(() => expect(sockets.size).toBe(1));
    await sender.close();
    await eventually(() => expect(sockets.size).toBe(0));
  } finally {
    between.close();
    for (const socket of sockets) socket.destroy();
    await broker.close();
  }
});

test.each(['mqtt', 'nats'])(
  'a sender of %s whose broker says nothing stops at once',
  { timeout: 5_000 },
  async (way) => {
    const broker = await firstPacketServer();
    const address = `${way}://127.0.0.1:${broker.port}/room`;
    const sender = openSender({ url: address, secret: newSecret(), userAgent: 'test' });
    const stopping = new AbortController();
    const attempt = { publicId: 'msg_1', body: '{}', type: 'task.created', at: 0, signal: stopping.signal };
    try {
      const sending = sender.send(attempt);
      await broker.connected;
      stopping.abort();
      expect(await sending).toMatchObject({ kind: 'failed' });
      await sender.close();
    } finally {
      broker.close();
    }
  },
);

test('a password without a user is refused', async () => {
  const body = { name: 'Broker', url: 'mqtt://broker/x', types: ['task.created'], password: 'x' };
  const { status, text } = await at.ask('POST', '/webhooks', { as: admin, body });
  expect([status, text]).toEqual([400, expect.stringContaining('needs a user')]);
});

import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { AmiSession } from '../../../../server/exchange/telephony/ami-session.ts';

const GREETING = 'Asterisk Call Manager/11.0.0\r\n';
const servers: { close(): unknown }[] = [];
afterEach(() => servers.splice(0).forEach((one) => one.close()));

/** An exchange that does what it should not. */
async function exchange(behave: (socket: Socket, said: string) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    behave(socket, '');
    socket.on('data', (bytes) => behave(socket, bytes.toString()));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
const options = { host: '127.0.0.1', login: 'waypost', secret: 'secret', event: () => undefined, answerWithin: 200 };
const idIn = (said: string) => /ActionID: (\S+)/.exec(said)?.[1] ?? '';
/** Signs everybody in. */
const welcome = (socket: Socket, said: string) =>
  void socket.write(said === '' ? GREETING : `Response: Success\r\nActionID: ${idIn(said)}\r\nChallenge: 1\r\n\r\n`);

test.each<[string, (socket: Socket, said: string) => void, RegExp]>([
  ['says nothing', () => undefined, /does not answer/],
  ['greets and then says nothing', (socket, said) => said === '' && socket.write(GREETING), /does not answer/],
  ['is no exchange', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n'), /no manager interface/],
  ['sends a line without an end', (socket) => socket.write(GREETING + 'x'.repeat(100_000)), /too long/],
  ['hangs up', (socket) => socket.destroy(), /closed|reset/i],
  [
    'answers to others',
    (socket, said) => socket.write(said === '' ? GREETING : 'Response: Success\r\nActionID: other\r\n\r\n'),
    /does not answer/,
  ],
  [
    'refuses',
    (socket, said) => socket.write(said === '' ? GREETING : `Response: Error\r\nActionID: ${idIn(said)}\r\n\r\n`),
    /refused the login/,
  ],
])('an exchange that %s', async (_, behave, reason) => {
  await expect(AmiSession.open({ ...options, port: await exchange(behave) })).rejects.toThrow(reason);
});

test('the secret is not sent, and an exchange that goes silent later is found out', async () => {
  let heard = '';
  const port = await exchange((socket, said) => {
    heard += said;
    if (!said.includes('Action: Ping')) welcome(socket, said);
  });
  const session = await AmiSession.open({ ...options, secret: 'manager secret 5', port, pingEvery: 20 });
  expect(await session.ended).toMatch(/does not answer/);
  expect(heard).toMatch(/Key: [0-9a-f]{32}\r\n/);
  expect(heard).not.toContain('manager secret');
  await expect(session.ask('Ping')).rejects.toThrow(/does not answer/);
});

test('while one event is dealt with, no more than the socket holds is read: the flood waits at the exchange', async () => {
  const { promise: dealtWith, resolve: goOn } = Promise.withResolvers<void>();
  let events = 0;
  let flooding: Socket | undefined;
  const flood = 'Event: Newchannel\r\nUniqueid: 1\r\n\r\n'.repeat(1_000);
  const port = await exchange((socket, said) => {
    welcome(socket, said);
    if (!said.includes('Action: Login')) return;
    flooding = socket;
    for (let times = 0; times < 1_000; times++) socket.write(flood);
  });
  const event = () => {
    events++;
    return dealtWith;
  };
  const session = await AmiSession.open({ ...options, port, event });
  await expect.poll(() => events).toBe(1);
  expect(flooding!.writableLength).toBeGreaterThan(flood.length * 300);
  session.close();
  goOn();
  expect(await session.ended).toMatch(/The station closed/);
  expect(events).toBe(1);
});

import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { GATEWAY_LOGIN, SmsGatewayProcess } from '../../support/sms-gateway.ts';
import { tryStation, type TryStation } from '../try-station.ts';

let station: TryStation;
let gateway: SmsGatewayProcess;
let admin: string;
let viewer: string;
let engine: number;
let medic: number;
let key: string;
let taskId: number;

const ok = (method: string, path: string, body?: unknown, as = admin) => station.ok(method, path, { as, body });
async function newVehicle(name: string, phone = ''): Promise<number> {
  const { id } = await ok('POST', '/cars', { name });
  if (phone) await ok('PUT', `/sms/phones/${id}`, { phone });
  return id;
}
const address = async () => `http://127.0.0.1:${(await gateway.ports).http}/message`;
const ANDROID = {
  method: 'POST',
  headers: 'Content-Type: application/json\nAuthorization: Basic {basic}',
  body: '{"id": "{id}", "textMessage": {"text": "{text}"}, "phoneNumbers": ["{to}"]}',
  idField: 'id',
  answerContains: '',
  hookForm: 'android',
};
/** Puts the usual settings back, as the Android gateway wants them. */
async function useGateway(change: object = {}, http: object = {}): Promise<void> {
  const settings = { gateway: 'http', ...GATEWAY_LOGIN, perMinute: 6_000, countryCode: '423', messages: 'chosen' };
  await ok('PUT', '/sms/settings', { ...settings, http: { ...ANDROID, url: await address(), ...http }, ...change });
}

beforeAll(async () => {
  station = await tryStation();
  gateway = new SmsGatewayProcess();
  admin = await station.signIn();
  viewer = (await station.newUser('ivan', 'Viewer')).token;
  engine = await newVehicle('Engine 1', '792 10 01');
  medic = await newVehicle('Medic 4', '+423 792 10 04');
  ({ key } = await ok('POST', '/sms/key'));
  const { newstype } = await ok('GET', '/newstype');
  const values = { title: 'Kitchen fire', news_type_id: Number(newstype[0].news_type_id) };
  taskId = (await ok('POST', '/news/', { action: 'put', values, point: [9.52, 47.14] })).newsId;
});
afterAll(async () => {
  await station.stop();
  await gateway.stop();
});
beforeEach(() => {
  gateway.taken.length = 0;
  gateway.behave({});
});

const write = (carId: number, text: string, more: object = {}) =>
  ok('POST', '/crews/messages', { carId, text, sms: true, ...more });
/** How far the text of a message has come, as its record says. */
const markOf = async (id: number) =>
  (await ok('GET', '/crews/messages')).find((one: { id: number }) => one.id === id)?.receipts[0];
const sent = (query = '') => ok('GET', `/sms/sent${query}`);
const hook = (body: object | string, headers: Record<string, string> = { authorization: `Bearer ${key}` }) =>
  station.ask('POST', '/sms/hook', { body, headers });
const receive = async (phoneNumber: string, message: string, messageId: string = crypto.randomUUID()) => {
  const payload = { messageId, phoneNumber, message, receivedAt: '2026-11-26T22:00:00+01:00' };
  expect((await hook({ event: 'sms:received', payload })).status).toBe(200);
};
const told = (to: string) => expect.poll(() => gateway.taken.filter((one) => one.to === to).map(({ text }) => text));

test('without a gateway no text goes out, and its settings are a superuser’s alone', async () => {
  const body = { carId: engine, text: 'Come home', sms: true };
  expect((await station.ask('POST', '/crews/messages', { as: admin, body })).status).toBe(409);
  expect(await ok('GET', '/crews/messages')).toEqual([]);
  for (const path of ['/sms/sent', '/sms/unknown'])
    expect((await station.ask('GET', path, { as: viewer })).status).toBe(403);
  const wrong = { gateway: 'http', http: { ...(await ok('GET', '/sms/settings')).http, url: 'ftp://here' } };
  expect((await station.ask('PUT', '/sms/settings', { as: admin, body: wrong })).status).toBe(400);
});

test('a message reaches the crew’s telephone as a text, and says how far it has come', async () => {
  await useGateway();
  const { id } = await write(engine, 'Say "roger"\nat the gate {to} ё');
  await told('+4237921001').toEqual(['Say "roger"\nat the gate {to} ё']);
  await expect.poll(async () => (await markOf(id)).sms).toEqual({ state: 'sent', problem: null });
  const [{ id: smsId }] = gateway.taken;
  await hook({ event: 'sms:delivered', payload: { messageId: smsId, phoneNumber: '+4237921001' } });
  await expect.poll(async () => (await markOf(id)).sms).toEqual({ state: 'delivered', problem: null });
  expect((await markOf(id)).deliveredAt).toEqual(expect.any(Number));

  const second = await write(engine, 'Where are you?', { mustAnswer: true });
  await told('+4237921001').toHaveLength(2);
  expect(gateway.taken[1]!.text).toBe('Where are you?\nAnswer OK.');
  await hook({ event: 'sms:failed', payload: { messageId: gateway.taken[1]!.id, reason: 'Airplane mode' } });
  await expect.poll(async () => (await markOf(second.id)).sms).toEqual({ state: 'failed', problem: 'undelivered' });
  expect((await sent('?limit=1'))[0]).toMatchObject({ error: 'Airplane mode', state: 'failed' });
  await ok('POST', `/sms/sent/${(await sent('?limit=1'))[0].id}/again`);
  await told('+4237921001').toHaveLength(3);
  await receive('+423 792 10 01', 'ok');
  await expect.poll(async () => (await markOf(second.id)).answeredAt).toEqual(expect.any(Number));
});

test('what the gateway refuses for the moment comes once and in order; a lost answer repeats nothing', async () => {
  await useGateway();
  gateway.behave({ answers: [503, 202, 0, 202, 500] });
  const ids = [];
  for (const text of ['one', 'two', 'three']) ids.push((await write(medic, text)).id);
  await told('+4237921004').toEqual(['one', 'two', 'three']);
  for (const id of ids) await expect.poll(async () => (await markOf(id)).sms.state).toBe('sent');
}, 60_000);

test('a text that the gateway refuses for good fails with its words, and holds up nothing', async () => {
  await useGateway();
  gateway.behave({ answers: [400] });
  const first = await write(medic, 'too odd');
  const second = await write(medic, 'fine');
  await expect.poll(async () => (await markOf(first.id)).sms).toEqual({ state: 'failed', problem: 'refused' });
  await told('+4237921004').toEqual(['fine']);
  await expect.poll(async () => (await markOf(second.id)).sms.state).toBe('sent');
  expect((await sent('?state=failed&limit=1'))[0]).toMatchObject({
    text: 'too odd',
    error: expect.stringContaining('HTTP 400'),
  });
  const nameless = await write(await newVehicle('Boat 1'), 'Hello?');
  await expect.poll(async () => (await markOf(nameless.id)).sms).toEqual({ state: 'failed', problem: 'noNumber' });
});

test('another gateway gets the request that was written for it', async () => {
  await useGateway(
    {},
    {
      headers: 'Content-Type: application/x-www-form-urlencoded\nAuthorization: Basic {basic}\nX-From: a{text}',
      body: 'to={to}&text={text}&id={id}',
      idField: 'recipients.0.phoneNumber',
      hookForm: 'plain',
    },
  );
  const text = 'A & B = 100 % + "x"';
  const { id } = await write(engine, text);
  await told('+4237921001').toEqual([text]);
  await expect.poll(async () => (await markOf(id)).sms.state).toBe('sent');
  await hook({ id: '+4237921001', state: 'delivered' });
  await expect.poll(async () => (await markOf(id)).sms.state).toBe('delivered');
});

test('a gateway proves itself by its key or its signature, and nobody else is heard', async () => {
  await useGateway();
  const body = JSON.stringify({ event: 'system:ping' });
  const signed = (secret: string, time: number, text = body) => ({
    'content-type': 'application/json',
    'x-timestamp': String(time),
    'x-signature': createHmac('sha256', secret)
      .update(text + time)
      .digest('hex'),
  });
  const now = Math.floor(Date.now() / 1000);
  const basic = `Basic ${Buffer.from(`any:${key}`).toString('base64')}`;
  for (const headers of [{ authorization: basic }, signed(key, now)])
    expect((await hook(body, headers)).status).toBe(200);
  for (const headers of [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: `Bearer ${admin}` },
    signed('wrong', now),
    signed(key, now - 3_600),
    signed(key, now, `${body} `),
  ])
    expect((await hook(body, headers as Record<string, string>)).status).toBe(401);
  for (const wrong of ['', '{', '[1', '7', '"text"']) expect((await hook(wrong)).status).toBe(400);
  expect((await hook({ event: 'sms:received', payload: { message: 'x' } })).status).toBe(400);
  expect((await hook('x'.repeat(70_000))).status).toBe(413);
  const { key: renewed } = await ok('POST', '/sms/key');
  expect((await hook(body)).status, 'the old one counts no more').toBe(401);
  key = renewed;
  const trail = JSON.stringify(await ok('GET', '/audit?limit=100'));
  expect(trail).toContain('/sms/settings');
  for (const secret of [key, GATEWAY_LOGIN.secret]) expect(trail).not.toContain(secret);
  expect(JSON.stringify(await ok('GET', '/sms/settings'))).not.toContain(GATEWAY_LOGIN.secret);
});

test('a crew sets its status by a digit or a word; what is impossible is refused in words', async () => {
  await useGateway();
  const statusOf = async () => (await ok('GET', `/cars/${engine}`)).unitStatus;
  await ok('POST', `/news/${taskId}/units`, { carIds: [engine] });
  await receive('792 10 01', 'Free!');
  await told('+4237921001').toEqual([expect.stringMatching(/Engine 1: 1 free was not set\. .*has not arrived/)]);
  await receive('+4237921001', '9');
  await receive('+4237921001', ' En route. ');
  await receive('+4237921001', 'На месте');
  await told('+4237921001').toEqual([
    expect.any(String),
    'Engine 1: 9 acknowledged.',
    'Engine 1: 3 en route.',
    'Engine 1: 4 on scene.',
  ]);
  expect(await statusOf()).toBe(4);
  const { units } = (await ok('GET', `/news/${taskId}`)).news_data;
  expect(units[0].onSceneAt).toBeGreaterThan(0);
  // Said in words, with a digit in it, it is a message and no status.
  await receive('+4237921001', '2 injured, send 1 more');
  await expect
    .poll(async () => (await ok('GET', '/crews/messages?limit=1'))[0])
    .toMatchObject({ fromCarId: engine, text: '2 injured, send 1 more', readAt: null });
  expect(await statusOf()).toBe(4);
});

test('a text that a gateway posts again is one message', async () => {
  await useGateway();
  await Promise.all(Array.from({ length: 4 }, () => receive('+4237921004', 'Flat tyre', 'same')));
  await receive('+4237921004', 'and after it', 'other');
  const texts = async () =>
    (await ok('GET', `/crews/messages?carId=${medic}`)).map(({ text }: { text: string }) => text).slice(0, 2);
  await expect.poll(texts).toEqual(['and after it', 'Flat tyre']);
});

test('texts of unknown numbers wait for the dispatcher, and cannot flood the list', async () => {
  await useGateway();
  for (let index = 0; index < 25; index++) await receive('+4237776655', `Buy now ${index}`);
  await receive('+423 700 00 01', 'This is Medic 4, phone broke');
  const unknown = () => ok('GET', '/sms/unknown?limit=100');
  await expect.poll(async () => (await unknown())[0]?.number).toBe('+423 700 00 01');
  const all: { id: number; number: string }[] = await unknown();
  expect(all.filter(({ number }) => number === '+4237776655')).toHaveLength(20);
  const path = `/sms/unknown/${all[0]!.id}`;
  expect((await station.ask('POST', `${path}/car`, { as: viewer, body: { carId: medic } })).status).toBe(403);
  expect((await station.ask('POST', `${path}/car`, { as: admin, body: { carId: 987_654 } })).status).toBe(400);
  expect((await station.ask('POST', `${path}/car`, { as: admin, body: { carId: medic } })).status).toBe(200);
  expect((await ok('GET', '/crews/messages?limit=1'))[0]).toMatchObject({ fromCarId: medic });
  expect((await station.ask('DELETE', path, { as: admin })).status, 'somebody has dealt with it').toBe(409);
  expect((await station.ask('DELETE', `/sms/unknown/${all[1]!.id}`, { as: admin })).status).toBe(200);
  expect(await unknown()).toHaveLength(all.length - 2);
});

test('what could not be handed over goes out at once when the gateway can be reached again', async () => {
  await useGateway({}, { url: 'http://127.0.0.1:1/' });
  const { id } = await write(medic, 'after the outage');
  await expect.poll(async () => (await markOf(id)).sms).toEqual({ state: 'queued', problem: 'unreachable' });
  await useGateway();
  await told('+4237921004').toEqual(['after the outage']);
}, 20_000);

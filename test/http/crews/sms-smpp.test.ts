import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { GATEWAY_LOGIN, SmsGatewayProcess } from '../../support/sms-gateway.ts';
import { gsmText, ucs2Text } from '../../../server/exchange/sms/segments.ts';
import { tryStation, type TryStation } from '../try-station.ts';

let station: TryStation;
let centre: SmsGatewayProcess;
let admin: string;
let engine: number;

const ok = (method: string, path: string, body?: unknown) => station.ok(method, path, { as: admin, body });
const bound = () => centre.seen.filter((one) => one === 'bound 0').length;

async function connect(change: object = {}, smpp: object = {}): Promise<void> {
  const before = bound();
  const { smpp: port } = await centre.ports;
  await ok('PUT', '/sms/settings', {
    ...{ gateway: 'smpp', ...GATEWAY_LOGIN, perMinute: 6_000, language: 'ru', ...change },
    smpp: { host: '127.0.0.1', port, tls: false, systemType: '', source: '700', reportIds: 'same', ...smpp },
  });
  await expect.poll(bound).toBe(before + 1);
}

beforeAll(async () => {
  station = await tryStation();
  centre = new SmsGatewayProcess();
  admin = await station.signIn();
  engine = (await ok('POST', '/cars', { name: 'Engine 1' })).id;
  await ok('PUT', `/sms/phones/${engine}`, { phone: '+79123456789' });
});
afterAll(async () => {
  await station.stop();
  await centre.stop();
});
beforeEach(() => {
  centre.behave({});
  centre.taken.length = 0;
});

const write = async (text: string): Promise<number> =>
  (await ok('POST', '/crews/messages', { carId: engine, text, sms: true })).id;
const smsOf = async (id: number) =>
  (await ok('GET', '/crews/messages')).find((one: { id: number }) => one.id === id).receipts[0].sms;
const acknowledged = () => centre.seen.filter((one) => one.startsWith('acknowledged')).length;

test('a long text goes out in parts with one reference, and is delivered when all of them are', async () => {
  await connect({}, { reportIds: 'decimal' });
  centre.behave({ reports: true, mixedDigits: true });
  const text = 'Пожар на складе, подъезд с улицы Заречной. '.repeat(4).trim();
  const id = await write(text);
  await expect.poll(() => smsOf(id)).toEqual({ state: 'delivered', problem: null });
  expect(centre.taken.map(({ coding }) => coding)).toEqual([8, 8, 8]);
  const headers = centre.taken.map(({ header }) => header);
  expect(headers.map((header) => header.slice(-2))).toEqual([
    [3, 1],
    [3, 2],
    [3, 3],
  ]);
  expect(new Set(headers.map((header) => header.at(-3))).size).toBe(1);
  expect(centre.taken.map((one) => one.text).join('')).toBe(text);
  expect(centre.taken[0]).toMatchObject({ to: '79123456789', request: '700/1/1' });

  await write('Gate [B] is open');
  await expect.poll(() => centre.taken.at(-1)).toMatchObject({ coding: 0, text: 'Gate [B] is open', header: [] });
});

test('a centre that is busy, cuts the connection or goes away gets each part once, where it answered', async () => {
  await connect();
  // The first part is taken; the second one only in the next attempt.
  centre.behave({ answers: [-1, 0x58, -1] });
  const id = await write('x'.repeat(200));
  await expect.poll(() => smsOf(id), { timeout: 30_000 }).toEqual({ state: 'sent', problem: null });
  expect(centre.taken.map(({ text }) => text.length)).toEqual([153, 47]);
  centre.cut();
  const after = await write('after the cut');
  await expect.poll(() => smsOf(after), { timeout: 20_000 }).toEqual({ state: 'sent', problem: null });
  expect(centre.taken.map(({ text }) => text).at(-1)).toBe('after the cut');
}, 60_000);

test('a wrong number is refused for good; the settings show a wrong password', async () => {
  await connect();
  centre.behave({ answers: [0x0b] });
  const id = await write('nobody there');
  await expect.poll(() => smsOf(id)).toEqual({ state: 'failed', problem: 'refused' });
  const { smpp } = await ok('GET', '/sms/settings');
  await ok('PUT', '/sms/settings', { gateway: 'smpp', secret: 'wrong', smpp });
  await expect.poll(async () => (await ok('GET', '/sms/settings')).problem).toMatch(/refused the login/);
});

test('what comes in over the connection is a status, a message or one text of several parts', async () => {
  await connect();
  const from = '79123456789';
  centre.deliver({ from, bytes: [...Buffer.from('4')] });
  await expect.poll(() => centre.taken.map(({ text }) => text)).toEqual(['Engine 1: 4 на месте.']);
  const words = 'Нужна вторая машина 🚒';
  const bytes = [...Buffer.from(words, 'utf16le').swap16()];
  const before = acknowledged();
  // The later part first; one of them twice, as centres do that got no answer.
  for (const index of [2, 1, 1]) {
    const part = index === 1 ? bytes.slice(0, 20) : bytes.slice(20);
    centre.deliver({ from, bytes: part, coding: 8, esmClass: 0x40, header: [5, 0, 3, 9, 2, index] });
    await expect.poll(acknowledged).toBeGreaterThan(before);
  }
  const last = async () => (await ok('GET', '/crews/messages?limit=1'))[0];
  await expect.poll(last).toMatchObject({ text: words, fromCarId: engine });
  // What is broken neither ends the connection nor becomes a message.
  centre.deliver({ from, bytes: [0x1b, 0xff, 0], esmClass: 0x40, header: [200, 8, 4] });
  centre.deliver({ from, bytes: [...Buffer.from('id:zz stat:DELIVRD')], esmClass: 4 });
  centre.deliver({ from, bytes: [...Buffer.from('after it')] });
  await expect.poll(last).toMatchObject({ text: 'after it' });
  expect(gsmText(Uint8Array.of(0x1b)) + ucs2Text(Uint8Array.of(4))).toBe(' ');
});

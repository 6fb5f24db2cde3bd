import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TraccarStandIn } from '../../support/traccar-stand-in.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** Commands to devices whose positions a Traccar server forwards. */
const traccar = new TraccarStandIn();
let station: TryStation;
let admin: string;
let key: string;
let last = 0;

beforeAll(async () => {
  await traccar.start();
  station = await tryStation({ 'traccar.url': traccar.url, 'traccar.token': traccar.token });
  admin = await station.signIn();
  const body = { name: 'traccar', scopes: ['telemetry'], expiresAt: null };
  key = (await station.ok('POST', '/auth/keys', { as: admin, body })).token;
});
beforeEach(() => {
  Object.assign(traccar, { fate: 'live', isAllowed: true, beforeAnswer: async () => undefined });
});
afterAll(async () => {
  await station.stop();
  await traccar.stop();
});

const forward = (body: object) => station.ok('POST', '/telemetry/traccar', { as: key, body });
const position = () => ({
  ...{ id: 7, deviceId: 3, protocol: 'gt06', valid: true, latitude: 47.14, longitude: 9.52, speed: 0, course: 0 },
  ...{ fixTime: new Date().toISOString(), attributes: {} },
});
const event = (imei: string, type: string, attributes: object) =>
  forward({ event: { id: 9, attributes, deviceId: 3, type }, device: { id: 3, uniqueId: imei } });

/** A vehicle that Traccar has, and whose position it forwarded. */
async function forwarded(isKnown = true): Promise<{ id: number; imei: string; number: number }> {
  const number = 1_000 + ++last;
  const imei = `traccar-${last}`;
  const { id } = await station.ok('POST', '/cars', { as: admin, body: { name: `Van ${imei}`, devimei: imei } });
  if (isKnown) traccar.devices.set(imei, number);
  await forward({ position: position(), device: { id: 3, uniqueId: imei } });
  return { id, imei, number };
}
const send = (id: number, text: string) => station.ok('POST', `/cars/${id}/commands`, { as: admin, body: { text } });
const list = (id: number) => station.ok('GET', `/cars/${id}/commands`, { as: admin });
const newest = async (id: number) => (await list(id))[0];

test('a command goes to Traccar as a custom command, and ends with the event of its result', async () => {
  const { id, imei, number } = await forwarded();
  await send(id, 'getver');
  await expect.poll(() => newest(id)).toMatchObject({ state: 'sent', protocol: 'traccar' });
  await expect.poll(() => traccar.sent).toContainEqual([number, 'getver']);
  await send(id, 'getinfo');
  expect((await newest(id)).state).toBe('queued');
  await event(imei, 'commandResult', { result: 'Ver:1' });
  await expect.poll(async () => (await list(id)).map(({ state }: { state: string }) => state)).toContain('sent');
  expect((await list(id))[1]).toMatchObject({ state: 'answered', answer: 'Ver:1' });
});

test('an answer that comes before Traccar has said that it sent the command is not lost', async () => {
  const { id, imei } = await forwarded();
  traccar.beforeAnswer = () => event(imei, 'commandResult', { result: 'at once' });
  await send(id, 'getver');
  await expect.poll(() => newest(id)).toMatchObject({ state: 'answered', answer: 'at once' });
});

test('what Traccar keeps is shown as kept, then as sent and answered; a wrong number changes nothing', async () => {
  const { id, imei } = await forwarded();
  traccar.fate = 'offline';
  await send(id, 'reboot');
  await expect.poll(() => newest(id)).toMatchObject({ state: 'relayed', protocol: 'traccar', endedAt: null });
  await event(imei, 'queuedCommandSent', { id: 999_999 });
  await event(imei, 'commandResult', { result: 'of nobody' });
  expect(await newest(id)).toMatchObject({ state: 'relayed', answer: '' });
  const refused = await station.ask('DELETE', `/cars/${id}/commands/${(await newest(id)).id}`, { as: admin });
  expect(refused.status).toBe(409);
  await event(imei, 'queuedCommandSent', { id: 1 });
  expect(await newest(id)).toMatchObject({ state: 'sent' });
  await event(imei, 'commandResult', { result: 'OK' });
  expect(await newest(id)).toMatchObject({ state: 'answered', answer: 'OK' });
});

test('a command that Traccar refuses, and one for a device that it does not know, fail with the reason', async () => {
  const { id } = await forwarded();
  traccar.fate = 'unsupported';
  await send(id, 'reboot');
  await expect.poll(() => newest(id)).toMatchObject({ state: 'failed', failure: 'declined' });
  expect((await newest(id)).answer).toContain('HTTP 400: Command custom is not supported');
  const other = await forwarded(false);
  await send(other.id, 'reboot');
  await expect.poll(() => newest(other.id)).toMatchObject({ state: 'failed', failure: 'unknown' });
});

test('while the token is refused or Traccar is away, commands wait with the reason, and are sent once', async () => {
  const { id, number } = await forwarded();
  traccar.isAllowed = false;
  await send(id, 'first');
  await expect.poll(() => newest(id)).toMatchObject({ state: 'queued', problem: expect.stringContaining('401') });
  traccar.isAllowed = true;
  await expect.poll(() => newest(id)).toMatchObject({ state: 'sent', problem: '' });
  const other = await forwarded();
  await send(other.id, 'known');
  await expect.poll(() => newest(other.id)).toMatchObject({ state: 'sent' });
  await expect.poll(() => traccar.sent).toContainEqual([other.number, 'known']);
  await event(other.imei, 'commandResult', { result: 'OK' });
  await expect.poll(() => newest(other.id)).toMatchObject({ state: 'answered' });
  await traccar.stop();
  await send(other.id, 'second');
  await expect.poll(() => newest(other.id)).toMatchObject({ state: 'queued', problem: expect.stringMatching(/./) });
  await traccar.start();
  await expect.poll(() => newest(other.id)).toMatchObject({ state: 'sent' });
  const sent = () => traccar.sent.filter(([to]) => to === number || to === other.number);
  await expect.poll(sent).toHaveLength(3);
  expect(sent()).toEqual([
    [number, 'first'],
    [other.number, 'known'],
    [other.number, 'second'],
  ]);
});

test.each([['drop'], [500], [502]] as const)('after %s nobody knows: it fails and is not repeated', async (fate) => {
  const { id } = await forwarded();
  traccar.fate = fate;
  await send(id, 'reboot');
  await expect.poll(() => newest(id)).toMatchObject({ state: 'failed', failure: 'unanswered' });
  traccar.fate = 'live';
});

test('many vehicles at once: a few requests side by side, one look-up each', async () => {
  const vehicles = await Promise.all(Array.from({ length: 20 }, () => forwarded()));
  const gate = Promise.withResolvers<void>();
  Object.assign(traccar, { lookUps: 0, most: 0, beforeAnswer: () => gate.promise });
  await Promise.all(vehicles.map(({ id }) => send(id, 'one')));
  await expect.poll(() => traccar.running).toBeGreaterThanOrEqual(4);
  // More would come while the station answers these.
  for (const { id } of vehicles) await list(id);
  gate.resolve();
  await Promise.all(vehicles.map(({ id }) => expect.poll(() => newest(id)).toMatchObject({ state: 'sent' })));
  await Promise.all(vehicles.map(({ imei }) => event(imei, 'commandResult', { result: 'OK' })));
  await Promise.all(vehicles.map(({ id }) => send(id, 'two')));
  await Promise.all(vehicles.map(({ id }) => expect.poll(() => newest(id)).toMatchObject({ state: 'sent' })));
  expect(traccar.lookUps).toBe(20);
  expect(traccar.most).toBe(4);
});

test('a vehicle that Traccar never forwarded, or that got another IMEI, waits', async () => {
  const { id: own } = await station.ok('POST', '/cars', { as: admin, body: { name: 'Own', devimei: 'own-1' } });
  const { id, number } = await forwarded();
  await station.ok('PUT', `/cars/${id}`, { as: admin, body: { devimei: 'elsewhere' } });
  await send(own, 'getver');
  await send(id, 'getver');
  const witness = await forwarded();
  await send(witness.id, 'getver');
  await expect.poll(() => newest(witness.id)).toMatchObject({ state: 'sent' });
  expect([(await newest(own)).state, (await newest(id)).state]).toEqual(['queued', 'queued']);
  expect(traccar.sent.filter(([to]) => to === number)).toEqual([]);
});

test('a key of another organization reports no answers', async () => {
  const { id, imei } = await forwarded();
  await send(id, 'getver');
  await expect.poll(() => newest(id)).toMatchObject({ state: 'sent' });
  const others = await station.ok('POST', '/organizations', { as: admin, body: { name: 'Others' } });
  await station.ok('POST', '/rights', { as: admin, body: { name: 'Own administrator', admin: true } });
  const foreign = await station.newUser('foreign', 'Own administrator', { organizationId: others.id });
  const body = { name: 'foreign', scopes: ['telemetry'], expiresAt: null };
  const { token } = await station.ok('POST', '/auth/keys', { as: foreign.token, body });
  const report = { event: { type: 'commandResult', attributes: { result: 'x' } }, device: { uniqueId: imei } };
  await station.ok('POST', '/telemetry/traccar', { as: token, body: report });
  expect(await newest(id)).toMatchObject({ state: 'sent', answer: '' });
});

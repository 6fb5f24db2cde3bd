import { afterAll, beforeAll, expect, test } from 'vitest';
import { Asterisk, HAS_ASTERISK, MANAGER } from '../../support/asterisk.ts';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';

// A real exchange: skipped where `npm run test:telephony` has made no root with it.
const withAsterisk = test.skipIf(!HAS_ASTERISK);

let station: TryStation;
let exchange: Asterisk;
let admin: string;
let desk: { id: number; token: string };

const ok = (method: string, path: string, body?: unknown) => station.ok(method, path, { as: admin, body });
const calls = (query = '') => ok('GET', `/calls${query}`);
const settings = () => ok('GET', '/telephony/settings');
const connected = () => eventually(async () => expect((await settings()).connected).toBe(true));

beforeAll(async () => {
  if (!HAS_ASTERISK) return;
  console.log(Asterisk.version);
  [station, exchange] = await Promise.all([tryStation(), Asterisk.start()]);
  admin = await station.signIn();
  desk = await station.newUser('desk', 'Dispatcher', { extension: '101' });
  const { id, orgId } = await ok('POST', '/calls', { number: '1000' });
  await ok('POST', `/calls/${id}/end`, {});
  await ok('PUT', '/telephony/settings', {
    ...{ enabled: true, host: '127.0.0.1', port: exchange.manager, ...MANAGER, dialPrefix: '9', plus: '00' },
    lines: [{ context: 'from-trunk', extension: '112', orgId }],
  });
  await connected();
});
afterAll(async () => {
  await station?.stop();
  await exchange?.close();
});

withAsterisk('a call that rings at Asterisk is a call of the station; who lifts has taken it', async () => {
  const caller = exchange.call('79123456789');
  const found = await eventually(async () => {
    const [call] = await calls('?number=79123456789');
    expect(call).toMatchObject({ name: 'Anna Berg', line: '112', state: 'ringing', takenBy: null });
    return call;
  });
  const state = async () => (await calls('?number=79123456789')).find((one: { id: number }) => one.id === found.id);
  // The desk's telephone comes up while it rings: Asterisk repeats its INVITE.
  const telephone = exchange.answer('desk');
  await eventually(async () => expect(await state()).toMatchObject({ state: 'taken', takenBy: { name: 'desk' } }));
  exchange.command('channel request hangup all');
  await eventually(async () => expect(await state()).toMatchObject({ state: 'ended' }));
  expect(await calls('?number=79123456789')).toHaveLength(1);
  await exchange.hangUp(caller);
  await exchange.hangUp(telephone);
});

withAsterisk('who presses on a number is rung by Asterisk, which then dials it', async () => {
  const [telephone, outside] = [exchange.answer('desk'), exchange.answer('outside')];
  const dialled = await station.ok('POST', '/telephony/dial', {
    as: desk.token,
    body: { number: '+7 (912) 000-00-01' },
  });
  expect(dialled).toMatchObject({ dialled: '90079120000001', extension: '101', endedAt: null });
  await eventually(() => {
    const channels = exchange.command('core show channels concise');
    expect(channels).toMatch(/PJSIP\/101-\w+!from-internal!90079120000001!/);
    expect(channels).toMatch(/PJSIP\/outside-\w+!/);
  });
  const call = async () => (await station.ok('GET', '/telephony/call', { as: desk.token })).call;
  await eventually(async () => expect(await call()).toMatchObject({ state: 'answered', reason: '' }));
  // It is no caller.
  expect(await calls('?open=true')).toEqual([]);
  exchange.command('channel request hangup all');
  await eventually(async () => expect(await call()).toMatchObject({ state: 'ended' }));
  const [entry] = await ok('GET', '/audit?kind=call');
  expect(entry).toMatchObject({ kind: 'call', action: 'started', login: 'desk' });
  await exchange.hangUp(telephone);
  await exchange.hangUp(outside);
});

withAsterisk(
  'who hangs up before there is an answer has ended the call; a telephone that is not there is named',
  async () => {
    const call = async () => (await station.ok('GET', '/telephony/call', { as: desk.token })).call;
    const dial = (number: string) => station.ask('POST', '/telephony/dial', { as: desk.token, body: { number } });
    const telephone = exchange.answer('desk');
    expect((await dial('12345')).status).toBe(200); // there is no telephone outside: the SIP packets meet nobody
    await eventually(async () => expect(await call()).toMatchObject({ state: 'calling' }));
    const [own] = /PJSIP\/101-\w+/.exec(exchange.command('core show channels concise'))!;
    exchange.command(`channel request hangup ${own}`);
    await eventually(async () => expect(await call()).toMatchObject({ state: 'ended' }));
    await exchange.hangUp(telephone);
    await ok('PUT', `/users/${desk.id}`, { extension: '999' });
    const none = await dial('12345');
    expect([none.status, none.text]).toEqual([409, expect.stringContaining('telephone 999')]);
    expect(await call()).toMatchObject({ state: 'refused', reason: 'desk' });
    await ok('PUT', `/users/${desk.id}`, { extension: '101' });
  },
);

withAsterisk('after a crash of Asterisk the station finds it again, and ends the calls that are gone', async () => {
  const caller = exchange.call('79120000077');
  const state = async () => (await calls('?number=79120000077')).map((one: { state: string }) => one.state);
  await eventually(async () => expect(await state()).toEqual(['ringing']));
  await exchange.kill();
  await eventually(async () => expect((await settings()).problem).not.toBe(''));
  const away = await station.ask('POST', '/telephony/dial', { as: desk.token, body: { number: '112233' } });
  expect(away.status).toBe(503);
  expect(away.text).toMatch(/does not answer/);
  await exchange.hangUp(caller);
  await exchange.start();
  await connected();
  await eventually(async () => expect(await state()).toEqual(['missed']));
});

withAsterisk('a wrong secret is said in the settings', async () => {
  await ok('PUT', '/telephony/settings', { enabled: true, secret: 'wrong' });
  await eventually(async () => expect((await settings()).problem).toMatch(/refused the login/));
  await ok('PUT', '/telephony/settings', { enabled: true, secret: MANAGER.secret });
  await connected();
});

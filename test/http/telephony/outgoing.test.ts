import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ExchangeStandIn } from '../../support/exchange-stand-in.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** Calls that people ask for, by what an exchange reports of them. */
let station: TryStation;
let exchange: ExchangeStandIn;
let admin: string;
let desk: { id: number; token: string };

const ok = (method: string, path: string, body?: unknown) => station.ok(method, path, { as: admin, body });
const connected = () =>
  expect.poll(async () => (await ok('GET', '/telephony/settings')).connected, { timeout: 20_000 }).toBe(true);
const dial = (number = '+7 912 000-00-01', as = desk.token) =>
  station.ask('POST', '/telephony/dial', { as, body: { number } });
const call = async (as = desk.token) => (await station.ok('GET', '/telephony/call', { as })).call;
const becomes = (state: string, reason = '') =>
  expect.poll(async () => [(await call()).state, (await call()).reason]).toEqual([state, reason]);
/** Asks for a call; resolves with its answer when the own telephone rings. */
async function rung() {
  const [asked, answer] = [exchange.asked.length, dial()];
  await expect.poll(() => exchange.asked.slice(asked).some(({ Action }) => Action === 'Originate')).toBe(true);
  exchange.report('Newstate', { ChannelStateDesc: 'Ringing' });
  return (await answer).json();
}

beforeAll(async () => {
  [station, exchange] = await Promise.all([tryStation(), ExchangeStandIn.start()]);
  admin = await station.signIn();
  desk = await station.newUser('desk', 'Dispatcher', { extension: '101' });
  await ok('PUT', '/telephony/settings', {
    ...{ enabled: true, host: '127.0.0.1', port: exchange.port, login: exchange.login, secret: exchange.secret },
    ...{ dialPrefix: '9', plus: '00' },
  });
});
beforeEach(connected);
afterAll(async () => {
  await station.stop();
  await exchange.stop();
});

test('a call is followed from the own telephone to its end', async () => {
  expect(await call()).toBeNull();
  expect(await rung()).toMatchObject({
    ...{ number: '+7 912 000-00-01', dialled: '90079120000001', extension: '101', state: 'lift' },
    ...{ answeredAt: null, endedAt: null },
  });
  exchange.report('Newstate', { ChannelStateDesc: 'Up' });
  await becomes('calling');
  exchange.report('DialBegin');
  exchange.report('DialState', { DialStatus: 'RINGING' });
  await becomes('ringing');
  exchange.report('DialEnd', { DialStatus: 'ANSWER' });
  await becomes('answered');
  expect((await call()).answeredAt).toBeGreaterThan(0);
  exchange.report('Hangup');
  await becomes('ended');
  expect((await call()).endedAt).toBeGreaterThan(0);
  // Its id may come back in a late event.
  exchange.report('DialBegin');
  exchange.report('DialEnd', { DialStatus: 'BUSY' });
  await rung();
  await becomes('lift');
  exchange.report('Hangup');
});

test.each([
  ['BUSY', 'busy'],
  ['NOANSWER', 'noAnswer'],
  ['CHANUNAVAIL', 'unreachable'],
  ['CONGESTION', 'unreachable'],
])('a number that ends with %s is refused as %s, unless the exchange tries another way', async (status, reason) => {
  await rung();
  exchange.report('Newstate', { ChannelStateDesc: 'Up' });
  exchange.report('DialBegin');
  exchange.report('DialEnd', { DialStatus: status });
  await becomes('refused', reason);
  expect((await call()).endedAt).toBeNull();
  exchange.report('DialBegin');
  await becomes('calling');
  exchange.report('DialEnd', { DialStatus: status });
  exchange.report('Hangup');
  await expect.poll(async () => (await call()).endedAt).not.toBeNull();
  await becomes('refused', reason);
});

test('an own telephone that cannot ring, and one that is not lifted, are distinguished from the number', async () => {
  const asked = exchange.asked.length;
  const answer = dial();
  await expect.poll(() => exchange.asked.slice(asked).some(({ Action }) => Action === 'Originate')).toBe(true);
  exchange.report('OriginateResponse', { Response: 'Failure', ActionID: exchange.channel, Reason: '0' });
  expect([(await answer).status, (await answer).text]).toEqual([409, expect.stringContaining('telephone 101')]);
  await becomes('refused', 'desk');
  await rung();
  exchange.report('Hangup');
  await becomes('refused', 'desk');
  exchange.refuses = true;
  const refused = await dial();
  exchange.refuses = false;
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Extension does not exist')]);
  await becomes('refused');
  expect((await call()).endedAt).not.toBeNull();
});

test('a person sees their own call alone, and one without a telephone has none', async () => {
  await rung();
  expect(await call(admin)).toBeNull();
  const noTelephone = await dial('112', admin);
  expect([noTelephone.status, noTelephone.text]).toEqual([409, expect.stringMatching(/No telephone is set for you/)]);
  exchange.report('Hangup');
});

test('people set their own extension, and administrators those of others; a wrong one is refused', async () => {
  const own = (extension: string) =>
    station.ask('PUT', '/telephony/extension', { as: desk.token, body: { extension } });
  expect((await own(' 102 ')).json()).toEqual({ extension: '102' });
  expect(await station.ok('GET', '/telephony', { as: desk.token })).toEqual({ enabled: true, extension: '102' });
  expect((await ok('GET', '/users')).find(({ id }: { id: number }) => id === desk.id).extension).toBe('102');
  const [entry] = await ok('GET', '/audit?kind=user');
  expect(entry).toMatchObject({ action: 'changed', login: 'desk', details: { extension: ['101', '102'] } });
  for (const wrong of ['1 2', '101/1', '101\r\nAction: Command', 'é', '1'.repeat(81)]) {
    expect((await own(wrong)).status, wrong).toBe(400);
    const byAdmin = await station.ask('PUT', `/users/${desk.id}`, { as: admin, body: { extension: wrong } });
    expect(byAdmin.status, wrong).toBe(400);
  }
  expect((await ok('PUT', `/users/${desk.id}`, { extension: '101' })).extension).toBe('101');
  await rung();
  expect(exchange.asked.findLast(({ Action }) => Action === 'Originate')).toMatchObject({ Channel: 'PJSIP/101' });
  exchange.report('Hangup');
  expect((await ok('PUT', `/users/${desk.id}`, { extension: '' })).extension).toBe('');
  expect((await dial('112')).status).toBe(409);
  await ok('PUT', `/users/${desk.id}`, { extension: '101' });
});

test('settings are tried before they are saved; the stored secret is used and never shown', async () => {
  const tried = (body: object) =>
    ok('POST', '/telephony/test', { host: '127.0.0.1', port: exchange.port, login: exchange.login, ...body });
  const found = await tried({});
  expect(found).toEqual({ greeting: 'Asterisk Call Manager/11.0.0', problem: '' });
  expect(await tried({ secret: 'wrong' })).toEqual({
    greeting: '',
    problem: expect.stringMatching(/refused the login/),
  });
  expect((await tried({ port: 1 })).problem).toMatch(/ECONNREFUSED/);
  const answer = await station.ask('GET', '/telephony/settings', { as: admin });
  expect(answer.json()).toMatchObject({ hasSecret: true, problem: '' });
  expect(answer.text).not.toContain(exchange.secret);
  const asDesk = await station.ask('POST', '/telephony/test', { as: desk.token, body: {} });
  expect(asDesk.status).toBe(403);
  const trail = JSON.stringify(await ok('GET', '/audit?kind=setting'));
  expect(trail).toContain('/telephony/test');
  expect(trail).not.toMatch(new RegExp(`${exchange.secret}|wrong`));
});

test('when the exchange goes away, its open calls are lost, and a new one says so', async () => {
  await rung();
  const { port } = exchange;
  await exchange.stop();
  await becomes('lost');
  expect((await call()).endedAt).not.toBeNull();
  const away = await dial();
  expect([away.status, away.text]).toEqual([503, expect.stringContaining('does not answer')]);
  exchange = await ExchangeStandIn.start(port);
  await connected();
  expect(await rung()).toMatchObject({ state: 'lift' });
});

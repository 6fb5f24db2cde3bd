import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** Telephone calls (rules of server/dispatch/calls). */
let station: TryStation;
let admin: string;
let exchange: string;
let dispatcher: { id: number; token: string };

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  const made = await station.ok('POST', '/auth/keys', {
    as: admin,
    body: { name: 'exchange', scopes: ['calls'], expiresAt: null },
  });
  exchange = made.token;
  const roles: { name: string; wheel: boolean; admin: boolean }[] = await station.ok('GET', '/rights', { as: admin });
  dispatcher = await station.newUser('dispatcher', roles.find((role) => !role.wheel && !role.admin)!.name);
});
afterAll(() => station.stop());

const report = (body: object, as = exchange) => station.ok('POST', '/calls', { as, body });

test('an exchange reports a call with a key that may do nothing else (rule 1)', async () => {
  const call = await report({ number: '+44 1632 960-417', line: '112-2', name: 'Marta', lat: 55.5, lon: 37.5 });
  expect(call).toMatchObject({ number: '+441632960417', line: '112-2', lat: 55.5, takenBy: null, endedAt: null });
  expect((await station.ask('GET', '/calls', { as: exchange })).status).toBe(403);
  expect((await station.ask('GET', '/cars', { as: exchange })).status).toBe(403);
  expect((await station.ask('POST', '/calls', { body: { number: '1' } })).status).toBe(401);
});

test('a call that is reported again is one call, one of another line is another (rule 3)', async () => {
  const [first, again, other] = [
    await report({ number: '0044 1632 960417', line: '112-2' }),
    await report({ number: '+441632960417', line: '112-2' }),
    await report({ number: '+441632960417', line: '112-3' }),
  ];
  expect(again.id).toBe(first.id);
  expect(other.id).not.toBe(first.id);
  const withheld = [await report({ number: '' }), await report({ number: '' })];
  expect(withheld[0].id).not.toBe(withheld[1].id);
});

test('the first to take a call has it; its task is listed with earlier calls of the number (rules 4, 5)', async () => {
  const { id } = await report({ number: '+7 495 765-43-21', line: '1' });
  const taken = await station.ok('POST', `/calls/${id}/take`, { as: admin });
  expect(await station.ok('POST', `/calls/${id}/take`, { as: admin })).toEqual(taken);
  const second = await station.ask('POST', `/calls/${id}/take`, { as: dispatcher.token });
  expect([second.status, second.headers.get('waypost-refusal')]).toEqual([409, 'calls.taken']);

  const missing = await station.ask('POST', `/calls/${id}/end`, { as: admin, body: { newsId: 999_999 } });
  expect(missing.status).toBe(404);
  const { newsId } = await station.ok('POST', '/news/', {
    as: admin,
    body: { action: 'put', values: { title: 'Smoke on the stairs', news_type_id: 1 } },
  });
  const ended = await station.ok('POST', `/calls/${id}/end`, { as: admin, body: { newsId } });
  expect(ended.newsId).toBe(Number(newsId));
  expect(ended.endedAt).toBeGreaterThanOrEqual(ended.at);
  const earlier = await station.ok('GET', '/calls?number=84957654321&open=false', { as: admin });
  expect(earlier.map((call: { id: number }) => call.id)).toEqual([id]);
});

test('the exchange ends a call and takes none: a call that nobody took is missed (rules 5, 7)', async () => {
  const missed = await report({ number: '5550002', line: '1' });
  expect(missed.state).toBe('ringing');
  const gone = await station.ok('POST', `/calls/${missed.id}/end`, { as: exchange, body: {} });
  expect(gone).toMatchObject({ state: 'missed', takenBy: null });
  const list: { id: number }[] = await station.ok('GET', '/calls?state=missed', { as: admin });
  expect(list.map(({ id }) => id)).toContain(missed.id);

  const spoken = await report({ number: '5550003', line: '1' });
  await station.ok('POST', `/calls/${spoken.id}/take`, { as: admin });
  await station.ok('POST', `/calls/${spoken.id}/end`, { as: exchange, body: {} });
  const { newsId } = await station.ok('POST', '/news/', {
    as: admin,
    body: { action: 'put', values: { title: 'Lamp post leans', news_type_id: 1, address: 'Mill Lane 3' } },
  });
  await station.ok('POST', `/calls/${spoken.id}/end`, { as: admin, body: { newsId } });
  const [ledTo] = await station.ok('GET', `/calls?newsId=${newsId}`, { as: admin });
  expect(ledTo).toMatchObject({
    id: spoken.id,
    state: 'ended',
    news: { title: 'Lamp post leans', address: 'Mill Lane 3' },
  });
});

test('an ended call that nobody took cannot be taken', async () => {
  const { id } = await report({ number: '5550001', line: '1' });
  await station.ok('POST', `/calls/${id}/end`, { as: admin, body: {} });
  const late = await station.ask('POST', `/calls/${id}/take`, { as: dispatcher.token });
  expect([late.status, late.headers.get('waypost-refusal')]).toEqual([409, 'calls.ended']);
});

test('bad input and calls of other organizations are refused in words', async () => {
  for (const body of [{}, { number: 5 }, { number: '1', lat: 91, lon: 0 }, { number: 'x'.repeat(101) }])
    expect((await station.ask('POST', '/calls', { as: exchange, body })).status).toBe(400);
  expect((await station.ask('POST', '/calls/999999/take', { as: admin })).status).toBe(404);
});

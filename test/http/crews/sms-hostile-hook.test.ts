import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance } from '../../support/chance.ts';
import { eventually } from '../../support/eventually.ts';
import { GATEWAY_LOGIN } from '../../support/sms-gateway.ts';
import { tryStation, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let key: string;
let engine: number;
const NUMBER = '+4237921001';
const ok = (method: string, path: string, body?: unknown) => station.ok(method, path, { as: admin, body });
const settings = (hookForm: 'android' | 'plain') =>
  ok('PUT', '/sms/settings', {
    ...{ gateway: 'http', ...GATEWAY_LOGIN, perMinute: 6_000, language: 'en', messages: 'chosen' },
    http: {
      ...{ method: 'POST', url: 'http://127.0.0.1:9/message', headers: '', body: '{"to": "{to}", "text": "{text}"}' },
      ...{ idField: 'id', answerContains: '', hookForm },
    },
  });

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  engine = (await ok('POST', '/cars', { name: 'Engine 1' })).id;
  await ok('PUT', `/sms/phones/${engine}`, { phone: NUMBER });
  ({ key } = await ok('POST', '/sms/key'));
});
afterAll(() => station.stop());

const bearer = () => ({ authorization: `Bearer ${key}` });
const hook = (body: unknown, headers: object = bearer()) =>
  station.ask('POST', '/sms/hook', { body, headers: { 'content-type': 'application/json', ...headers } });
/** What the crew said, as the board shows it. */
const said = async (): Promise<string[]> =>
  (await ok('GET', '/crews/messages')).map(({ text }: { text: string }) => text);
/** A gateway sends again what was not confirmed. */
const confirmed = (body: object) =>
  eventually(async () => {
    const { status, text } = await hook(body);
    expect([200, 409, 429, 503], text).toContain(status);
    expect(status).toBe(200);
  });

test.each(['android', 'plain'] as const)(
  '1,500 random wrong posts in the form %s: no 5xx, and each text of the crew that was confirmed is there once',
  async (form) => {
    await settings(form);
    const chance = new Chance();
    const odd = [null, -1, 1e300, '', 'x', [], {}, true, '\0\ud800', '__proto__', '9'.repeat(5_000), Number.NaN];
    const any = () => chance.of(odd);
    const number = () => (chance.maybe() ? any() : `7999${chance.int(1e6)}`);
    const kinds: (() => [body: unknown, headers?: object])[] = [
      () => [{ event: 'sms:received', payload: { messageId: any(), phoneNumber: number(), message: any() } }],
      () => [{ event: chance.of(['sms:delivered', 'sms:failed', 'x']), payload: { messageId: any(), reason: any() } }],
      () => [{ event: any(), payload: any() }],
      () => [{ from: number(), text: any(), id: any() }],
      () => [{ id: any(), state: chance.of(['delivered', 'failed', 'x', 7]), error: any() }],
      () => [`{"event":"sms:received","payload":{"mess`],
      () => ['['.repeat(5_000)],
      () => [
        `from=%ff%fe&text=${'%00'.repeat(50)}`,
        { 'content-type': 'application/x-www-form-urlencoded', ...bearer() },
      ],
      () => [{ from: NUMBER, text: 'forged' }, { authorization: `Bearer ${key}x` }],
      () => [{ from: NUMBER, text: 'forged' }, signed('other key')],
    ];
    const wrong = async (): Promise<void> => {
      const [body, headers] = chance.of(kinds)();
      const { status, text } = await hook(body, headers);
      expect(status, `WAYPOST_SEED=${chance.seed}: ${JSON.stringify(body)?.slice(0, 300)} ${text}`).toBeLessThan(500);
    };
    const texts: string[] = [];
    for (let turn = 0; turn < 30; turn++) {
      const wave = Array.from({ length: 50 }, wrong);
      const [text, id] = [`${form} ${turn}`, `${form}-${turn}`];
      const body =
        form === 'plain'
          ? { from: NUMBER, text, id }
          : { event: 'sms:received', payload: { messageId: id, phoneNumber: NUMBER, message: text, receivedAt: 'x' } };
      // Confirmed or not, the gateway repeats it.
      await confirmed(body);
      await confirmed(body);
      texts.push(text);
      await Promise.all(wave);
    }
    await eventually(async () => {
      const own = (await said()).filter((text) => text.startsWith(form));
      expect(own.sort()).toEqual(texts.sort());
    });
    expect(await said()).not.toContain('forged');
    expect((await station.ask('GET', '/health')).status).toBe(200);
  },
  180_000,
);

function signed(secret: string): object {
  const time = String(Math.floor(Date.now() / 1_000));
  const digest = createHmac('sha256', secret).update('{}').update(time).digest('hex');
  return { 'x-signature': digest, 'x-timestamp': time };
}

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance } from '../../../support/chance.ts';
import { tryStation, type TestResponse, type TryStation } from '../../try-station.ts';

let at: TryStation;
let admin: string;
let key: string;

beforeAll(async () => {
  at = await tryStation({ 'citizens.user': 'citizens', 'citizens.types': [1], 'citizens.perMinute': 100_000 });
  admin = await at.signIn();
  for (const [name, format] of Object.entries({ Colour: 'list', Seen: 'date', Note: 'string' }))
    await at.ok('POST', '/custom_field', {
      as: admin,
      body: {
        name,
        format,
        ...(format === 'list' && { possible_values: ['Red'] }),
        for_all_types: true,
        visible: true,
      },
    });
  await at.newUser('citizens', 'Dispatcher');
  const body = { name: 'citizens', scopes: ['citizens'], expiresAt: null };
  key = (await at.ok('POST', '/auth/keys', { as: admin, body })).token;
});
afterAll(() => at.stop());

const post = (body: string, form = 'json', type = 'application/x-www-form-urlencoded'): Promise<TestResponse> =>
  at.ask('POST', `/open311/v2/requests.${form}`, { body, headers: { 'content-type': type } });
const right = (description: string) =>
  new URLSearchParams({ api_key: key, service_code: '1', lat: '47.1', long: '9.5', description }).toString();

test('3,000 random wrong reports, many at a time: no 5xx, and each right one that was acknowledged is a task', async () => {
  const chance = new Chance();
  const values = [
    '',
    '1',
    '-1',
    '1e300',
    '91',
    'NaN',
    '<b>',
    '\0',
    '\ud800',
    '__proto__',
    '9'.repeat(3_000),
    'http://[',
    'ы',
  ];
  const names = ['service_code', 'lat', 'long', 'description', 'address_string', 'address_id', 'email', 'media_url'];
  const others = [
    'attribute[colour]',
    'attribute[seen]',
    'attribute[note]',
    'attribute[',
    'jurisdiction_id',
    '__proto__[x]',
  ];
  const wrong = async (): Promise<void> => {
    const fields = new URLSearchParams({ api_key: chance.maybe(0.9) ? key : chance.of(values), service_code: '1' });
    for (let more = chance.int(8); more >= 0; more--)
      fields[chance.maybe() ? 'set' : 'append'](chance.of([...names, ...others]), chance.of(values));
    const text = fields.toString();
    const kind = chance.int(10);
    const body =
      kind === 0 ? text.slice(0, chance.int(text.length)) : kind === 1 ? `${text}&%ff=%fe&description=%` : text;
    const type =
      kind === 2 ? chance.of(['application/json', 'text/xml', 'multipart/form-data; boundary=x']) : undefined;
    const answer = await post(body, chance.of(['json', 'xml', 'xml.json', 'JSON']), type);
    expect(answer.status, `WAYPOST_SEED=${chance.seed}: ${body.slice(0, 300)} ${answer.text}`).toBeLessThan(500);
  };
  const acknowledged: number[] = [];
  for (let turn = 0; turn < 60; turn++) {
    const wave = Array.from({ length: 50 }, wrong);
    const answer = await post(right(`Hole ${turn}`));
    expect(answer.status, answer.text).toBe(200);
    acknowledged.push(Number(answer.json()[0].service_request_id));
    await Promise.all(wave);
  }
  for (const [turn, id] of acknowledged.entries()) {
    const { news_data: task } = await at.ok('GET', `/news/${id}`, { as: admin });
    expect(task.text).toContain(`Hole ${turn}`);
  }
  expect((await at.ask('GET', '/health')).status).toBe(200);
}, 180_000);

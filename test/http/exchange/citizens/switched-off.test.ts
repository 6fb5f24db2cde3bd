import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../../try-station.ts';

let at: TryStation;
beforeAll(async () => {
  at = await tryStation({ 'citizens.types': [1] });
});
afterAll(() => at.stop());

test('without a user of citizens nothing is offered, in the form of the standard', async () => {
  for (const path of ['services.json', 'services/1.json', 'requests.json', 'requests/1.json']) {
    const { status, text } = await at.ask('GET', `/open311/v2/${path}`);
    expect([status, JSON.parse(text)]).toEqual([
      404,
      [{ code: 404, description: 'This station does not accept requests of citizens.' }],
    ]);
  }
  const xml = await at.ask('GET', '/open311/v2/nothing.xml');
  expect(xml.text).toContain('<errors><error><code>404</code>');
  const method = await at.ask('DELETE', '/open311/v2/requests.json');
  expect(method.json()[0].code).toBe(405);
});

test('a key opens nothing while citizens are off', async () => {
  const as = await at.signIn();
  const body = { name: 'portal', scopes: ['citizens'], expiresAt: null };
  const { token } = await at.ok('POST', '/auth/keys', { as, body });
  const sent = new URLSearchParams({ api_key: token, service_code: '1', lat: '1', long: '1' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await at.ask('POST', '/open311/v2/requests.json', { body: sent, headers })).status).toBe(404);
});

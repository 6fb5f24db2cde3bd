import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../../try-station.ts';

let at: TryStation;
beforeAll(async () => {
  at = await tryStation({ 'citizens.user': 'admin', 'citizens.types': [1] });
});
afterAll(() => at.stop());

test('without its setting the page is not there, and a stranger sees neither map nor addresses', async () => {
  for (const path of ['', '/form', '/places?query=Mill', '/place?lat=1&lon=1', '/reports/1?code=x', '/tiles/0/0/0.mvt'])
    expect([path, (await at.ask('GET', `/citizens${path}`)).status]).toEqual([path, 404]);
  const body = { token: 'x', typeId: 1, description: 'x', point: { lat: 1, lon: 1 } };
  expect((await at.ask('POST', '/citizens/reports', { body })).status).toBe(404);
  const headers = { 'content-type': 'application/octet-stream' };
  const photo = await at.ask('POST', '/citizens/photos?token=x&typeId=1&name=x', { body: 'x', headers });
  expect(photo.status).toBe(404);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../../try-station.ts';

let at: TryStation;
beforeAll(async () => {
  at = await tryStation({ 'citizens.user': 'Citizens', 'citizens.types': [1] });
});
afterAll(() => at.stop());

test('health says that the user of citizens may not sign in, until they may', async () => {
  const problems = async () => (await at.ok('GET', '/health')).problems ?? [];
  const wrong = { code: 'citizens.user', text: expect.stringContaining('Citizens') as string };
  expect(await problems()).toContainEqual(wrong);
  const { id } = await at.newUser('citizens', 'Dispatcher');
  expect(await problems()).not.toContainEqual(wrong);
  await at.ok('PUT', `/users/${id}`, { as: await at.signIn(), body: { enabled: false } });
  expect(await problems()).toContainEqual(wrong);
});

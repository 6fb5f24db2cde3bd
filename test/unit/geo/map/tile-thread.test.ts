import { expect, test } from 'vitest';
import { TileThread } from '../../../../server/geo/map/tile-thread.ts';

test.each([9, 10])(
  'when the thread dies (zoom %i) what it was asked is refused, and another goes on with the same territory',
  async (z) => {
    const thread = new TileThread(() => {}, new URL('./dying.worker.ts', import.meta.url));
    await thread.open('/maps/town');
    const text = async () => new TextDecoder().decode(await thread.tile(1, 0, 0));
    expect(await text()).toBe('/maps/town');
    const [deadly, behind] = await Promise.allSettled([thread.tile(z, 0, 0), thread.tile(1, 0, 0)]);
    for (const asked of [deadly, behind]) expect(asked).toMatchObject({ status: 'rejected', reason: { kind: 'busy' } });
    expect(await text()).toBe('/maps/town');
    await thread.close();
    await expect(thread.tile(1, 0, 0)).rejects.toMatchObject({ kind: 'busy' });
  },
);

test('closing refuses what is still waited for', async () => {
  const thread = new TileThread(() => {}, new URL('./dying.worker.ts', import.meta.url));
  const asked = thread.tile(1, 0, 0);
  const outcome = asked.catch((error: { kind: string }) => error.kind);
  await thread.close();
  expect(await outcome).toBe('busy');
});

test('more questions than may wait are refused at once', async () => {
  const thread = new TileThread(() => {}, new URL('./dying.worker.ts', import.meta.url));
  const asked = await Promise.allSettled(Array.from({ length: 1100 }, () => thread.tile(1, 0, 0)));
  expect(asked.filter(({ status }) => status === 'rejected')).toHaveLength(100);
  await thread.close();
});

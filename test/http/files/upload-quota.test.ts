import { expect, onTestFinished, test } from 'vitest';
import { tryStation } from '../try-station.ts';

test('unused uploads of one user are limited, also in parallel; deleting frees space; each user has their own limit', async () => {
  const small = await tryStation({ uploadLimit: 1, uploadQuota: 2 });
  onTestFinished(() => small.stop());
  const as = (await small.newUser('sender', 'Dispatcher')).token;
  const post = async (fill: number, token = as) => {
    const form = new FormData();
    form.append('file', new Blob([Buffer.alloc(900_000, fill)]), 'a.bin');
    const response = await fetch(`${small.station.address}/fileload`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: response.status, text: await response.text() };
  };
  const atOnce = await Promise.all([1, 2, 3, 4].map((fill) => post(fill)));
  expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 200, 413, 413]);
  expect(atOnce.find(({ status }) => status === 413)!.text).toMatch(/unused uploads may take at most 2 MB/);
  expect((await post(5)).status).toBe(413);
  expect((await post(6, await small.signIn())).status).toBe(200);
  const [uuid] = (JSON.parse(atOnce.find(({ status }) => status === 200)!.text) as { data: string[] }).data;
  await small.ok('DELETE', `/fileload/${uuid}`, { as });
  expect((await post(7)).status).toBe(200);
});

test('many small files at once are no more than their bytes', async () => {
  const station = await tryStation({ uploadLimit: 100, uploadQuota: 200 });
  onTestFinished(() => station.stop());
  const as = (await station.newUser('sender', 'Dispatcher')).token;
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async (_, number) => {
      const form = new FormData();
      form.append('file', new Blob([`note ${number}`]), 'note.txt');
      return (
        await fetch(`${station.station.address}/fileload`, {
          method: 'POST',
          body: form,
          headers: { authorization: `Bearer ${as}` },
        })
      ).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});

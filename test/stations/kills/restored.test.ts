import { expect, onTestFinished, test } from 'vitest';
import { areEqual, pair, startStations, type TestStation } from '../harness/linked.ts';

async function createTask(station: TestStation, title: string): Promise<number> {
  const { newstype } = await station.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const values = { title, news_type_id: Number(newstype[0]!.news_type_id) };
  return (await station.ask<{ newsId: number }>('POST', '/news/', { values })).newsId;
}

async function titles(station: TestStation): Promise<string[]> {
  const { news_list: tasks } = await station.ask<{ news_list: { title: string }[] }>('GET', '/news/listAfterId/0/100');
  return tasks.map(({ title }) => title).sort();
}

test('[sync 101] [sync 102] a station with older data gets back what it gave away, and gives out no id twice', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const cable = await pair(a, b);
  await createTask(a, 'Before the copy');
  await areEqual([a, b]);
  await a.end();
  const copy = a.save();
  onTestFinished(() => copy.drop());
  await a.start();
  const lost = [await createTask(a, 'Lost 1'), await createTask(a, 'Lost 2'), await createTask(a, 'Lost 3')];
  await areEqual([a, b]);

  await a.end('SIGKILL');
  copy.putBack();
  cable.cut();
  await a.start();
  expect(await titles(a)).toEqual(['Before the copy']);
  // Nobody could tell it which ids are taken.
  expect(await createTask(a, 'Made apart')).toBe(lost[0]);
  cable.join();
  await areEqual([a, b]);
  const all = ['Before the copy', 'Lost 1', 'Lost 2', 'Lost 3', 'Made apart'];
  for (const station of [a, b]) expect(await titles(station)).toEqual(all);
  const merges = await b.ask<{ field: string; lost: { value: unknown } }[]>('GET', '/merges');
  expect(merges.filter(({ field }) => field === 'id').map(({ lost: { value } }) => value)).toEqual([lost[0]]);

  // The epoch is new: what it writes now arrives, though the other one had read further.
  const next = await createTask(a, 'Next');
  expect(lost).not.toContain(next);
  await expect.poll(() => titles(b)).toContain('Next');
  await areEqual([a, b]);
});

test('[sync 101] at contact a station learns which of its ids are taken before it gives out one', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  await pair(a, b);
  await createTask(a, 'Before the copy');
  await areEqual([a, b]);
  await a.end();
  const copy = a.save();
  onTestFinished(() => copy.drop());
  await a.start();
  const lost = [await createTask(a, 'Lost 1'), await createTask(a, 'Lost 2')];
  await areEqual([a, b]);
  await a.end('SIGKILL');
  copy.putBack();
  await a.start();
  // It takes nothing in, so only the handshake can tell.
  const [link] = await a.links();
  await a.ask('PUT', `/links/${link!.id}`, { readOnly: true });
  await expect.poll(async () => (await a.links())[0]!.state).not.toBe('unreachable');
  expect(await createTask(a, 'Next')).toBeGreaterThan(Math.max(...lost));
});

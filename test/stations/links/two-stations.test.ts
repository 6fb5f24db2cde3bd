import { expect, test } from 'vitest';
import { shortest } from '../../support/shortest.ts';
import { areEqual, pair, startStations, type TestStation } from '../harness/linked.ts';

interface Task {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

/** A type of tasks that the station made itself. */
async function ownType(station: TestStation): Promise<number> {
  const { newstype } = await station.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const ids = newstype.map(({ news_type_id: id }) => Number(id));
  return ids.find((id) => Math.floor(id / 10_000_000) === station.number)!;
}

async function createTask(station: TestStation, title: string): Promise<number> {
  const values = { title, news_type_id: await ownType(station) };
  return (await station.ask<{ newsId: number }>('POST', '/news/', { values })).newsId;
}

async function task(station: TestStation, id: number): Promise<Task | undefined> {
  return station.ask<{ news_data: Task }>('GET', `/news/${id}`).then(
    ({ news_data: data }) => data,
    () => undefined,
  );
}

test('[sync 50] what is written on one station is on the other one, and both say that they are equal', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const before = await createTask(a, 'Before the link');
  await pair(a, b);
  await expect.poll(() => task(b, before)).toMatchObject({ title: 'Before the link' });
  await areEqual([a, b]);

  let id = 0;
  const took = await shortest(1000, async () => {
    id = await createTask(b, 'Tree on road');
    const began = performance.now();
    await expect.poll(() => task(a, id), { interval: 5 }).toMatchObject({ title: 'Tree on road' });
    return performance.now() - began;
  });
  expect(took).toBeLessThan(1000);

  await a.ask('POST', `/news/${id}/comments`, { comment: 'On scene' });
  await a.ask('POST', `/news/${id}/update`, { text: 'Two lanes' });
  await a.ask('POST', '/category', { name: 'Storm' });
  await a.ask('POST', '/users', {
    login: 'night',
    password: 'a good night',
    fio: 'Night shift',
    groupId: (await a.ask<{ groupId: number }>('GET', '/users/current')).groupId,
  });
  await areEqual([a, b]);
  expect(await task(b, id)).toMatchObject({ text: 'Two lanes' });
  for (const path of [`/news/${id}/comments`, `/news/${id}/history`, '/category', '/users'])
    expect(await b.ask('GET', path), path).toEqual(await a.ask('GET', path));
});

test('[sync 51] edits on both sides of a cut cable are on both when it is joined, also after a kill', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const id = await createTask(a, 'Tree on road');
  const cable = await pair(a, b);
  await areEqual([a, b]);
  cable.cut();
  await a.ask('POST', `/news/${id}/update`, { text: 'Two lanes' });
  await b.ask('POST', `/news/${id}/update`, { title: 'Tree on Harbour Road' });
  const made = await createTask(b, 'Made apart');
  await expect.poll(async () => (await a.links())[0]!.state).toBe('unreachable');
  await b.end('SIGKILL');
  await b.start();
  cable.join();
  await expect.poll(() => task(a, made)).toMatchObject({ title: 'Made apart' });
  await areEqual([a, b]);
  for (const station of [a, b])
    expect(await task(station, id)).toMatchObject({ title: 'Tree on Harbour Road', text: 'Two lanes' });
});

import { expect, test } from 'vitest';
import { follow, waypost } from './command-line.ts';
import { areEqual, startStations, type TestStation } from './linked.ts';

interface Task {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

async function createTask(station: TestStation, title: string): Promise<number> {
  const { newstype } = await station.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const values = { title, news_type_id: Number(newstype[0]!.news_type_id) };
  return (await station.ask<{ newsId: number }>('POST', '/news/', { values })).newsId;
}

async function task(station: TestStation, id: number): Promise<Task | undefined> {
  return station.ask<{ news_data: Task }>('GET', `/news/${id}`).then(
    ({ news_data: data }) => data,
    () => undefined,
  );
}

const leadershipStateOf = async (station: TestStation) => (await station.links())[0]!.leadership;

test('[sync 90] [sync 91] [sync 93] a standby is promoted when its station is lost, and merges what that one alone had', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const id = await createTask(a, 'Tree on road');
  const cable = await follow(b, a);

  // An exact copy: its own first records are gone, and were never at the other station.
  for (const path of ['/newstype', '/category', '/users', '/organizations', '/rights'])
    expect(await b.ask('GET', path), path).toEqual(await a.ask('GET', path));
  expect(await a.ask<object[]>('GET', '/users')).toHaveLength(1);
  expect(await Promise.all([leadershipStateOf(a), leadershipStateOf(b)])).toEqual(['followed', 'follows']);
  await expect(createTask(b, 'Refused')).rejects.toThrow(/409 .*standby of Station 1/);
  await expect(b.ask('POST', '/telemetry', [])).rejects.toThrow(/409 .*standby of Station 1/);
  const health = async (station: TestStation) => station.ask<{ standby: object | null }>('GET', '/health');
  await expect.poll(async () => (await health(b)).standby).toEqual({ of: 'Station 1', behind: 0, filled: 1 });
  expect((await health(a)).standby).toBeNull();
  await a.ask('POST', `/news/${id}/update`, { text: 'Two lanes' });
  await expect.poll(() => task(b, id)).toMatchObject({ text: 'Two lanes' });

  // The cable breaks, one station goes on alone for a while, and is lost.
  await areEqual([a, b]);
  cable.cut();
  await a.ask('POST', `/news/${id}/update`, { title: 'Tree on Harbour Road' });
  const alone = await createTask(a, 'Known to one station');
  await a.end('SIGKILL');

  expect(await waypost(b, 'promote', '--confirm', 'Station 7')).toMatchObject({ code: 1 });
  expect((await waypost(b, 'promote')).code).toBe(2);
  const lostAt = performance.now();
  const { said, code } = await waypost(b, 'promote', '--confirm', 'Station 1');
  expect(said).toContain('This station leads now, in place of Station 1.');
  expect(said).toMatch(/Everything up to .* is here\. What Station 1 wrote in the \d+ s since then may be missing\./);
  expect(said).toContain('Known to be missing: 0 records, 0 files.');
  expect(code).toBe(0);
  const after = await createTask(b, 'After the promotion');
  expect(performance.now() - lostAt).toBeLessThan(60_000);
  await b.ask('POST', `/news/${id}/update`, { title: 'Tree on Mill Lane' });

  await a.start();
  cable.join();
  await areEqual([a, b]);
  expect(await task(b, alone)).toMatchObject({ title: 'Known to one station' });
  expect(await task(a, after)).toMatchObject({ title: 'After the promotion' });
  for (const station of [a, b]) {
    expect(await task(station, id)).toMatchObject({ title: 'Tree on Mill Lane', text: 'Two lanes' });
    expect(await station.ask('GET', '/merges?open=true')).toMatchObject([
      { field: 'title', lost: { value: 'Tree on Harbour Road', station: { number: 1 } } },
    ]);
  }

  // Two lead, and both say so, until one follows the other.
  expect(await Promise.all([leadershipStateOf(a), leadershipStateOf(b)])).toEqual(['replaced', 'promoted']);
  expect((await waypost(a, 'link', 'list')).said).toContain('Station 2 was promoted in place of this station.');
  await createTask(a, 'Both lead');
  expect((await waypost(a, 'link', 'follow', 'Station 2')).said).toContain('This station is a standby of Station 2');
  await expect.poll(() => Promise.all([leadershipStateOf(a), leadershipStateOf(b)])).toEqual(['follows', 'followed']);
  await expect(createTask(a, 'Refused')).rejects.toThrow(/409 .*standby of Station 2/);
  await areEqual([a, b]);
});

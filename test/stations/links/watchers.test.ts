import { expect, test } from 'vitest';
import { areEqual, pair, startStations, type TestStation } from '../harness/linked.ts';

async function person(station: TestStation, login: string): Promise<{ id: number }> {
  const roles = await station.ask<{ id: number; name: string }[]>('GET', '/rights');
  const groupId = roles.find(({ name }) => name === 'Dispatcher')!.id;
  const body = { login, fio: login, password: 'a fine password', groupId };
  return station.ask<{ id: number }>('POST', '/users', body);
}

test('watchers and mentions that two stations made while apart add up, and an end at one of them holds', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const organizationId = (await a.ask<{ id: number }[]>('GET', '/organizations'))[0]!.id;
  const [ivan, olga] = [await person(a, 'ivan'), await person(a, 'olga')];
  const { newstype } = await a.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const news_type_id = Number(newstype[0]!.news_type_id);
  const values = { title: 'Watched', news_type_id, department_id: organizationId };
  const { newsId } = await a.ask<{ newsId: number }>('POST', '/news/', { values });
  const watchers = async (station: TestStation) =>
    (await station.ask<{ watchers: { id: number }[] }>('GET', `/news/${newsId}/watchers`)).watchers.map(({ id }) => id);
  const cable = await pair(a, b);
  await areEqual([a, b]);

  cable.cut();
  await a.ask('POST', `/news/${newsId}/comments`, { comment: 'Look, @ivan' });
  await b.ask('PUT', `/news/${newsId}/watch`);
  cable.join();
  await areEqual([a, b]);
  const both = await watchers(a);
  expect(both).toHaveLength(2);
  expect(both).toContain(ivan.id);
  expect((await watchers(b)).sort()).toEqual(both.sort());

  cable.cut();
  await b.ask('DELETE', `/news/${newsId}/watch`);
  await a.ask('POST', `/news/${newsId}/comments`, { comment: 'You too, @olga' });
  cable.join();
  await areEqual([a, b]);
  const after = [ivan.id, olga.id].sort((one, other) => one - other);
  expect((await watchers(a)).sort((one, other) => one - other)).toEqual(after);
  expect((await watchers(b)).sort((one, other) => one - other)).toEqual(after);
  // Both edits count, so there is nothing to decide.
  const merges = await a.ask<{ field: string }[]>('GET', '/merges?open=true');
  expect(merges.filter(({ field }) => /watcher|mention/.test(field))).toEqual([]);
});

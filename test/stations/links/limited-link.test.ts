import { expect, test } from 'vitest';
import { areEqual, pair, startStations, type TestStation } from '../harness/linked.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

async function createTask(station: TestStation, title: string, organization: number): Promise<number> {
  const { newstype } = await station.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const ids = newstype.map(({ news_type_id: id }) => Number(id));
  const type = ids.find((id) => Math.floor(id / 10_000_000) === station.number)!;
  const values = { title, news_type_id: type, department_id: organization };
  return (await station.ask<{ newsId: number }>('POST', '/news/', { values })).newsId;
}

function title(station: TestStation, id: number): Promise<string> {
  return station.ask<{ news_data: { title: string } }>('GET', `/news/${id}`).then(
    ({ news_data: data }) => data.title,
    (error: Error) => (error.message.includes('404') ? 'none' : Promise.reject(error)),
  );
}

test('[sync 73] [sync 74] a link that is limited carries what belongs to its organizations, also when that changes', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const own = (await a.ask<Named[]>('GET', '/organizations'))[0]!.id;
  const north = (await a.ask<Named>('POST', '/organizations', { name: 'North' })).id;
  const inNorth = await createTask(a, 'In the north', north);
  const elsewhere = await createTask(a, 'Elsewhere', own);
  await a.ask('POST', `/news/${inNorth}/comments`, { comment: 'Before the link' });
  await a.ask('POST', '/cars', { name: 'Van 1', glonassId: 1, organizationId: north });
  await a.ask('POST', '/cars', { name: 'Van 2', glonassId: 2, organizationId: own });
  await pair(a, b, { from: { organizations: [north] } });
  await expect.poll(() => title(b, inNorth)).toBe('In the north');
  await areEqual([a, b]);
  expect(await title(b, elsewhere)).toBe('none');
  expect((await b.ask<Named[]>('GET', '/cars')).map(({ name }) => name)).toEqual(['Van 1']);
  expect(JSON.stringify(await b.ask('GET', `/news/${inNorth}/comments`))).toContain('Before the link');

  // It comes into the scope with its comments, which are older than what the other station has read.
  await a.ask('POST', `/news/${elsewhere}/comments`, { comment: 'Older' });
  await areEqual([a, b]);
  await a.ask('POST', `/news/${elsewhere}/update`, { assigned_organization_id: north });
  await expect.poll(() => title(b, elsewhere)).toBe('Elsewhere');
  await expect.poll(async () => JSON.stringify(await b.ask('GET', `/news/${elsewhere}/comments`))).toContain('Older');
  await areEqual([a, b]);

  // An edit that is made there goes out before the task vanishes; it is deleted nowhere.
  await b.ask('POST', `/news/${elsewhere}/update`, { text: 'Seen from the north' });
  await a.ask('POST', `/news/${elsewhere}/update`, { assigned_organization_id: own });
  await expect.poll(() => title(b, elsewhere)).toBe('none');
  await areEqual([a, b]);
  expect(await title(a, elsewhere)).toBe('Elsewhere');
  expect(JSON.stringify(await a.ask('GET', `/news/${elsewhere}`))).toContain('Seen from the north');

  // What B makes for an organization outside of the limits stays there.
  const theirs = (await b.ask<Named[]>('GET', '/organizations')).find(
    ({ id }) => Math.floor(id / 10_000_000) === 2,
  )!.id;
  const local = await createTask(b, 'Only here', theirs);
  const shared = await createTask(b, 'For the north', north);
  await expect.poll(() => title(a, shared)).toBe('For the north');
  await areEqual([a, b]);
  expect(await title(a, local)).toBe('none');
});

test('[sync 75] over a link that is read-only nothing comes in, until it no longer is', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const own = (await b.ask<Named[]>('GET', '/organizations'))[0]!.id;
  await pair(a, b, { from: { readOnly: true } });
  const [link] = await a.links();
  const fromA = await createTask(a, 'From A', (await a.ask<Named[]>('GET', '/organizations'))[0]!.id);
  const fromB = await createTask(b, 'From B', own);
  await expect.poll(() => title(b, fromA)).toBe('From A');
  expect(await title(a, fromB)).toBe('none');
  await a.ask('PUT', `/links/${link!.id}`, { readOnly: false });
  await expect.poll(() => title(a, fromB)).toBe('From B');
  await areEqual([a, b]);
});

import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { areEqual, pair, startStations, type TestStation } from '../harness/linked.ts';

/** Units of one task at two stations, over a real link (rules U1 to U6 of server/dispatch/tasks). */
interface Unit {
  readonly carId: number;
  readonly lead: boolean;
  readonly status: { readonly digit: number };
  readonly sentAt: number;
  readonly onSceneAt: number | null;
  readonly clearAt: number | null;
}
interface Detail {
  readonly assigned_status: string;
  readonly assigned_car_id: string | null;
  readonly units: readonly Unit[];
}

const DONE = '4';

const detail = async (station: TestStation, id: number) =>
  (await station.ask<{ news_data: Detail }>('GET', `/news/${id}`)).news_data;
const active = ({ units }: Detail) => units.filter(({ clearAt }) => clearAt === null);
const send = (station: TestStation, id: number, ...carIds: number[]) =>
  station.ask('POST', `/news/${id}/units`, { carIds });
const release = (station: TestStation, id: number, carId: number) =>
  station.ask('DELETE', `/news/${id}/units/${carId}`);
const report = (station: TestStation, carId: number, status: number) =>
  station.ask('PUT', `/cars/${carId}/status`, { status });

async function town() {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const cars: number[] = [];
  for (const name of ['Engine 1', 'Engine 2', 'Ladder 1'])
    cars.push((await a.ask<{ id: number }>('POST', '/cars', { name })).id);
  const { newstype } = await a.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const values = { title: 'Fire', news_type_id: Number(newstype[0]!.news_type_id) };
  const { newsId } = await a.ask<{ newsId: number }>('POST', '/news/', { values });
  const cable = await pair(a, b);
  await areEqual([a, b]);
  /** Both read the same, and nothing contradicts: who leads is on it, no vehicle is on it twice. */
  const agreed = async (): Promise<Detail> => {
    await areEqual([a, b]);
    // A rule may still write after the first time that both were equal.
    const both = async () => [await detail(a, newsId), await detail(b, newsId)] as const;
    await expect.poll(async () => both().then(([mine, theirs]) => isDeepStrictEqual(mine, theirs))).toBe(true);
    const [mine, theirs] = await both();
    expect(theirs).toEqual(mine);
    const on = active(mine).map(({ carId }) => carId);
    expect(new Set(on).size).toBe(on.length);
    if (on.length > 0) expect(on).toContain(Number(mine.assigned_car_id));
    else if (mine.assigned_status !== DONE) expect(mine.assigned_car_id).toBeNull();
    return mine;
  };
  return { a, b, cable, newsId, cars: cars as [number, number, number], agreed };
}

test('units that one station sends arrive and clear singly at the other, with the same times', async () => {
  const { a, b, newsId, cars, agreed } = await town();
  const [engine, second] = cars;
  await send(a, newsId, engine, second);
  expect(active(await agreed())).toMatchObject([
    { carId: engine, lead: true, status: { digit: 3 } },
    { carId: second, lead: false },
  ]);
  await report(b, second, 4);
  const there = (await agreed()).units.find(({ carId }) => carId === second)!;
  expect(there.onSceneAt).toBeGreaterThanOrEqual(there.sentAt);
  await report(a, second, 1);
  const cleared = await agreed();
  expect(active(cleared).map(({ carId }) => carId)).toEqual([engine]);
  expect(cleared.units.find(({ carId }) => carId === second)!.onSceneAt).toBe(there.onSceneAt);
});

test('what both stations sent while apart is on the task once each; and can be released', async () => {
  const { a, b, cable, newsId, cars, agreed } = await town();
  const [engine, second, ladder] = cars;
  cable.cut();
  await send(a, newsId, engine, ladder);
  await send(b, newsId, engine, second);
  cable.join();
  const merged = await agreed();
  expect(
    active(merged)
      .map(({ carId }) => carId)
      .sort((one, other) => one - other),
  ).toEqual([engine, second, ladder].sort((one, other) => one - other));
  await release(b, newsId, engine);
  const after = await agreed();
  expect(active(after).map(({ carId }) => carId)).not.toContain(engine);
});

test('one station releases the lead while the other reports it there: it is released, and another one leads', async () => {
  const { a, b, cable, newsId, cars, agreed } = await town();
  const [engine, second] = cars;
  await send(a, newsId, engine, second);
  await agreed();
  cable.cut();
  await report(b, engine, 4);
  await release(a, newsId, engine);
  cable.join();
  const after = await agreed();
  expect(active(after)).toMatchObject([{ carId: second, lead: true }]);
});

test('one station closes the task while the other sends to it: closed, it has nobody; open again, it agrees', async () => {
  const { a, b, cable, newsId, cars, agreed } = await town();
  const [engine, second] = cars;
  await send(a, newsId, engine);
  await agreed();
  cable.cut();
  await send(b, newsId, second);
  await a.ask('POST', `/news/${newsId}/update`, { assigned_status: 4 });
  cable.join();
  const closed = await agreed();
  expect(closed.assigned_status).toBe(DONE);
  expect(active(closed)).toEqual([]);
  await b.ask('POST', `/news/${newsId}/update`, { assigned_status: 2 });
  await agreed();
});

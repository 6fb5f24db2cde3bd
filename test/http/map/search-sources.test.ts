import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** Tasks in the answers of `/geocoding`, on a station without a territory. */
let at: TryStation;
let admin: string;
beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
});
afterAll(() => at.stop());

async function task(
  title: string,
  more: { address?: string; day?: string; point?: readonly number[] | undefined; as?: string } = {},
): Promise<number> {
  const { address, day = '10.06.2026', as = admin } = more;
  const point = 'point' in more ? more.point : [10.5, 45.25];
  const answered = await at.ask('POST', '/news/', {
    as,
    body: { values: { title, news_type_id: 1, news_date: day, ...(address === undefined ? {} : { address }) }, point },
  });
  expect(answered.status, answered.text).toBe(200);
  return answered.json().newsId;
}

async function found(query: string, as = admin, limit = 50): Promise<number[]> {
  const answered = await at.ask('GET', `/geocoding?query=${encodeURIComponent(query)}&limit=${limit}`, { as });
  expect(answered.status, answered.text).toBe(200);
  const groups: { groupName: string; items: { pkid: number }[] }[] = answered.json();
  return groups.find(({ groupName }) => groupName === 'Tasks')?.items.map(({ pkid }) => pkid) ?? [];
}

test('a task is found by its number, title or address, by every word, in either alphabet, the newest first', async () => {
  const pipe = await task('Прорыв трубы', { address: 'Minina 5', day: '11.06.2026' });
  const other = await task('Broken pipe', { address: 'Минина 17', day: '12.06.2026' });
  expect(await found('minina')).toEqual([other, pipe]);
  expect(await found('МИНИНА')).toEqual([other, pipe]);
  expect(await found('PIPE broken')).toEqual([other]);
  expect(await found('proryv 5')).toEqual([pipe]);
  expect(await found('minina 5')).toEqual([pipe]); // one digit tells houses apart
  expect(await found('pipe nowhere')).toEqual([]);
  expect(await found(`#${pipe}`)).toEqual([pipe]);
  expect(await found('p')).toEqual([]); // nobody means a single letter yet
});

test('an item says where the task is and what it is called', async () => {
  const id = await task('Flooded underpass', { point: [10.25, 45.5] });
  const groups = (await at.ask('GET', '/geocoding?query=underpass', { as: admin })).json();
  expect(groups).toEqual([
    {
      groupName: 'Tasks',
      items: [
        {
          pkid: id,
          label: `#${id} Flooded underpass`,
          formattedLabel: `#${id} Flooded underpass`,
          zoom: 16,
          point: { lon: 10.25, lat: 45.5 },
        },
      ],
    },
  ]);
});

test('tasks without a point, deleted, archived or invisible tasks are not found', async () => {
  const organizationId = (await at.ask('POST', '/organizations', { as: admin, body: { name: 'Elsewhere' } })).json().id;
  const stranger = await at.newUser('stranger', 'Dispatcher', { organizationId });
  const [seen, deleted, archived] = [await task('Lantern one'), await task('Lantern two'), await task('Lantern three')];
  await task('Lantern four', { point: undefined });
  await at.ask('POST', `/news/${deleted}/`, { as: admin, body: { action: 'delete' } });
  await at.ask('POST', `/news/${archived}/update`, { as: admin, body: { archive: true } });
  expect([await found('lantern'), await found('lantern', stranger.token)]).toEqual([[seen], []]);
  await at.ask('POST', `/news/${seen}/update`, { as: admin, body: { assigned_user_id: stranger.id } });
  expect(await found('lantern', stranger.token)).toEqual([seen]);
});

test('vehicles are found by call sign, plate and driver, by those who may see them', async () => {
  const organizationId = (await at.ok('POST', '/organizations', { as: admin, body: { name: 'Other yard' } })).id;
  const stranger = (await at.newUser('outsider', 'Dispatcher', { organizationId })).token;
  const driver = await at.ok('POST', '/drivers', { as: admin, body: { fio: 'Wolfgang Amsel' } });
  const van = await at.ok('POST', '/cars', {
    as: admin,
    body: { name: 'Kestrel', carNo: 'KA 123', glonassId: 61, driversIds: [driver.id] },
  });
  await at.ok('POST', '/cars', { as: admin, body: { name: 'Kestrel that was never heard of', glonassId: 62 } });
  await at.ok('POST', '/telemetry', {
    as: admin,
    body: { glonassId: 61, time: Date.now() - 1000, lat: 45, lon: 10, speed: 0 },
  });
  const vehicles = async (query: string, as = admin) =>
    (
      (await at.ok('GET', `/geocoding?query=${encodeURIComponent(query)}`, { as })) as {
        groupName: string;
        items: { pkid: number; point: object }[];
      }[]
    )
      .find(({ groupName }) => groupName === 'Vehicles')
      ?.items.map(({ pkid, point }) => [pkid, point]) ?? [];
  const there = [[van.id, { lon: 10, lat: 45 }]];
  expect(await Promise.all(['kestrel', 'ka 123', 'amsel'].map((query) => vehicles(query)))).toEqual([
    there,
    there,
    there,
  ]);
  expect([await vehicles('kestrel', stranger), await vehicles('k')]).toEqual([[], []]);
});

test('search words with special characters are matched literally', async () => {
  const id = await task('100% _sure_ "quoted" \\ back\'s 🚒 lift', { address: "O'Neill & Söhne; DROP TABLE messages" });
  for (const query of ['100%', '_sure_', '"quoted"', "o'neill", 'söhne;', '🚒 lift', '  lift   100%  ', `#${id}`])
    expect([query, await found(query)]).toEqual([query, [id]]);
  for (const query of ['%%', '__', '"" OR 1', 'x'.repeat(200), '\u202e\u200f', '*', 'NOT sure', '10[0-9]%'])
    expect([query, (await found(query)).includes(id)]).toEqual([query, false]);
});

test('a match behind many newer tasks is found, and the limit is kept', async () => {
  const old = [await task('Sinkhole', { day: '01.01.2020' }), await task('Sinkhole', { day: '02.01.2020' })];
  await Promise.all(Array.from({ length: 450 }, (_, i) => task(`Routine ${i}`)));
  expect([await found('sinkhole'), (await found('routine', admin, 30)).length]).toEqual([[old[1], old[0]], 30]);
});

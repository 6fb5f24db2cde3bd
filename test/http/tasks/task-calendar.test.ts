import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

const PYTHON = '/usr/bin/python3';
const HAS_ICALENDAR = spawnSync(PYTHON, ['-c', 'import icalendar']).status === 0;

let at: TryStation;
let as: string;
let typeId: number;
let key: string;
beforeAll(async () => {
  at = await tryStation();
  as = await at.signIn();
  typeId = await at.taskType(as);
  ({ token: key } = await at.ok('POST', '/auth/keys', { as, body: { name: 'calendar', scopes: ['read'] } }));
});
afterAll(() => at.stop());

const newTask = async (title: string, fields: object, more: object = {}): Promise<number> => {
  const values = { title, news_type_id: typeId, ...fields };
  return Number((await at.ok('POST', '/news/', { as, body: { action: 'put', values, ...more } })).newsId);
};
/** This hour of the day after so many days, in the clock of the station. */
function dayAhead(days: number): { begin: Date; fields: object } {
  const begin = new Date(new Date().setHours(9, 30, 0, 0));
  begin.setDate(begin.getDate() + days);
  const two = (number: number) => String(number).padStart(2, '0');
  const news_date = `${two(begin.getDate())}.${two(begin.getMonth() + 1)}.${begin.getFullYear()}`;
  return { begin, fields: { news_date, news_hour: 9, news_minute: 30 } };
}
const summaries = async (token: string) => {
  const { text } = await at.ask('GET', `/news.ics?token=${token}`);
  return [...text.matchAll(/^SUMMARY:(.*)\r$/gm)].map((found) => found[1]);
};

/** Reads a calendar with Debian's icalendar. */
const READ = `
import icalendar, json, sys
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
print(json.dumps([{
  'uid': str(event['UID']), 'summary': str(event['SUMMARY']), 'text': str(event.get('DESCRIPTION', '')),
  'start': event['DTSTART'].dt.isoformat(), 'address': str(event.get('LOCATION', '')),
  'place': [event['GEO'].latitude, event['GEO'].longitude],
} for event in calendar.walk('VEVENT')]))
`;

test.skipIf(!HAS_ICALENDAR)('another program reads the tasks that begin ahead, in their order', async () => {
  const [week, day] = [dayAhead(7), dayAhead(1)];
  const text = `Ramps; barriers, signs\\marks\nand ${'ещё вот это '.repeat(20)}`.trim();
  const parade = await newTask(
    'Parade, the whole town',
    { ...week.fields, text, address: 'Mill Lane 3, Newtown' },
    { point: [9.5, 47.1], pointZoom: 15 },
  );
  await newTask('Gritting', day.fields, { point: [9.4, 47.2], pointZoom: 15 });
  await newTask('Now', {});
  await newTask('Yesterday', dayAhead(-1).fields);
  const { status, text: calendar, type } = await at.ask('GET', `/news.ics?token=${key}`);
  expect([status, type]).toEqual([200, expect.stringContaining('text/calendar')]);
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', READ], { input: calendar });
  expect(String(stderr)).toBe('');
  const [first, second, ...rest] = JSON.parse(String(stdout));
  expect(rest).toEqual([]);
  expect(first.summary).toMatch(/^\d+ Gritting$/);
  expect(second).toEqual({
    uid: expect.stringMatching(new RegExp(`^task-${parade}@.+`)),
    ...{ summary: `${parade} Parade, the whole town`, text, address: 'Mill Lane 3, Newtown', place: [47.1, 9.5] },
    start: week.begin.toISOString().replace('.000Z', '+00:00'),
  });
});

test('it has what the owner of the key sees, while it is open, also when somebody was assigned', async () => {
  const { fields } = dayAhead(2);
  const id = await newTask('Inspection', fields);
  const car = await at.ok('POST', '/cars', { as, body: { name: 'Van', glonassId: 5 } });
  await at.ok('POST', `/news/${id}/update`, { as, body: { assigned_car_id: car.id } });
  expect(await summaries(key)).toContain(`${id} Inspection`);
  const roads = await at.ok('POST', '/organizations', { as, body: { name: 'Roads' } });
  const stranger = await at.newUser('olga', 'Dispatcher', { organizationId: roads.id });
  expect(await summaries(stranger.token)).not.toContain(`${id} Inspection`);
  await at.ok('POST', `/news/${id}/`, { as, body: { action: 'delete' } });
  expect(await summaries(key)).not.toContain(`${id} Inspection`);
  expect((await at.ask('GET', '/news.ics')).status).toBe(401);
});

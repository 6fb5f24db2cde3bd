import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

const PYTHON = '/usr/bin/python3';
const HAS_ICALENDAR = spawnSync(PYTHON, ['-c', 'import icalendar']).status === 0;
const READ = `
import icalendar, json, sys
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
print(json.dumps([{
  'summary': str(event['SUMMARY']), 'text': str(event.get('DESCRIPTION', '')),
  'start': event['DTSTART'].dt.isoformat(), 'ends': 'DTEND' in event,
} for event in calendar.walk('VEVENT')]))
`;

let at: TryStation;
let as: string;
beforeAll(async () => {
  at = await tryStation();
  as = await at.signIn();
});
afterAll(() => at.stop());

test.skipIf(!HAS_ICALENDAR)('another program reads the shifts: one that ended, one that runs', async () => {
  const { id } = await at.ok('POST', '/shifts', { as, body: { name: 'Night' } });
  await at.ok('POST', `/shifts/${id}/end`, { as, body: { handover: 'Pump 2 leaks; see #7' } });
  const day = await at.ok('POST', '/shifts', { as, body: { name: 'Day' } });
  const { token } = await at.ok('POST', '/auth/keys', { as, body: { name: 'calendar', scopes: ['read'] } });
  const { status, type, text } = await at.ask('GET', `/shifts.ics?token=${token}`);
  expect([status, type]).toEqual([200, expect.stringContaining('text/calendar')]);
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', READ], { input: text });
  expect(String(stderr)).toBe('');
  const start = new Date(Math.floor(day.begun.at / 1000) * 1000).toISOString().replace('.000Z', '+00:00');
  expect(JSON.parse(String(stdout))).toEqual([
    { summary: expect.stringMatching(/^Day, /), text: '', start, ends: false },
    { summary: expect.stringMatching(/^Night, /), text: 'Pump 2 leaks; see #7', start: expect.any(String), ends: true },
  ]);
});

test('an organization does not see the shifts of another one', async () => {
  const { id: organizationId } = await at.ok('POST', '/organizations', { as, body: { name: 'Depot' } });
  const { token } = await at.newUser('depot', 'Dispatcher', { organizationId });
  expect((await at.ask('GET', '/shifts.ics', { as: token })).text).not.toContain('BEGIN:VEVENT');
  expect((await at.ask('GET', '/shifts.ics')).status).toBe(401);
});

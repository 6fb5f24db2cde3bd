import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

const PYTHON = '/usr/bin/python3';
const HAS_ICALENDAR = spawnSync(PYTHON, ['-c', 'import icalendar']).status === 0;
const NOON = Date.UTC(2027, 5, 1, 12);
const REASON = `Works; pipes, cables\\wires\r\nsecond line: ${'снег и лёд '.repeat(20)}`.trim();
let at: TryStation;
let key: string;

beforeAll(async () => {
  at = await tryStation();
  const admin = await at.signIn();
  const point = { type: 'Point', coordinates: [9.5, 47.1] };
  const close = (name: string, fields: object) =>
    at.ok('POST', '/closures', { as: admin, body: { name, geometry: point, ...fields } });
  await close('Bridge, north', { reason: REASON, from: NOON, till: NOON + 3_600_000 });
  await close('Slow road', { from: NOON, factor: 0.5 });
  await close('Ever since', {});
  await close('Slow for ages', { from: NOON, till: Date.UTC(10_000, 0), factor: 0.5 });
  await close('In ages', { from: Date.UTC(10_000, 0) });
  const body = { name: 'calendar', scopes: ['read'], expiresAt: null };
  key = (await at.ok('POST', '/auth/keys', { as: admin, body })).token;
});
afterAll(() => at.stop());

/** Reads a calendar with Debian's icalendar. */
const READ = `
import icalendar, json, sys
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
print(json.dumps([{
  'uid': str(event['UID']), 'summary': str(event['SUMMARY']), 'reason': str(event.get('DESCRIPTION', '')),
  'start': event['DTSTART'].dt.isoformat(), 'end': event['DTEND'].dt.isoformat() if 'DTEND' in event else None,
  'place': [event['GEO'].latitude, event['GEO'].longitude],
} for event in calendar.walk('VEVENT')]))
`;

test.skipIf(!HAS_ICALENDAR)('another program reads the planned closures as they are', async () => {
  const { status, text, type } = await at.ask('GET', `/closures.ics?token=${key}`);
  expect([status, type]).toEqual([200, expect.stringContaining('text/calendar')]);
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', READ], { input: text });
  expect(String(stderr)).toBe('');
  expect(JSON.parse(String(stdout))).toEqual([
    {
      uid: expect.stringMatching(/^closure-\d+@.+/),
      summary: 'Bridge, north',
      reason: REASON.replace('\r\n', '\n'),
      start: '2027-06-01T12:00:00+00:00',
      end: '2027-06-01T13:00:00+00:00',
      place: [47.1, 9.5],
    },
    expect.objectContaining({ summary: 'Slow road', end: null }),
    expect.objectContaining({ summary: 'Slow for ages', end: null }),
  ]);
});

test('what lies beyond the year 9999 is left out: a calendar cannot name it', async () => {
  const { text } = await at.ask('GET', '/closures.ics', { as: key });
  expect(text).not.toContain('In ages');
  expect(text).toContain('Slow for ages');
  expect([...text.matchAll(/^DT\w+:(.*)\r$/gm)].map(([, time]) => time)).not.toContainEqual(
    expect.not.stringMatching(/^\d{8}T\d{6}Z$/),
  );
});

test('no line is longer than 75 octets, each ends with CRLF, and without a key there is none', async () => {
  const { text } = await at.ask('GET', '/closures.ics', { as: key });
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const lines = text.split('\r\n');
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  expect(lines.filter((line) => line.startsWith(' ')).length).toBeGreaterThan(3);
  expect((await at.ask('GET', '/closures.ics')).status).toBe(401);
});

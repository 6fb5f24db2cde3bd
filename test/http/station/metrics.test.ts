import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** Requests from here come from other machines. */
const PROXY = '127.0.0.2';

let at: TryStation;
let as: string;
beforeAll(async () => {
  at = await tryStation({ 'tlsPort': 0, 'http.trustedProxies': [PROXY], 'http.costPerMinute': 12 });
  as = await at.signIn();
});
afterAll(() => at?.stop());

async function metrics(): Promise<Map<string, number>> {
  const lines = (await at.ask('GET', '/metrics')).text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

test('metrics show tasks, vehicles, intake, disk and log as they are', async () => {
  const type: number = await at.taskType(as);
  await at.ok('POST', '/news/', { as, body: { action: 'put', values: { title: 'A tree fell', news_type_id: type } } });
  await at.ok('POST', '/cars', { as, body: { name: 'Van 1', glonassId: 77 } });
  await at.ok('POST', '/cars', { as, body: { name: 'Van 2', glonassId: 78 } });
  const record = { glonassId: 77, time: Date.now(), lat: 55, lon: 37 };
  for (const _ of [1, 2]) await at.ok('POST', '/telemetry', { as, body: record });
  const read = await eventually(async () => {
    const found = await metrics();
    expect(found.get('waypost_data_bytes{part="records"}')).toBeGreaterThan(0);
    return found;
  });
  expect(
    Object.fromEntries([...read].filter(([name]) => /^waypost_(tasks|vehicles|records|alarms)/.test(name))),
  ).toEqual({
    'waypost_tasks{status="new"}': 1,
    'waypost_tasks{status="assigned"}': 0,
    'waypost_tasks{status="feedback"}': 0,
    'waypost_tasks{status="done"}': 0,
    'waypost_alarms{state="unacknowledged"}': 0,
    'waypost_alarms{state="acknowledged"}': 0,
    'waypost_alarms{state="shelved"}': 0,
    'waypost_vehicles{age="10m"}': 1,
    'waypost_vehicles{age="1h"}': 0,
    'waypost_vehicles{age="1d"}': 0,
    'waypost_vehicles{age="older"}': 0,
    'waypost_vehicles{age="never"}': 1,
    'waypost_records_total{result="accepted"}': 1,
    'waypost_records_total{result="duplicate"}': 1,
    'waypost_records_total{result="conflict"}': 0,
  });
  expect(read.get('waypost_last_position_seconds')).toBeLessThan(120);
  expect(read.get('waypost_mail_waiting')).toBe(0);
  expect(read.get('waypost_log_entries_total{level="INFO"}')).toBeGreaterThan(0);
  expect(read.get('waypost_disk_free_bytes')).toBeGreaterThan(0);
  expect(read.get('waypost_disk_size_bytes')).toBeGreaterThanOrEqual(read.get('waypost_disk_free_bytes')!);
});

test('the dashboard and the alert rules name only metrics that exist', async () => {
  const text = (await at.ask('GET', '/metrics')).text;
  const known = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`] : [name!],
    ),
  );
  for (const file of ['alerts.yml', 'grafana-dashboard.json']) {
    const named =
      readFileSync(new URL(`../../../resources/monitoring/${file}`, import.meta.url), 'utf8').match(
        /\b(waypost|process)_[a-z_]+\b/g,
      ) ?? [];
    expect(named.length).toBeGreaterThan(5);
    expect(
      [...new Set(named)].filter((name) => !known.has(name)),
      file,
    ).toEqual([]);
  }
});

test('costly questions have a limit for each user and address, said in the form of the area; others go on', async () => {
  const askFrom = (client: string, path: string, token?: string) =>
    at.ask('GET', path, {
      as: token,
      from: PROXY,
      headers: { 'x-forwarded-for': client, 'x-forwarded-proto': 'https' },
    });
  const area = '/isochrone?loc=1,1&minutes=5';
  expect((await askFrom('203.0.113.1', area)).status).not.toBe(429);
  const refused = await askFrom('203.0.113.1', area);
  expect(refused.status).toBe(429);
  expect(refused.json()).toEqual({ status: 429, status_message: expect.stringMatching(/^Too many costly requests/) });
  expect(refused.headers.get('waypost-refusal')).toBe('request.tooMany');
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(1);
  expect(wait).toBeLessThanOrEqual(60);
  expect((await askFrom('203.0.113.2', area)).status).not.toBe(429);

  // A user is limited wherever they are, and not by what others of their address did.
  const [one, other] = await Promise.all([at.signIn(), at.newUser('seeker', 'Dispatcher')]);
  expect((await askFrom('203.0.113.1', '/cars.xlsx', one)).status).toBe(200);
  expect((await askFrom('203.0.113.3', '/cars.xlsx', one)).status).toBe(429);
  expect((await askFrom('203.0.113.3', '/cars.xlsx', other.token)).status).toBe(200);
  expect((await askFrom('203.0.113.3', '/cars', one)).status).toBe(200);
  // Programs on this machine are not limited.
  for (let n = 0; n < 3; n++) expect((await at.ask('GET', '/cars.xlsx', { as: one })).status).toBe(200);
});

test('the log is for administrators', async () => {
  const { token } = await at.newUser('operator', 'Dispatcher');
  for (const path of ['/log/app', '/log/app/count', '/log/app/loggers', '/log/app/threads', '/log/app/levels'])
    expect((await at.ask('GET', path, { as: token })).status, path).toBe(403);
  expect((await at.ask('GET', '/log/app', { as })).status).toBe(200);
});

test('an answer names its request as the log does', async () => {
  const [one, other] = await Promise.all([at.ask('GET', '/health'), at.ask('GET', '/health')]);
  expect(one.headers.get('x-request-id')).toMatch(/^[a-z0-9]{1,8}$/);
  expect(one.headers.get('x-request-id')).not.toBe(other.headers.get('x-request-id'));
});

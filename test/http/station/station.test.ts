import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, askAt, tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';

let pages: string;
let at: TryStation;
beforeAll(async () => {
  pages = mkdtempSync(join(tmpdir(), 'waypost-pages-'));
  mkdirSync(join(pages, 'assets'));
  writeFileSync(join(pages, 'index.html'), '<!doctype html><title>Console</title>');
  writeFileSync(join(pages, 'assets', 'index-abc123.js'), 'export {};');
  writeFileSync(join(pages, '.hidden'), 'hidden');
  at = await tryStation({ pages, routerPort: 0, adminPassword: null });
});
afterAll(async () => {
  await at.stop();
  rmSync(pages, { recursive: true });
});

test('/health answers without a token', async () => {
  expect((await at.ask('GET', '/health')).json()).toEqual({
    status: 'ok',
    newerVersion: null,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    station: { id: expect.any(String), name: 'Waypost' },
    fingerprint: null,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    territory: null,
    standby: null,
  });
});

/** As a page of `host` would ask from this machine. */
function askAs(
  host: string,
  method: string,
  path: string,
  body?: object,
  origin?: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${at.station.address}${path}`,
      { method, headers: { host, 'content-type': 'application/json', ...(origin ? { origin } : {}) } },
      (response) => {
        let text = '';
        response.on('data', (bytes) => (text += bytes));
        response.on('end', () => resolve({ status: response.statusCode!, text }));
      },
    );
    asked.on('error', reject);
    asked.end(body && JSON.stringify(body));
  });
}

/** What proxies on this machine add to a request of another one, whatever name it gives. */
const PASSED_ON: readonly Record<string, string>[] = [
  { 'x-forwarded-for': '203.0.113.7' },
  { 'x-forwarded-for': '127.0.0.1' },
  { forwarded: 'for=127.0.0.1;host=localhost' },
  { via: '1.1 proxy' },
];

test('a new station waits to be set up, from this machine and its own page only; once', async () => {
  const wanted = { organization: 'Night shift', login: 'boss', fio: 'The Boss', password: 'chosen well' };
  expect((await at.ask('GET', '/first-run')).json()).toEqual({ needed: true });
  // A page of another site can have its own name lead to 127.0.0.1, or post a form to us.
  expect((await askAs('evil.example', 'GET', '/first-run')).text).toBe('{"needed":false}');
  expect((await askAs('evil.example', 'POST', '/first-run', wanted)).status).toBe(403);
  expect(
    (await askAs(`127.0.0.1:${at.station.http.main.port}`, 'POST', '/first-run', wanted, 'https://evil.example'))
      .status,
  ).toBe(403);
  expect((await at.ask('POST', '/first-run', { body: { ...wanted, password: 'tiny' } })).status).toBe(400);
  expect((await at.ask('POST', '/first-run', { body: { ...wanted, login: ' ' } })).status).toBe(400);

  for (const headers of PASSED_ON) {
    expect((await at.ask('GET', '/first-run', { headers })).json()).toEqual({ needed: false });
    expect((await at.ask('POST', '/first-run', { headers, body: wanted })).status).toBe(403);
  }

  const answered = await at.ask('POST', '/first-run', { body: wanted });
  expect(answered.json()).toMatchObject({
    token: expect.any(String),
    user: {
      login: 'boss',
      fio: 'The Boss',
      organization: { name: 'Night shift' },
      right: { admin: true, wheel: true },
    },
  });
  expect(answered.headers.get('set-cookie')).toContain('HttpOnly');
  expect((await at.ask('GET', '/first-run')).json()).toEqual({ needed: false });
  expect((await at.ask('POST', '/first-run', { body: wanted })).status).toBe(403);
  expect((await at.ask('POST', '/auth/login', { body: ADMIN })).status).toBe(401);
  expect(await at.signIn('boss', 'chosen well')).toBeTruthy();
});

test('serves the console with a strict policy; names with a hash are kept forever, the page is asked for each time', async () => {
  const page = await at.ask('GET', '/');
  expect(page).toMatchObject({
    status: 200,
    type: 'text/html; charset=utf-8',
    text: expect.stringContaining('Console'),
  });
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(page.headers.get('cache-control')).toBe('no-cache');
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  expect((await at.ask('GET', '/', { headers: { 'if-none-match': page.headers.get('etag')! } })).status).toBe(304);
  const script = await at.ask('GET', '/assets/index-abc123.js');
  expect(script).toMatchObject({ status: 200, type: 'text/javascript; charset=utf-8' });
  expect(script.headers.get('cache-control')).toContain('immutable');
});

test('nothing beside the console can be read through it', async () => {
  writeFileSync(join(pages, '..', 'waypost-beside.txt'), 'beside');
  for (const path of [
    '/../waypost-beside.txt',
    '/..%2fwaypost-beside.txt',
    '/assets/..%2f..%2fwaypost-beside.txt',
    '/%2e%2e/waypost-beside.txt',
    '/.hidden',
    '/assets',
    '/..%5cwaypost-beside.txt',
    '/%00',
    '/%2fetc%2fpasswd',
    '//etc/passwd',
  ]) {
    const answered = await askAs('127.0.0.1', 'GET', path);
    expect(answered.status, path).toBe(404);
  }
  rmSync(join(pages, '..', 'waypost-beside.txt'));
});

test('the second port serves routing alone', async () => {
  const router = `http://127.0.0.1:${at.station.http.router!.port}`;
  expect(await askAt(router, 'GET', '/')).toMatchObject({
    status: 400,
    text: expect.stringContaining('close to position 0'),
  });
  expect((await askAt(router, 'GET', '/health')).status).toBe(400);
  expect((await askAt(router, 'GET', '/users')).status).toBe(400);
  expect((await askAt(router, 'GET', '/nearest?loc=1,1')).json()).toHaveProperty('status');
});

test('/metrics counts answers, for this machine and for administrators', async () => {
  await at.ask('GET', '/health');
  const metrics = await at.ask('GET', '/metrics');
  expect(metrics.type).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(metrics.text).toMatch(/^waypost_http_requests_total\{method="GET",path="\/health",status="200"\} \d+$/m);
  for (const line of metrics.text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^{}]+\})? -?[\d.e+]+)$/);
  expect((await askAs('elsewhere.example', 'GET', '/metrics')).status).toBe(401);
  for (const headers of PASSED_ON) expect((await at.ask('GET', '/metrics', { headers })).status).toBe(401);
  expect(
    (await at.ask('GET', '/metrics', { as: await at.signIn('boss', 'chosen well'), headers: PASSED_ON[0]! })).status,
  ).toBe(200);
});

test('the log is read newest first, filtered, and never holds a token', async () => {
  const as = await at.signIn('boss', 'chosen well');
  await at.ask('GET', `/users/current?token=${as}`);
  const entries: { id: string; level: string; logger: string; message: string }[] = (
    await at.ask('GET', '/log/app', { as })
  ).json();
  expect(entries[0]).toMatchObject({
    id: expect.stringMatching(/^\d+$/),
    time: expect.any(Number),
    caller: null,
    mdc: null,
  });
  expect(entries.map((entry) => Number(entry.id))).toEqual(
    entries.map((entry) => Number(entry.id)).toSorted((a, b) => b - a),
  );
  expect(JSON.stringify(entries)).not.toContain(as);
  expect((await at.ask('GET', '/log/app/levels', { as })).json()).toEqual([
    { id: 1, type: 'TRACE' },
    { id: 2, type: 'DEBUG' },
    { id: 3, type: 'INFO' },
    { id: 4, type: 'WARN' },
    { id: 5, type: 'ERROR' },
  ]);
  expect((await at.ask('GET', '/log/app/levels/count', { as })).text).toBe('5');
  const found = (
    await at.ask('GET', '/log/app?message=IS%20LISTENING&logger=station&thread=main&level=3', { as })
  ).json();
  expect(found).toHaveLength(1);
  expect((await at.ask('GET', '/log/app/count?message=is%20listening', { as })).json()).toBe(1);
  expect((await at.ask('GET', `/log/app?before=${found[0].id}`, { as })).json()).toEqual([]);
  // an empty filter is none
  expect((await at.ask('GET', '/log/app/count?message=&logger=&thread=&level=', { as })).json()).toBe(
    (await at.ask('GET', '/log/app/count', { as })).json(),
  );
  expect((await at.ask('GET', '/log/app?limit=1', { as })).json()).toHaveLength(1);
  expect((await at.ask('GET', '/log/app/loggers', { as })).json()).toContainEqual({ value: 'station' });
  expect((await at.ask('GET', '/log/app/threads', { as })).json()).toEqual([{ value: 'main' }]);
  expect((await at.ask('GET', '/log/app?level=9', { as })).status).toBe(400);
});

test('beyond this machine the station listens over TLS too, with a certificate of its own', async () => {
  await at.station.stop();
  const open = await tryStation({ data: at.directory, pages, host: '0.0.0.0' });
  const { main, secure } = open.station.http;
  expect(main.address).toBe(`http://0.0.0.0:${main.port}`);
  expect(open.station.address).toBe(`http://127.0.0.1:${main.port}`);
  expect((await open.ask('GET', '/metrics')).status).toBe(200);
  for (const headers of PASSED_ON) expect((await open.ask('GET', '/metrics', { headers })).status).toBe(401);
  const agent = new Agent({ connect: { ca: readFileSync(join(at.directory, 'tls', 'certificate.pem'), 'utf8') } });
  const answered = await fetch(`${secure!.addressHere}/auth/login`, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'boss', password: 'chosen well' }),
  });
  expect(answered.status).toBe(200);
  expect(answered.headers.get('set-cookie')).toContain('; Secure');
  // Browsers do not trust a certificate of our own making: HSTS would leave nobody a way in.
  expect(answered.headers.get('strict-transport-security')).toBeNull();
  await agent.close();
  await open.station.stop();
});

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { askAt, tryStation, type AskOptions, type TryStation } from '../try-station.ts';
import { freePort } from '../../support/free-ports.ts';

const NGINX = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx'].find((file) => existsSync(file));
/** The proxy that the station trusts asks from this address. */
const TRUSTED = '127.0.0.2';
/** Only the administrator starts nginx as a service does: with workers of another account. */
const isRoot = process.getuid?.() === 0;

describe.skipIf(!NGINX)('behind a real nginx', () => {
  let at: TryStation;
  let directory: string;
  let nginx: ChildProcess;
  /** Addresses of the proxies, by how they are set up. */
  let proxies: Record<'byDefault' | 'modern' | 'namedHost' | 'trusted', string>;

  beforeAll(async () => {
    at = await tryStation({ 'adminPassword': null, 'http.trustedProxies': [TRUSTED] });
    directory = mkdtempSync(join(tmpdir(), 'waypost-nginx-'));
    chmodSync(directory, 0o755);
    const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const server = (port: number, lines: string) =>
      `server { listen 127.0.0.1:${port}; location / { proxy_pass ${at.station.address}; ${lines} } }`;
    writeFileSync(
      join(directory, 'nginx.conf'),
      `daemon off; ${isRoot ? 'user www-data;' : ''} worker_processes 1; pid ${directory}/pid; error_log stderr;
      events {}
      http {
        access_log off; client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy;
        fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
        ${server(ports[0]!, '')}
        ${server(ports[1]!, 'proxy_http_version 1.1; proxy_set_header Connection "";')}
        ${server(ports[2]!, 'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;')}
        ${server(
          ports[3]!,
          `proxy_bind ${TRUSTED}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $http_x_try_client;
          proxy_set_header X-Forwarded-Proto $http_x_try_scheme;`,
        )}
      }`,
    );
    nginx = spawn(NGINX!, ['-p', directory, '-c', join(directory, 'nginx.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    nginx.stderr!.on('data', (bytes) => (said += bytes));
    const [byDefault, modern, namedHost, trusted] = ports.map((port) => `http://127.0.0.1:${port}`);
    proxies = { byDefault: byDefault!, modern: modern!, namedHost: namedHost!, trusted: trusted! };
    await eventually(async () => {
      if (nginx.exitCode !== null) throw new Error(`nginx ended: ${said}`);
      expect((await askAt(proxies.byDefault, 'GET', '/health')).status).toBe(200);
    });
  });
  afterAll(async () => {
    if (nginx && nginx.exitCode === null) {
      nginx.kill('SIGTERM');
      await once(nginx, 'exit');
    }
    await at?.stop();
    if (directory) rmSync(directory, { recursive: true, force: true });
  });

  const wanted = { organization: 'Strangers', login: 'stranger', fio: 'Stranger', password: 'chosen well' };
  const asLocal = () => ({ host: `127.0.0.1:${at.station.http.main.port}` });

  test.skipIf(!isRoot).each(['byDefault', 'modern', 'namedHost'] as const)(
    'set up %s, it opens neither the first-run page nor the metrics to other machines',
    async (proxy) => {
      const headers = proxy === 'namedHost' ? asLocal() : {};
      const ask = (method: string, path: string, body?: object) =>
        askAt(proxies[proxy], method, path, { headers, ...(body && { body }) });
      expect((await ask('GET', '/first-run')).json()).toEqual({ needed: false });
      expect((await ask('POST', '/first-run', wanted)).status).toBe(403);
      expect((await ask('GET', '/metrics')).status).toBe(401);
      // The same from this machine itself.
      expect((await at.ask('GET', '/first-run')).json()).toEqual({ needed: true });
      expect((await at.ask('GET', '/metrics')).status).toBe(200);
    },
  );

  test('named as trusted, it tells who asks, and whether over TLS; without TLS it carries no password', async () => {
    const { printedPassword: password } = at.station.accounts;
    const ask = (scheme: string, method: string, path: string, more: AskOptions = {}) =>
      askAt(proxies.trusted, method, path, {
        ...more,
        headers: { ...more.headers, 'x-try-client': '203.0.113.7', ...(scheme && { 'x-try-scheme': scheme }) },
      });
    const login = (scheme: string) => ask(scheme, 'POST', '/auth/login', { body: { login: 'admin', password } });
    const plain = await login('http');
    expect(plain.status).toBe(403);
    expect(plain.text).toMatch(/over TLS only: https:\/\/127\.0\.0\.1\.$/);
    const silent = await login('');
    expect(silent.status).toBe(403);
    expect(silent.text).toContain('X-Forwarded-Proto');
    const overTls = await login('https');
    expect(overTls.status).toBe(200);
    expect(overTls.headers.get('set-cookie')).toMatch(/^__Host-waypost_token=[^;]+; Path=\/; .*; Secure$/);
    const as: string = overTls.json().token;
    // Another port of this name, or a name below it, can plant this one in a browser.
    const withCookie = (cookie: string) => ask('https', 'GET', '/users/current', { headers: { cookie } });
    expect((await withCookie(`waypost_token=${as}`)).status).toBe(401);
    expect((await withCookie(`waypost_token=planted; __Host-waypost_token=${as}`)).status).toBe(200);
    expect((await ask('http', 'GET', '/users/current', { as })).status).toBe(403);
    expect((await ask('https', 'GET', '/users/current', { as })).status).toBe(200);
    expect((await ask('https', 'POST', '/territory', { as, body: { path: '/etc/passwd' } })).status).toBe(403);
    if (isRoot)
      expect((await askAt(proxies.modern, 'POST', '/territory', { as, body: { path: '/etc/passwd' } })).status).toBe(
        403,
      );
    expect((await ask('https', 'GET', '/metrics')).status).toBe(401);
    expect((await ask('http', 'GET', '/health')).status).toBe(200);
  });

  test('named as trusted, it cannot be locked out by one of its clients: failures count by their own address', async () => {
    const attempt = (client: string) =>
      askAt(proxies.trusted, 'POST', '/auth/login', {
        body: { login: `nobody-${client}`, password: 'wrong' },
        headers: { 'x-try-client': client, 'x-try-scheme': 'https' },
      });
    for (let n = 0; n < 10; n++) expect((await attempt('203.0.113.66')).status).toBe(401);
    expect((await attempt('203.0.113.66')).status).toBe(429);
    expect((await attempt('203.0.113.67')).status).toBe(401);
  });
});

import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { makeCertificate } from '../../../server/http/listener/make-certificate.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** A station with the settings that ASVS 5.0 asks for beyond the defaults. */
let at: TryStation;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-strict-'));
  const files = { certificate: join(directory, 'chain.pem'), key: join(directory, 'key.pem') };
  const { cert, key } = makeCertificate(['localhost', '127.0.0.1'], Date.now());
  writeFileSync(files.key, key);
  writeFileSync(files.certificate, cert);
  at = await tryStation({
    ...{ 'tlsPort': 0, 'tls.certificate': files.certificate, 'tls.key': files.key },
    ...{ 'tls.subdomains': true, 'http.tokenInQuery': false },
  });
});
afterAll(async () => {
  await at?.stop();
  rmSync(directory, { recursive: true });
});

test('with `tls.subdomains` browsers open names below the station’s over TLS alone, too', async () => {
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  const secure = await fetch(`${at.station.http.secure!.addressHere}/health`, { dispatcher: agent });
  expect(secure.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  expect((await at.ask('GET', '/health')).headers.get('strict-transport-security')).toBeNull();
  await agent.close();
});

test('with `http.tokenInQuery` false no path and no socket takes a token from the address', async () => {
  const token = await at.signIn();
  for (const path of ['/cars', '/health', '/replica/tasks']) {
    const refused = await at.ask('GET', `${path}?token=${token}`);
    expect([path, refused.status, refused.headers.get('waypost-refusal')]).toEqual([path, 403, 'request.tokenInQuery']);
  }
  expect((await at.ask('GET', '/cars', { as: token })).status).toBe(200);
  const address = `${at.station.address.replace('http', 'ws')}/ws`;
  const opened = (query: string, headers = {}) =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(address + query, { headers });
      socket.on('error', () => undefined);
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode!));
      socket.on('open', () => (socket.close(), resolve(101)));
    });
  expect(await opened(`?token=${token}`)).toBe(403);
  expect(await opened('', { authorization: `Bearer ${token}` })).toBe(101);
});

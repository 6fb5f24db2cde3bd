import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../../server/http/app/app.ts';
import { route, type DeclaredRoute } from '../../../server/http/app/route.ts';
import { StationProxy } from '../../../server/http/forward/station-proxy.ts';

const answer = z.object({ at: z.string() });
const params = z.object({ newsId: z.string() });
const common = { family: 'A', access: 'open', summary: 'test', answer } as const;
const run = () => ({ at: 'console server' });
const routes: DeclaredRoute[] = [
  route({ ...common, method: 'GET', path: '/news/:newsId', params, run }),
  route({ ...common, method: 'POST', path: '/news/:newsId/acknowledge', params, run }),
  route({ ...common, method: 'POST', path: '/news/', run }),
  route({ ...common, method: 'POST', path: '/auth/login', run }),
];

async function listening(handler: RequestListener): Promise<{ server: Server; address: string }> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function consoleServer(stations: readonly string[]) {
  const proxy = new StationProxy({ stations, authority: undefined });
  const app = createApp({
    routes,
    authenticate: () => undefined,
    reportBug: (_id, error) => expect.unreachable(String(error)),
    passOn: (asked, request, response) => proxy.pass(asked, request, response),
  });
  return { proxy, ...(await listening(app)) };
}

test('a change goes to the station that made the record, with its body and its sender; the answer comes back', async () => {
  const asked: (Pick<IncomingMessage, 'url' | 'headers'> & { at: number; bytes: number })[] = [];
  const station = (at: number) =>
    listening(async (request, response) => {
      asked.push({ at, url: request.url, headers: request.headers, bytes: (await buffer(request)).length });
      response.writeHead(202, { 'set-cookie': 'a=1', 'content-type': 'text/plain' }).end('taken');
    });
  const [one, two] = [await station(1), await station(2)];
  const { address } = await consoleServer([`1=${one.address}`, `2=${two.address}`]);
  const body = 'x'.repeat(3_000_000);
  const headers = { 'forwarded': 'for=6.6.6.6', 'x-forwarded-for': '6.6.6.6', 'authorization': 'Bearer t' };
  const response = await fetch(`${address}/news/20000001/acknowledge?a=b`, { method: 'POST', body, headers });
  expect([response.status, response.headers.get('set-cookie'), await response.text()]).toEqual([202, 'a=1', 'taken']);
  await fetch(`${address}/news/`, { method: 'POST' });
  await fetch(`${address}/news/70000001/acknowledge`, { method: 'POST' });
  expect(asked.map(({ at, url, bytes }) => [at, url, bytes])).toEqual([
    [2, '/news/20000001/acknowledge?a=b', body.length],
    [1, '/news/', 0],
    [1, '/news/70000001/acknowledge', 0],
  ]);
  expect(asked[0]!.headers).toMatchObject({
    'authorization': 'Bearer t',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': new URL(address).host,
    'host': new URL(address).host,
  });
  expect(asked[0]!.headers['forwarded']).toBeUndefined();
  expect(await (await fetch(`${address}/news/20000001`)).json()).toMatchObject({ at: 'console server' });
});

test('a station that is down is named, and nothing was changed; it counts as back with its next answer', async () => {
  const { server, address: target } = await listening((_request, response) => void response.end('{}'));
  const { port } = server.address() as AddressInfo;
  server.close();
  const { address, proxy } = await consoleServer([`1=${target}`]);
  const ask = () => fetch(`${address}/news/10000001/acknowledge`, { method: 'POST', body: 'text' });
  const refused = await ask();
  expect([refused.status, refused.headers.get('waypost-refusal')]).toEqual([503, 'consoles.away']);
  expect(await refused.text()).toContain('Station 1 does not answer');
  expect(proxy.problems()).toMatchObject([{ code: 'consoles.station', text: expect.stringContaining('ECONNREFUSED') }]);
  const again = createServer((_request, response) => void response.end('{}')).listen(port, '127.0.0.1');
  onTestFinished(() => void again.close());
  await once(again, 'listening');
  expect((await ask()).status).toBe(200);
  expect(proxy.problems()).toEqual([]);
});

test('a station that breaks off before its answer may have made the change; within the answer the line is cut', async () => {
  const { address: target } = await listening((request, response) => {
    if (request.url === '/news/') return void request.socket.destroy();
    response.writeHead(200, { 'content-length': '100' }).write('half');
    setImmediate(() => request.socket.destroy());
  });
  const { address } = await consoleServer([`1=${target}`]);
  const refused = await fetch(`${address}/news/`, { method: 'POST', body: 'text' });
  expect([refused.status, refused.headers.get('waypost-refusal')]).toEqual([503, 'consoles.broken']);
  await expect(
    fetch(`${address}/news/10000001/acknowledge`, { method: 'POST' }).then((response) => response.text()),
  ).rejects.toThrow();
});

test('who signs in while the first station is away does so at the next one, which gets the whole request', async () => {
  const { server, address: away } = await listening((_request, response) => void response.end('one'));
  server.close();
  const bodies: string[] = [];
  const { address: next } = await listening(async (request, response) => {
    bodies.push((await buffer(request)).toString());
    response.end('two');
  });
  const { address, proxy } = await consoleServer([`1=${away}`, `2=${next}`]);
  const post = (path: string, body: string) => fetch(`${address}${path}`, { method: 'POST', body });
  for (const body of ['{"login":"a"}', '']) {
    const signedIn = await post('/auth/login', body);
    expect([signedIn.status, await signedIn.text()]).toEqual([200, 'two']);
  }
  expect(bodies).toEqual(['{"login":"a"}', '']);
  expect(proxy.problems()).toHaveLength(1);
  expect((await post('/news/', 'x')).headers.get('waypost-refusal')).toBe('consoles.away');
  // A large body is not kept: it goes to the first station alone.
  expect((await post('/auth/login', 'x'.repeat(65_537))).headers.get('waypost-refusal')).toBe('consoles.away');
});

test('a sign-in whose station broke off is not repeated, and without any station it is refused', async () => {
  let asked = 0;
  const { server, address: breaks } = await listening((request) => void request.socket.destroy());
  const { address: next } = await listening((_request, response) => {
    asked++;
    response.end();
  });
  const both = await consoleServer([`1=${breaks}`, `2=${next}`]);
  const signIn = (address: string) => fetch(`${address}/auth/login`, { method: 'POST', body: '{}' });
  expect((await signIn(both.address)).headers.get('waypost-refusal')).toBe('consoles.broken');
  expect(asked).toBe(0);
  server.close();
  const none = await consoleServer([`1=${breaks}`, `2=${breaks}`]);
  expect((await signIn(none.address)).headers.get('waypost-refusal')).toBe('consoles.away');
});

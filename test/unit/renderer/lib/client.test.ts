import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError, Client } from '../../../../renderer/src/lib/api/client.ts';

const asked: string[] = [];
const server = createServer(({ method, url }, response) => {
  asked.push(`${method} ${url}`);
  if (url === '/auth/logout') return void response.end();
  if (url === '/half') return void response.writeHead(200, { 'content-type': 'application/json' }).write('[');
  if (url === '/events/types') return void response.writeHead(400).end('No such thing.');
  if (url === '/users/current') return void response.writeHead(401).end('Authorization is required');
  response.setHeader('content-type', 'application/json; charset=utf-8').end('[]');
});
let client: Client;
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a typed request fills its path and query, and gives the JSON of the answer or nothing', async () => {
  const query = { query: 'ёж 7', limit: 12 };
  expect(await client.request('get', '/geocoding', { params: { query } })).toEqual([]);
  expect(await client.request('get', '/news/{newsId}/history', { params: { path: { newsId: 168 } } })).toEqual([]);
  expect(await client.request('post', '/auth/logout')).toBeUndefined();
  expect(asked).toEqual(['GET /geocoding?query=%D1%91%D0%B6+7&limit=12', 'GET /news/168/history', 'POST /auth/logout']);
});

test('a refusal is an ApiError with the station’s words; 401 is also told to the session', async () => {
  let ended = 0;
  client.onUnauthorized = () => ended++;
  await expect(client.request('get', '/events/types')).rejects.toEqual(new ApiError(400, 'No such thing.'));
  expect(ended).toBe(0);
  await expect(client.request('get', '/users/current')).rejects.toMatchObject({ status: 401 });
  expect(ended).toBe(1);
});

test('an answer that is not whole in time is an ApiError that says so', async () => {
  await expect(client.ask('/half', { patience: 300 })).rejects.toMatchObject({
    name: 'ApiError',
    status: 0,
    isLate: true,
  });
  await expect(client.bytes('/half', { patience: 300 })).rejects.toMatchObject({ name: 'ApiError', isLate: true });
});

test('a station that cannot be reached is an ApiError of status 0; a cancelled request is not', async () => {
  const nowhere = new Client('http://127.0.0.1:1');
  await expect(nowhere.request('get', '/health')).rejects.toMatchObject({ status: 0, isLate: false });
  const cancelled = client.request('get', '/health', { signal: AbortSignal.abort() });
  await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
});

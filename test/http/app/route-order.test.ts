import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../../server/http/app/app.ts';
import { listen } from '../../../server/http/listener/listen.ts';
import type { HttpListener } from '../../../server/http/listener/listen.ts';
import { route } from '../../../server/http/app/route.ts';
import type { Method } from '../../../server/http/app/route.ts';
import { askAt } from '../try-station.ts';

/** Requests are routed by the first segment of their path, as if every route had been tried in turn. */
const says = (name: string, path: string, method: Method = 'GET') =>
  route({
    method,
    path,
    family: 'B',
    access: 'open',
    summary: name,
    query: z.object({ word: z.string().optional() }),
    answer: z.object({ name: z.string(), word: z.string().optional(), as: z.string() }),
    run: ({ query, request, response }) => {
      response.set('X-Name', name);
      return {
        name,
        word: query.word,
        as: `${request.method} ${request.path} ${request.originalUrl} ${request.get('host') === undefined ? 'no host' : 'host'}`,
      };
    },
  });
const routes = [
  says('special', '/things/special'),
  says('one', '/things/:id'),
  says('late', '/things/late'),
  says('first', '/twice'),
  says('second', '/twice'),
  says('posted', '/twice', 'POST'),
  says('any', '/any{/:part}'),
  says('any itself', '/any'),
  says('caught', '/:all/caught'),
  says('behind', '/behind/caught'),
  says('last', '/last'),
];
let http: HttpListener;
beforeAll(async () => {
  http = await listen(
    createApp({
      routes,
      authenticate: () => undefined,
      reportBug: (_id, error) => {
        throw error;
      },
    }),
    { host: '127.0.0.1', port: 0 },
  );
});
afterAll(() => http.stop());
const ask = (path: string, method = 'GET') => askAt(http.address, method, path);
const named = async (path: string, method?: string): Promise<unknown> => (await ask(path, method)).json().name;

test('the route that is declared first is taken, whether it has variable parts or not', async () => {
  expect(await named('/things/special')).toBe('special');
  expect(await named('/things/other')).toBe('one');
  expect(await named('/things/late')).toBe('one');
  expect(await named('/twice')).toBe('first');
  expect(await named('/twice', 'POST')).toBe('posted');
  expect(await named('/any')).toBe('any');
  expect(await named('/behind/caught')).toBe('caught');
});

test('an address that is written otherwise is the same one', async () => {
  for (const path of ['/things/special', '/things/special/', '/last', '/last/'])
    expect(await named(path), path).toBe(path.startsWith('/last') ? 'last' : 'special');
  expect((await ask('/Last')).status).toBe(404);
  expect((await ask('/last', 'HEAD')).headers.get('x-name')).toBe('last');
  expect((await ask('/last', 'DELETE')).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
});

test('a handler finds the same request and answer either way', async () => {
  for (const path of ['/last?word=a%20b', '/last/?word=a%20b']) {
    const { headers, ...answer } = await ask(path);
    expect(answer.json()).toEqual({ name: 'last', word: 'a b', as: `GET ${path.split('?')[0]} ${path} host` });
    expect(
      ['x-name', 'x-content-type-options', 'referrer-policy', 'cache-control'].map((name) => headers.get(name)),
    ).toEqual(['last', 'nosniff', 'no-referrer', 'no-store']);
  }
  expect((await ask('/last?word=a&word=b')).status).toBe(400);
});

import { request } from 'node:http';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../../server/http/app/app.ts';
import { bodyId, bodyInt, pathId, queryFlag, queryIds } from '../../../server/http/request/fields.ts';
import { listen } from '../../../server/http/listener/listen.ts';
import type { HttpListener } from '../../../server/http/listener/listen.ts';
import { JsonStream, route } from '../../../server/http/app/route.ts';
import { reasonOfHeaders, refusalHeaders } from '../../../shared/refusals/headers.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { eventually } from '../../support/eventually.ts';
import { askAt } from '../try-station.ts';
import type { AskOptions } from '../try-station.ts';

/**
 * The frame over a few routes of its own: what it promises holds for every route that is declared with it.
 */
const reported: { id: string; error: unknown }[] = [];
/** What the streaming routes answer with, and when. */
let answering: Promise<Readable> = Promise.resolve(Readable.from([]));
let asked = 0;
const stream = () => {
  asked++;
  return answering;
};
/** What SQLite really throws when a database has no room to grow. */
function fullDisk(): unknown {
  const sql = new DatabaseSync(':memory:');
  sql.exec('CREATE TABLE notes (text TEXT); PRAGMA max_page_count = 2');
  try {
    sql.prepare('INSERT INTO notes VALUES (?)').run('x'.repeat(10_000));
    return undefined;
  } catch (error) {
    return error;
  } finally {
    sql.close();
  }
}
const values = z.object({
  title: z.string().min(1).max(5),
  type: bodyId,
  size: bodyInt(0, 5).optional(),
  tags: z.array(z.string()).optional(),
});
const routes = [
  route({
    method: 'GET',
    path: '/a/:id',
    family: 'A',
    access: 'open',
    summary: 'A',
    params: z.object({ id: pathId }),
    query: z.object({ flag: queryFlag.optional(), ids: queryIds.optional() }),
    answer: z.object({ id: z.int(), ids: z.array(z.int()).optional() }),
    run: ({ params, query }) => ({ id: params.id, ids: query.ids }),
  }),
  route({
    method: 'POST',
    path: '/a/',
    family: 'A',
    access: 'open',
    summary: 'A',
    body: z.object({ action: z.literal('put'), values }),
    answer: z.object({ values: z.unknown() }),
    run: ({ body }) => body,
  }),
  route({
    method: 'POST',
    path: '/b',
    family: 'B',
    access: 'open',
    summary: 'B',
    body: z.object({ name: z.string() }),
    bodyLimit: 1000,
    answer: z.object({ name: z.string() }),
    run: ({ body }) => body,
  }),
  route({
    method: 'GET',
    path: '/b/:id',
    family: 'B',
    access: 'open',
    summary: 'B',
    params: z.object({ id: pathId }),
    answer: 'nothing',
    run: ({ params }) => {
      throw params.id === 1
        ? new Refusal('closures.mayNot')
        : params.id === 2
          ? new Refusal('fleet.sent', { name: 'Фургон 12', id: 7 })
          : params.id === 4
            ? fullDisk()
            : new TypeError('secret detail');
    },
  }),
  route({
    method: 'GET',
    path: '/c',
    family: 'C',
    access: 'open',
    summary: 'C',
    query: z.object({ loc: z.string() }),
    answer: z.object({ status: z.int() }),
    run: () => ({ status: 0 }),
  }),
  route({
    method: 'DELETE',
    path: '/nothing',
    family: 'B',
    access: 'open',
    summary: 'Nothing',
    answer: 'nothing',
    run: () => undefined,
  }),
  route({
    method: 'GET',
    path: '/count',
    family: 'B',
    access: 'open',
    summary: 'Text',
    answer: { type: 'text/plain' },
    run: () => '42',
  }),
  route({
    method: 'GET',
    path: '/file',
    family: 'B',
    access: 'open',
    summary: 'File',
    answer: { type: 'application/octet-stream' },
    run: stream,
  }),
  route({
    method: 'GET',
    path: '/long',
    family: 'B',
    access: 'open',
    summary: 'Long',
    answer: z.unknown(),
    run: async () => new JsonStream(await stream()),
  }),
  route({
    method: 'GET',
    path: '/secret',
    family: 'A',
    access: 'user',
    summary: 'Secret',
    answer: z.object({}),
    run: () => ({}),
  }),
];
let http: HttpListener;
beforeAll(async () => {
  http = await listen(
    createApp({ routes, authenticate: () => undefined, reportBug: (id, error) => reported.push({ id, error }) }),
    { host: '127.0.0.1', port: 0 },
  );
});
afterAll(() => http.stop());

const ask = (method: string, path: string, options?: AskOptions) => askAt(http.address, method, path, options);
const post = (path: string, body: unknown, type?: string) =>
  ask('POST', path, { body, ...(type ? { headers: { 'content-type': type } } : {}) });

test('area A answers in its envelope, and a 400 names the field in it', async () => {
  expect((await ask('GET', '/a/5?ids=1,2')).json()).toEqual({ res: 1, resText: '', id: 5, ids: [1, 2] });
  const wrong: [string, string][] = [
    ['/a/x', 'id must be a whole number.'],
    ['/a/-1', 'id must be a whole number.'],
    ['/a/2147483648', 'id must be a whole number.'],
    ['/a/5?flag=maybe', 'flag must be true or false.'],
    ['/a/5?ids=1,b', 'ids must be whole numbers separated by commas.'],
    ['/a/5?flag=t&flag=f', 'flag must be true or false.'],
  ];
  for (const [path, says] of wrong)
    expect(await ask('GET', path), path).toMatchObject({
      status: 400,
      type: 'application/json; charset=utf-8',
      text: JSON.stringify({ res: 0, resText: says }),
    });
});

test('a body is refused in a sentence, whatever is wrong with it', async () => {
  const wrong: [unknown, string][] = [
    [{}, 'action must be one of put.'],
    [{ action: 'put' }, 'values is missing.'],
    [{ action: 'put', values: 'x' }, 'values must be an object.'],
    [{ action: 'put', values: { title: '', type: 1 } }, 'values.title must not be empty.'],
    [{ action: 'put', values: { title: 'too long', type: 1 } }, 'values.title must have at most 5 characters.'],
    [{ action: 'put', values: { title: 'x', type: 'y' } }, 'values.type must be a whole number.'],
    [{ action: 'put', values: { title: 'x', type: null } }, 'values.type must be a whole number.'],
    [{ action: 'put', values: { title: 'x' } }, 'values.type is missing.'],
    [{ action: 'put', values: { title: 'x', type: 2 ** 53 } }, 'values.type must be at most 2147483647.'],
    [{ action: 'put', values: { title: 'x', type: -1 } }, 'values.type must be at least 0.'],
    [{ action: 'put', values: { title: 'x', type: 1.5 } }, 'values.type must be a whole number.'],
    ['{"action": "put", "values": {"title": "x", "type": 1e400}}', 'values.type must be a whole number.'],
    [
      { action: 'put', values: { title: 'x', type: 1, size: 2 ** 53 } },
      'values.size must be a whole number from 0 to 5.',
    ],
    [{ action: 'put', values: { title: 'x', type: 1, size: 1.5 } }, 'values.size must be a whole number from 0 to 5.'],
    [{ action: 'put', values: { title: 'x', type: 1, tags: ['a', 5] } }, 'values.tags.1 must be a text.'],
    [[], 'The request must be an object.'],
    ['null', 'The request must be an object.'],
  ];
  for (const [body, says] of wrong)
    expect((await post('/a/', body, 'application/json')).json(), JSON.stringify(body)).toEqual({
      res: 0,
      resText: says,
    });
  expect((await post('/a/', '{"a":', 'application/json')).json().resText).toBe('The body is not valid JSON.');
  expect((await post('/a/', `${'['.repeat(500)}${']'.repeat(500)}`, 'application/json')).json().resText).toBe(
    'The body is nested too deeply.',
  );
  expect((await post('/a/', '<a/>', 'application/xml')).status).toBe(400);
  expect((await post('/a/', '{}', 'application/json; charset=ebcdic')).json().resText).toBe(
    'The character set of the body is not supported; send UTF-8.',
  );
});

test('a refusal carries its code and parameters for programs, and pages of any site may read those of area C', async () => {
  const told = async (method: string, path: string, body?: unknown) => {
    const { headers } = await ask(method, path, { ...(body !== undefined && { body }) });
    return reasonOfHeaders((name) => headers.get(name));
  };
  expect(await told('GET', '/a/5?flag=maybe')).toEqual({
    code: 'field.type',
    params: { field: 'flag', expected: 'true or false' },
  });
  expect(await told('POST', '/a/', { action: 'put', values: { title: '', type: 1 } })).toEqual({
    code: 'field.empty',
    params: { field: 'values.title' },
  });
  expect(await told('GET', '/b/1')).toEqual({ code: 'closures.mayNot', params: {} });
  expect(await told('GET', '/b/2')).toEqual({ code: 'fleet.sent', params: { name: 'Фургон 12', id: 7 } });
  expect(await told('GET', '/b/3')).toEqual({ code: 'request.bug', params: { id: reported.at(-1)!.id } });
  expect(await told('PUT', '/b/1')).toEqual({ code: 'request.method', params: { method: 'PUT', path: '/b/1' } });
  expect(await told('GET', '/nowhere')).toEqual({ code: 'request.nothingHere', params: { path: '/nowhere' } });
  expect(await told('GET', '/c')).toEqual({ code: 'field.missing', params: { field: 'loc' } });
  expect((await ask('GET', '/c')).headers.get('Access-Control-Expose-Headers')).toBe(
    'Waypost-Refusal, Waypost-Refusal-Params',
  );
});

test('parameters that are too long for a header are left out, and the sentence says them', async () => {
  const { headers, text } = await ask('GET', `/${'я'.repeat(900)}`);
  expect(headers.get('Waypost-Refusal')).toBe('request.nothingHere');
  expect(headers.get('Waypost-Refusal-Params')!.length).toBeLessThan(4_000);
  expect(text).toContain('There is nothing at');
  expect(refusalHeaders({ code: 'tasks.notDeleted', params: { title: 'я'.repeat(700) } })).toEqual({
    'Waypost-Refusal': 'tasks.notDeleted',
  });
});

test('area A accepts forms, other paths refuse them', async () => {
  const form = 'application/x-www-form-urlencoded';
  expect(
    (await post('/a', 'action=put&values[title]=ы&values%5Btype%5D=7&values[tags][]=a&values[tags][]=b', form)).json()
      .values,
  ).toEqual({ title: 'ы', type: 7, tags: ['a', 'b'] });
  expect((await post('/a', 'values[title]=x', form)).json()).toEqual({ res: 0, resText: 'action must be one of put.' });
  expect(await post('/b', 'name=x', form)).toMatchObject({
    status: 400,
    type: 'text/plain; charset=utf-8',
    text: 'The body must be JSON (application/json).',
  });
});

test('unknown extra fields are ignored, and the names that every object has do no harm', async () => {
  expect(
    (
      await post(
        '/b',
        '{"name":"x","more":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
        'application/json',
      )
    ).json(),
  ).toEqual({ name: 'x' });
  expect(
    (
      await post(
        '/a/',
        'action=put&values[title]=x&values[type]=1&__proto__[polluted]=1&constructor[prototype][polluted]=1',
        'application/x-www-form-urlencoded',
      )
    ).status,
  ).toBe(200);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('area B answers errors in plain text', async () => {
  expect(await post('/b', {})).toMatchObject({
    status: 400,
    type: 'text/plain; charset=utf-8',
    text: 'name is missing.',
  });
  expect(await ask('GET', '/b/x')).toMatchObject({ status: 400, text: 'id must be a whole number.' });
  expect(await ask('GET', '/b/1')).toMatchObject({
    status: 403,
    type: 'text/plain; charset=utf-8',
    text: 'You may not close roads: this needs the right to edit.',
  });
  expect(await ask('GET', '/b/2')).toMatchObject({
    status: 409,
    text: 'Фургон 12 was sent to 7 and has not arrived there. Release it there first.',
  });
  expect(await post('/b', { name: 'x'.repeat(2000) })).toMatchObject({ status: 413, text: 'The body is too large.' });
});

test('area C has its own status inside', async () => {
  expect((await ask('GET', '/c')).json()).toEqual({ status: 400, status_message: 'loc is missing.' });
  expect((await ask('GET', '/c')).headers.get('access-control-allow-origin')).toBe('*');
});

test('a bug is answered with a number to look it up by, and without its insides', async () => {
  const answered = await ask('GET', '/b/3');
  expect(answered).toMatchObject({ status: 500, type: 'text/plain; charset=utf-8' });
  expect(answered.text).not.toContain('secret detail');
  expect(answered.text).toContain(reported.at(-1)!.id);
  expect(reported.at(-1)!.error).toBeInstanceOf(TypeError);
});

test('a full disk is answered as such, and not reported as a bug', async () => {
  const before = reported.length;
  expect(await ask('GET', '/b/4')).toMatchObject({
    status: 507,
    type: 'text/plain; charset=utf-8',
    text: 'There is no room left on the disk of the station.',
  });
  expect(reported).toHaveLength(before);
});

test('an address that is not there answers 404, and a method that is not there 405 with those that are', async () => {
  expect(await ask('GET', '/nowhere')).toMatchObject({ status: 404, type: 'text/plain; charset=utf-8' });
  const put = await ask('PUT', '/a/5');
  expect(put).toMatchObject({ status: 405, type: 'text/plain; charset=utf-8' });
  expect(put.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  expect((await ask('OPTIONS', '/b')).headers.get('allow')).toBe('OPTIONS, POST');
  expect((await ask('GET', '/A/5')).status).toBe(404);
});

test('an address that is not percent-encoded rightly is a 400 in the manner of its neighbours', async () => {
  expect((await ask('GET', '/a/%zz')).json()).toEqual({
    res: 0,
    resText: 'The address is not correctly percent-encoded.',
  });
  expect(await ask('GET', '/b/%ff')).toMatchObject({ status: 400, type: 'text/plain; charset=utf-8' });
});

test('a slash at the end changes nothing, HEAD is GET without its body, and nothing is nothing', async () => {
  expect((await ask('GET', '/a/5/')).json().id).toBe(5);
  const head = await ask('HEAD', '/count');
  expect(head).toMatchObject({ status: 200, text: '', type: 'text/plain; charset=utf-8' });
  expect(head.headers.get('content-length')).toBe('2');
  expect(await ask('DELETE', '/nothing')).toMatchObject({ status: 200, text: '' });
});

test('without a token there is a 401 in plain text, before anything else is looked at', async () => {
  const answered = await ask('GET', '/secret');
  expect(answered).toMatchObject({ status: 401, type: 'text/plain; charset=utf-8' });
  expect(answered.headers.get('www-authenticate')).toBe('Bearer');
});

test('a connection that does not speak HTTP is answered and closed; the next one is served', async () => {
  const say = (text: string) =>
    new Promise<string>((resolve) => {
      let heard = '';
      const socket = connect(http.port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (bytes) => (heard += bytes));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(heard));
    });
  expect(await say('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  expect(await say(`GET /count HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
  expect(await say('GET /count HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 404 /,
  );
  expect(await say('CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n'), 'a station is no proxy').toMatch(
    /^HTTP\/1\.1 405 /,
  );
  expect((await ask('GET', '/count')).text).toBe('42');
});

test('an aborted body affects no other request', async () => {
  await new Promise<void>((resolve) => {
    const broken = request(`${http.address}/b`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '500' },
    });
    broken.on('error', () => resolve());
    broken.write('{"name":', () => broken.destroy());
  });
  expect((await ask('GET', '/count')).text).toBe('42');
});

test.each(['/file', '/long'])(
  '%s: what a client no longer waits for is cancelled, before the answer begins and in its middle',
  async (path) => {
    for (const begun of [false, true]) {
      const pieces = new Readable({ read() {} });
      if (begun) pieces.push('[1');
      const { promise, resolve } = Promise.withResolvers<Readable>();
      answering = promise;
      const before = asked;
      const client = request(http.address + path).on('error', () => undefined);
      client.end();
      if (begun) resolve(pieces);
      if (begun) await new Promise((heard) => client.on('response', (response) => response.once('data', heard)));
      else await eventually(() => expect(asked).toBe(before + 1));
      client.destroy();
      // The station hears of it in a turn of its own; the next answer shows that it has.
      await ask('GET', '/count');
      if (!begun) resolve(pieces);
      await eventually(() => expect(pieces.destroyed).toBe(true));
    }
  },
);

test.each(['/file', '/long'])(
  '%s: a stream that fails half-way is a bug that is reported, and its answer is cut',
  async (path) => {
    const known = reported.length;
    answering = Promise.resolve(
      Readable.from(
        (function* () {
          yield Buffer.from('[1');
          throw new TypeError('half-way');
        })(),
      ),
    );
    await expect(ask('GET', path)).rejects.toThrow();
    expect(reported.slice(known).map(({ error }) => (error as Error).message)).toEqual(['half-way']);
  },
);

import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { pathsOf } from '../../../server/http/app/openapi.ts';
import type { DeclaredRoute } from '../../../server/http/app/route.ts';
import { Chance, SEED } from '../../support/chance.ts';
import { tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';

/** Wrong requests over all routes there are. */
const REQUESTS = 3000;

let at: TryStation;
// with a territory, vehicles and messages, so that a request gets far
beforeAll(async () => {
  at = await tryStation({ 'demo': true, 'demoSpeed': 0, 'citizens.user': 'admin', 'citizens.types': [1, 2] });
});
afterAll(() => at.stop());

test(`${REQUESTS} wrong requests get no 5xx and hang nothing (WAYPOST_SEED=${SEED})`, async () => {
  const chance = new Chance(SEED);
  const token = at.station.accounts.grantControl();
  // A stream of changes does not end; its own test sends wrong requests.
  const left = ['/first-run', '/changes'];
  const routes = at.station.http.routes.filter(({ path }) => !left.includes(path));
  const requests = Array.from({ length: REQUESTS }, (_, index) =>
    wrongRequest(routes[index % routes.length]!, token, chance),
  );
  const queue = [...requests.entries()];
  const faults: string[] = [];
  const ask = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, { route, raw }] = next;
      const fault = faultOf(route, await send(raw), raw.subarray(0, 5).toString() === 'HEAD ');
      if (fault) faults.push(`${index}: ${fault}\n${JSON.stringify(raw.toString('latin1').slice(0, 600))}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, ask));
  expect(faults.slice(0, 3).join('\n\n')).toBe('');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  const { status, problems = [] } = (await at.ask('GET', '/health', { as: token })).json();
  // A request may have taken the sign-in from the user of citizens, or named servers that are not there.
  const made = ['citizens.user', 'mailbox.unreachable', 'warnings.silent'];
  expect(problems.filter(({ code }: { code: string }) => !made.includes(code))).toEqual([]);
  expect(status).toBe(problems.length > 0 ? 'degraded' : 'ok');
  const bugs = (await at.ask('GET', '/log/app?level=5', { as: token })).json();
  expect(bugs).toEqual([]);
}, 300_000);

interface Reply {
  status: number;
  type: string;
  body: string;
}

/** What is wrong with an answer; undefined when nothing is. */
function faultOf(route: DeclaredRoute, reply: Reply | 'hangs' | 'cut', head: boolean): string | undefined {
  const name = `${route.method} ${route.path}`;
  if (reply === 'hangs' || reply === 'cut') return `${name} ${reply}`;
  const { status, type, body } = reply;
  if (!(status >= 200 && status < 500)) return `${name} answers ${status} ${body}`;
  if (/\n\s+at |node_modules|\.ts:\d/.test(body)) return `${name} shows a stack: ${body}`;
  if (route.family === 'open311' && status >= 400) return faultOfOpen311(name, type, body, status, head);
  if (route.family === 'odata' && status >= 400) return faultOfOData(name, type, body, status, head);
  if (status === 401 || status === 403 || status === 404 || status === 405)
    return route.family !== 'C' && !type.startsWith('text/plain') ? `${name} answers ${status} as ${type}` : undefined;
  if (status !== 400 || head) return undefined;
  switch (route.family) {
    case 'A':
      return type.startsWith('application/json') && JSON.parse(body).res === 0 && JSON.parse(body).resText.length > 3
        ? undefined
        : `${name} answers 400 with ${type} ${body}`;
    case 'C': {
      const answer = JSON.parse(body) as { status?: number; code?: string };
      // The services under `/v1` answer as OSRM 5 does.
      const isOfOsrm = route.path.includes('/v1/') && /^[A-Z]\w+$/.test(answer.code ?? '');
      return isOfOsrm || answer.status === 400 ? undefined : `${name} answers 400 with ${body}`;
    }
    default:
      return type.startsWith('text/plain') && body.length > 3 ? undefined : `${name} answers 400 with ${type} ${body}`;
  }
}

/** GeoReport v2: every error is a list in JSON or XML. */
function faultOfOpen311(name: string, type: string, body: string, status: number, head: boolean): string | undefined {
  if (head) return undefined;
  const isXml = type.startsWith('text/xml') && body.includes(`<errors><error><code>${status}</code>`);
  const isJson = type.startsWith('application/json') && (JSON.parse(body) as { code: number }[])[0]?.code === status;
  return isXml || isJson ? undefined : `${name} answers ${status} with ${type} ${body}`;
}

/** OData: every error is an object with a code and a sentence. */
function faultOfOData(name: string, type: string, body: string, status: number, head: boolean): string | undefined {
  if (head) return undefined;
  const { error } = (type.startsWith('application/json') ? JSON.parse(body) : {}) as {
    error?: { code?: string; message?: string };
  };
  return error?.code && error.message ? undefined : `${name} answers ${status} with ${type} ${body}`;
}

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1',
  '2',
  '7',
  '007',
  '1.5',
  '1e3',
  '0x10',
  '9'.repeat(40),
  '2147483648',
  'NaN',
  'null',
  'true',
  'undefined',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '😀',
  'ы'.repeat(300),
  'a'.repeat(5000),
  '\u0000',
  'a\u0000b',
  '\u202e',
  '\ud800',
  '\r\nX: y',
  '../../etc/passwd',
  '..%2f',
  "' OR 1=1 --",
  '%',
  '<script>',
  '${1+1}',
  '(a+)+$',
  '(((((',
  '1,2,x',
  ',,,',
  '01.13.2026',
  '99.99.9999 25:61',
  '56.2,18.9',
  '56.21,18.92',
];
const VALUES: readonly unknown[] = [
  ...TEXTS,
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 53,
  1,
  2,
  [],
  {},
  [[]],
  [null],
  [1, 'a', {}],
  { a: 1 },
  { length: 1e9 },
  { toString: 1 },
  Array.from({ length: 500 }, (_, i) => i),
];

/**
 * A request that is wrong somewhere, in bytes. Now and then it is right by luck; then its answer only has to
 * be none of ours that failed.
 */
function wrongRequest(route: DeclaredRoute, token: string, chance: Chance): { route: DeclaredRoute; raw: Buffer } {
  const path = chance
    .of(pathsOf(route.path))
    .replace(/:\w+/g, () => (chance.maybe(0.6) ? chance.of(['1', '2', '150']) : encode(chance.of(TEXTS), chance)));
  const query: string[] = chance.maybe(0.05) ? [] : [`token=${token}`];
  for (const name of namesOf(route.query))
    if (chance.maybe(0.6)) query.push(`${name}=${encode(chance.of(TEXTS), chance)}`);
  if (chance.maybe(0.1))
    query.push(
      chance.of(['=', '&&&', 'a[b][c]=1', '__proto__[polluted]=1', '%', '%ff=%fe', 'x'.repeat(3000), 'token=1']),
    );
  const address = `${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const method = chance.maybe(0.05)
    ? chance.of(['PATCH', 'DELETE', 'PUT', 'POST', 'GET', 'HEAD', 'OPTIONS'])
    : route.method;
  const { type, bytes } = route.upload ? uploadOf(chance) : bodyOf(route, chance);
  const sends = method !== 'GET' && method !== 'HEAD';
  const headers = [
    `${method} ${address} HTTP/1.1`,
    `Host: 127.0.0.1:${at.station.http.main.port}`,
    'Connection: close',
  ];
  if (sends && type !== undefined) headers.push(`Content-Type: ${type}`);
  if (sends && chance.maybe(0.03)) headers.push(`Content-Encoding: ${chance.of(['gzip', 'br', 'zstd', 'nonsense'])}`);
  if (chance.maybe(0.05))
    headers.push(`Authorization: ${chance.of(['Bearer', 'Bearer x', 'Basic YTpi', `Bearer ${'x'.repeat(9000)}`])}`);
  if (chance.maybe(0.05)) headers.push(`Cookie: waypost_token=${chance.of(['', 'x', '%%%', token])}`);
  if (sends) headers.push(`Content-Length: ${bytes.length}`);
  return {
    route,
    raw: Buffer.concat([Buffer.from(`${headers.join('\r\n')}\r\n\r\n`, 'latin1'), sends ? bytes : Buffer.alloc(0)]),
  };
}

/**
 * Percent-encoded in most cases; else raw bytes as far as a request line can carry them, or half an encoding.
 */
function encode(text: string, chance: Chance): string {
  if (chance.maybe(0.03)) return chance.of(['%', '%zz', '%ff', '%c3%28', '%00', '%E0%80%80']);
  return (
    encodeURIComponent(text.toWellFormed())
      .slice(0, 2000)
      .replace(/%[^%]?$/, '') || (chance.maybe(0.5) ? '%20' : '-')
  );
}

function bodyOf(route: DeclaredRoute, chance: Chance): { type: string | undefined; bytes: Buffer } {
  const kind = chance.next();
  const json = JSON.stringify(bodyLike(route.body, chance, 0));
  if (kind < 0.62) return { type: 'application/json', bytes: Buffer.from(json) };
  if (kind < 0.7)
    return {
      type: 'application/json',
      bytes: Buffer.from(
        chance.of([
          '',
          '{',
          '{"a":',
          '[]',
          '5',
          '"text"',
          'null',
          '{"__proto__":{"polluted":1}}',
          '\ufeff{}',
          '{"a":1}}',
          '['.repeat(50_000),
          `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
        ]),
      ),
    };
  if (kind < 0.82)
    return {
      type: 'application/x-www-form-urlencoded',
      bytes: Buffer.from(
        chance.of([
          'action=put&values[title]=x',
          'values[title][0][1]=2',
          'values=1&values[title]=2',
          '__proto__[polluted]=1',
          'a[__proto__][polluted]=1',
          `a${'[b]'.repeat(500)}=1`,
          '%=%&%ff',
          'ids[]=1&ids[]=x',
          'a=1&'.repeat(6000),
          namesOf(route.body)
            .map((name) => `${name}=${chance.of(TEXTS.slice(0, 20))}`)
            .join('&'),
        ]),
      ),
    };
  if (kind < 0.9)
    return {
      type: chance.of([
        'text/plain',
        'application/xml',
        'application/json; charset=ebcdic',
        'application/json; charset=utf-16',
        'multipart/form-data',
        'multipart/form-data; boundary=x',
        'x',
        ';;;',
        'application/x-www-form-urlencoded; charset=x',
      ]),
      bytes: Buffer.from(json),
    };
  if (kind < 0.96)
    return { type: 'application/json', bytes: Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0xc3, 0x28, 0x80, 0x22]) };
  return { type: undefined, bytes: Buffer.from(json) };
}

function uploadOf(chance: Chance): { type: string; bytes: Buffer } {
  const part = chance.of([
    '--x\r\nContent-Disposition: form-data; name="file"; filename="../../a.png"\r\n\r\nabc\r\n--x--',
    '--x\r\n\r\n--x--',
    '--x',
    '',
    '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n\u0000\r\n--x--',
  ]);
  return {
    type: chance.of([
      'multipart/form-data; boundary=x',
      'multipart/form-data',
      'application/json',
      'multipart/form-data; boundary=',
    ]),
    bytes: Buffer.from(part),
  };
}

type Shape = {
  type?: string | string[];
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  const?: unknown;
  enum?: unknown[];
};

/**
 * A body with the right names in it, so that what is wrong gets past the first check: most values are right,
 * some are not.
 */
function bodyLike(schema: z.ZodType | undefined, chance: Chance, depth: number): unknown {
  return schema
    ? valueLike(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape, chance, depth)
    : chance.of(VALUES);
}

function valueLike(shape: Shape, chance: Chance, depth: number): unknown {
  if (chance.maybe(depth === 0 ? 0.05 : 0.3) || depth > 4) return chance.of(VALUES);
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return chance.of(shape.enum);
  if (shape.anyOf) return valueLike(chance.of(shape.anyOf), chance, depth + 1);
  if (shape.properties) {
    const entries = Object.entries(shape.properties).filter(() => chance.maybe(0.85));
    return {
      ...Object.fromEntries(entries.map(([name, part]) => [name, valueLike(part, chance, depth + 1)])),
      ...(chance.maybe(0.1) ? { constructor: 1, ['__proto__x']: 1 } : {}),
    };
  }
  if (shape.items)
    return Array.from({ length: Math.floor(chance.next() * 4) }, () => valueLike(shape.items!, chance, depth + 1));
  const type = [shape.type].flat()[0];
  if (type === 'integer' || type === 'number') return chance.of([0, 1, 2, 3, 7, 1000]);
  if (type === 'boolean') return chance.maybe(0.5);
  return type === 'string' ? chance.of(['text', 'ы', '1', ...TEXTS]) : chance.of(VALUES);
}

function namesOf(schema: z.ZodType | undefined): string[] {
  return schema
    ? Object.keys((z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape).properties ?? {})
    : [];
}

function send(raw: Buffer): Promise<Reply | 'hangs' | 'cut'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(at.station.http.main.port, '127.0.0.1', () => socket.write(raw));
    socket.setTimeout(60_000, () => {
      resolve('hangs');
      socket.destroy();
    });
    socket.on('data', (bytes) => chunks.push(bytes));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString();
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      if (status === undefined) return resolve('cut');
      const [head, ...rest] = text.split('\r\n\r\n');
      resolve({
        status: Number(status),
        type: /content-type: ([^\r]*)/i.exec(head!)?.[1] ?? '',
        body: rest.join('\r\n\r\n'),
      });
    });
  });
}

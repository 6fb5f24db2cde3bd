import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { networksOf } from '../../../server/platform/networks.ts';
import { InsideAddress, webDoor, type WebDoor } from '../../../server/platform/web/fetch-web.ts';
import { fetchDocument } from '../../../server/exchange/warnings/fetch-document.ts';

/** Addresses of this machine: the tests take the first for one outside, the second for one inside. */
const [PUBLIC, SECRET] = ['127.0.0.1', '127.0.0.2'] as const;

let stops: (() => unknown)[];
let port: number;
let askedSecret: string[];
/** Where the public server sends a browser; undefined: it answers. */
let moved: string | undefined;
beforeEach(async () => {
  stops = [];
  askedSecret = [];
  moved = undefined;
  const open = await serve(PUBLIC, 0, ({ url }, response) => {
    if (moved === undefined || url !== '/moved') return void response.setHeader('Connection', 'close').end('public');
    response.writeHead(302, { Location: moved }).end();
  });
  ({ port } = open);
  await serve(SECRET, port, ({ url }, response) => void (askedSecret.push(url!), response.end('secret')));
});
afterEach(async () => {
  for (const stop of stops) await stop();
});

async function serve(host: string, at: number, answer: RequestListener): Promise<AddressInfo> {
  const server = createServer(answer).listen(at, host);
  await once(server, 'listening');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return server.address() as AddressInfo;
}

/** A door over a name server that gives these answers in turn, and how often it was asked. */
function doorOver(answers: readonly (readonly string[])[]): { door: WebDoor; asked: string[] } {
  const asked: string[] = [];
  const door = webDoor({
    inside: networksOf([SECRET])!,
    resolve: (host, _options, done) => {
      const answer = answers[asked.push(host) - 1] ?? [];
      setImmediate(() =>
        done(
          null,
          answer.map((address) => ({ address, family: 4 })),
        ),
      );
    },
  });
  stops.push(() => door.close());
  return { door, asked };
}

const outside = { reach: 'outside', redirect: 'manual' } as const;
const causeOf = (asked: Promise<unknown>) => asked.then(String, (error: Error) => error.cause);

test('a name that changes its address between the check and the connection does not lead inside', async () => {
  const answers = Array.from({ length: 20 }, (_, index) => [index % 2 === 0 ? PUBLIC : SECRET]);
  const { door, asked } = doorOver(answers);
  for (const [address] of answers) {
    const answer = door.fetch(`http://rebinding.example:${port}/`, outside);
    if (address === PUBLIC) expect(await (await answer).text()).toBe('public');
    else expect(await causeOf(answer)).toBeInstanceOf(InsideAddress);
  }
  // One look-up for each connection: none comes after the check.
  expect(asked).toHaveLength(20);
  expect(askedSecret).toEqual([]);
});

test('a name with one address inside among others is refused, and so is one without any', async () => {
  const { door } = doorOver([[PUBLIC, SECRET], [SECRET, PUBLIC], []]);
  const url = `http://both.example:${port}/`;
  expect(await causeOf(door.fetch(url, outside))).toBeInstanceOf(InsideAddress);
  expect(await causeOf(door.fetch(url, outside))).toBeInstanceOf(InsideAddress);
  expect(await causeOf(door.fetch(url, outside))).toMatchObject({ code: 'ENOTFOUND' });
  expect(askedSecret).toEqual([]);
});

test('a redirect of a feed is a new address: it is resolved and checked again', async () => {
  const { door } = doorOver([[SECRET], [PUBLIC]]);
  const chosen = `http://${PUBLIC}:${port}/moved`;
  moved = `http://rebinding.example:${port}/`;
  const look = () =>
    fetchDocument({
      url: chosen,
      chosen,
      userAgent: 'Waypost',
      credentials: '',
      signal: new AbortController().signal,
      door: door.fetch,
    });
  await expect(look()).rejects.toThrow('The feed names an address inside the own network: rebinding.example.');
  expect(await look()).toMatchObject({ kind: 'read', bytes: Buffer.from('public') });
  await expect(look()).rejects.toThrow('The host rebinding.example is not known.');
  expect(askedSecret).toEqual([]);
});

test.each([
  ...['127.0.0.1', '0x7f.1', '2130706433', '10.1.2.3', '169.254.169.254', '192.168.1.1', '0.0.0.0', '224.0.0.1'],
  ...['[::1]', '[::]', '[::ffff:10.0.0.1]', '[fe80::1]', '[fd00::1]', 'localhost'],
])('%s is inside', async (host) => {
  const door = webDoor();
  stops.push(() => door.close());
  expect(await causeOf(door.fetch(`http://${host}:${port}/`, outside))).toBeInstanceOf(InsideAddress);
});

test('an address that an administrator chose may be inside', async () => {
  const { door } = doorOver([]);
  const answer = await door.fetch(`http://${SECRET}:${port}/own`, { reach: 'anywhere', redirect: 'manual' });
  expect(await answer.text()).toBe('secret');
});

test('every request to an address that somebody typed goes through the door', () => {
  const root = new URL('../../..', import.meta.url).pathname;
  // They ask a station: their own, or the one that the command line names. The provider has its own authority.
  const others = /^server\/(commands|demo|access\/identity)\/|fetch-web\.ts$/;
  const asking = globSync('server/**/*.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !others.test(path))
    .filter((path) => /(?<![.#\w])fetch\(['"`\w]+|https?\.(request|get)\(/.test(readFileSync(root + path, 'utf8')));
  expect(asking.filter((path) => !/^server\/replication\/sync\/replication\//.test(path))).toEqual([]);
});

import type { Request } from 'express';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../../server/http/app/app.ts';
import { readBodyBytes } from '../../../server/http/request/read-body-bytes.ts';
import { listen, type HttpListener } from '../../../server/http/listener/listen.ts';
import { route } from '../../../server/http/app/route.ts';

/** How bodies come: packed, in parts, too long, broken off. */
const LIMIT = 4 * 1024 * 1024;
const reported: unknown[] = [];
let http: HttpListener;
beforeAll(async () => {
  const body = z.object({ rows: z.array(z.string()) });
  const answer = z.object({ count: z.int(), last: z.string() });
  const routes = [
    route({
      method: 'POST',
      path: '/rows',
      family: 'B',
      access: 'open',
      summary: 'Rows',
      body,
      bodyLimit: LIMIT,
      answer,
      run: ({ body: { rows } }) => ({ count: rows.length, last: rows.at(-1) ?? '' }),
    }),
  ];
  http = await listen(
    createApp({ routes, authenticate: () => undefined, reportBug: (_id, error) => reported.push(error) }),
    { host: '127.0.0.1', port: 0 },
  );
});
afterAll(async () => {
  await http.stop();
  expect(reported).toEqual([]);
});

/** JSON of about so many bytes. */
const rowsOf = (bytes: number): Buffer => {
  const rows = Array.from({ length: Math.floor(bytes / 14) }, (_, i) => `row ${String(i).padStart(6, '0')}`);
  return Buffer.from(JSON.stringify({ rows }));
};

async function post(bytes: Uint8Array | AsyncIterable<Uint8Array>, headers: Record<string, string> = {}) {
  const response = await fetch(`${http.address}/rows`, {
    method: 'POST',
    body: bytes as Uint8Array,
    headers: { 'content-type': 'application/json', ...headers },
    duplex: 'half',
  });
  const text = await response.text();
  return { status: response.status, text };
}

const PACKED: [string, (bytes: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['X-GZip', gzipSync],
  ['deflate', deflateSync],
  ['br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ['zstd', zstdCompressSync],
];

test.each(PACKED)('a short or long body encoded with %s is decoded', async (coding, pack) => {
  for (const bytes of [40, 3_500_000]) {
    const json = rowsOf(bytes);
    const { rows } = JSON.parse(json.toString());
    const { status, text } = await post(pack(json), { 'content-encoding': coding });
    expect([status, JSON.parse(text)]).toEqual([200, { count: rows.length, last: rows.at(-1) }]);
  }
});

test('a body of unknown length is read whole, in whatever parts it comes', async () => {
  const json = rowsOf(3_500_000);
  async function* parts() {
    for (let at = 0, size = 1; at < json.length; at += size, size = (size * 7) % 100_003)
      yield json.subarray(at, at + size);
  }
  const { status, text } = await post(parts());
  expect([status, JSON.parse(text).count]).toEqual([200, JSON.parse(json.toString()).rows.length]);
});

test.each(PACKED)(
  'a body that %s unpacks to more than the limit is refused, however small it came; just the limit is taken',
  async (coding, pack) => {
    const padded = (bytes: number) => Buffer.concat([Buffer.from('{"rows":[]}'), Buffer.alloc(bytes - 11, ' ')]);
    expect(await post(pack(padded(LIMIT)), { 'content-encoding': coding })).toEqual({
      status: 200,
      text: '{"count":0,"last":""}',
    });
    expect(await post(pack(padded(LIMIT + 1)), { 'content-encoding': coding })).toEqual({
      status: 413,
      text: 'The body is too large.',
    });
    expect((await post(pack(Buffer.alloc(60_000_000)), { 'content-encoding': coding })).status).toBe(413);
  },
);

test('a body over the limit is refused, with or without a declared length', async () => {
  const json = Buffer.concat([rowsOf(100), Buffer.alloc(LIMIT, ' ')]);
  expect(await post(json)).toEqual({ status: 413, text: 'The body is too large.' });
  expect(
    await post(
      (async function* () {
        yield json;
      })(),
    ),
  ).toEqual({ status: 413, text: 'The body is too large.' });
});

test('a body with a wrong, truncated or unknown content coding is refused with a reason', async () => {
  const json = rowsOf(2000);
  for (const [coding, pack] of PACKED) {
    const packed = pack(json);
    for (const broken of [json, packed.subarray(0, packed.length - 12)]) {
      expect(await post(broken, { 'content-encoding': coding })).toEqual({
        status: 400,
        text: 'The body is not in the content coding that its header says.',
      });
    }
  }
  for (const coding of ['nonsense', 'gzip, gzip', 'constructor'])
    expect(await post(json, { 'content-encoding': coding })).toEqual({
      status: 400,
      text: 'The content coding of the body is not supported.',
    });
  for (const none of ['identity', '']) expect((await post(json, { 'content-encoding': none })).status).toBe(200);
});

test.each([
  ['plain', {}],
  ['packed', { 'content-encoding': 'gzip' }],
] as const)('reading a %s body that breaks off ends, too', async (_how, headers) => {
  const { promise: outcome, resolve } = Promise.withResolvers<unknown>();
  const server = createServer((incoming) => void readBodyBytes(incoming as Request, LIMIT).then(resolve, resolve));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const half = request({
    port: (server.address() as AddressInfo).port,
    method: 'POST',
    headers: { ...headers, 'content-length': 100_000 },
  });
  half.on('error', () => undefined).write(gzipSync(rowsOf(50_000)).subarray(0, 300), () => half.destroy());
  expect(await outcome).toMatchObject({ kind: 'invalid', message: 'The body broke off.' });
  await new Promise((closed) => server.close(closed));
  expect((await post(rowsOf(100))).status).toBe(200);
});

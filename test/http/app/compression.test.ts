import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

let at: TryStation;
let admin: string;
beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  for (let number = 0; number < 40; number++)
    await at.ok('POST', '/organizations', { as: admin, body: { name: `Organisation ${number}` } });
});
afterAll(() => at.stop());

const ELSEWHERE = { 'x-forwarded-for': '192.0.2.7' };

/** The answer as it is on the wire: a client that decompresses nothing by itself. */
function raw(path: string, headers: Record<string, string>, method = 'GET', body?: string) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>((resolve, reject) => {
    const asking = request(
      at.station.address + path,
      { method, headers: { authorization: `Bearer ${admin}`, ...headers } },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(parts) }),
        );
      },
    );
    asking.on('error', reject);
    asking.end(body);
  });
}

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('an answer over 1 kB goes to another machine in %s, and says the same', async (coding, decompress) => {
  const plain = await raw('/organizations', {});
  const packed = await raw('/organizations', { ...ELSEWHERE, 'accept-encoding': coding });
  expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, coding]);
  expect(packed.headers['vary']).toMatch(/accept-encoding/i);
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3);
  expect(JSON.parse(decompress(packed.bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()));
});

test('a description of the interface, which does not come as records, is compressed too', async () => {
  const { headers, bytes } = await raw('/openapi.json', { ...ELSEWHERE, 'accept-encoding': 'gzip, deflate, br' });
  expect(headers['content-encoding']).toBe('br');
  expect(JSON.parse(brotliDecompressSync(bytes).toString()).openapi).toBe('3.1.0');
});

test('no compression on this machine, without Accept-Encoding, for small answers and for answers with a token', async () => {
  const coding = async (path: string, headers: Record<string, string>, method?: string, body?: string) =>
    (await raw(path, headers, method, body)).headers['content-encoding'];
  expect(await coding('/organizations', { 'accept-encoding': 'br' })).toBe(undefined);
  expect(await coding('/organizations', ELSEWHERE)).toBe(undefined);
  expect(await coding('/organizations', { ...ELSEWHERE, 'accept-encoding': 'identity' })).toBe(undefined);
  expect(await coding('/health', { ...ELSEWHERE, 'accept-encoding': 'br' })).toBe(undefined);
  const key = JSON.stringify({ name: 'x'.repeat(100), scopes: ['read'] });
  expect(
    await coding(
      '/auth/keys',
      { ...ELSEWHERE, 'accept-encoding': 'br', 'content-type': 'application/json' },
      'POST',
      key,
    ),
  ).toBe(undefined);
  for (let number = 0; number < 12; number++)
    await at.ok('POST', '/auth/keys', {
      as: admin,
      body: { name: `key ${number} ${'x'.repeat(90)}`, scopes: ['read'] },
    });
  expect(await coding('/auth/keys', { ...ELSEWHERE, 'accept-encoding': 'br' })).toBe(undefined);
});

test('a part of an uploaded text is a part of its own bytes', async () => {
  const form = new FormData();
  form.append('file', new Blob(['all work and no play '.repeat(500)]), 'play.txt');
  const sent = await fetch(`${at.station.address}/fileload`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${admin}` },
  });
  const [uuid] = ((await sent.json()) as { data: string[] }).data;
  const part = await raw(`/fileload/${uuid}`, { ...ELSEWHERE, 'accept-encoding': 'br', 'range': 'bytes=4-7' });
  expect([part.status, part.headers['content-encoding'], part.bytes.toString()]).toEqual([206, undefined, 'work']);
});

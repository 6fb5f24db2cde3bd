import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetch, FormData } from 'undici';
import { tryStation } from './try-station.ts';
import type { TryStation } from './try-station.ts';

let at: TryStation;
let admin: string;
beforeAll(async () => {
  at = await tryStation({ uploadLimit: 1 });
  admin = await at.signIn();
});
afterAll(() => at.stop());

async function upload(bytes: Uint8Array | string, fileName: string, { name = '', as = admin } = {}): Promise<string> {
  const answered = await send(bytes, fileName, { name, as });
  expect(answered.status, answered.text).toBe(200);
  return answered.json().data[0];
}

async function send(bytes: Uint8Array | string, fileName: string, { name = '', as = admin, type = 'image/png' } = {}) {
  const form = new FormData();
  form.set('name', name);
  form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), fileName);
  const response = await fetch(`${at.station.address}/fileload?token=${as}`, { method: 'POST', body: form });
  const text = await response.text();
  return { status: response.status, text, json: () => JSON.parse(text) };
}

async function get(path: string, headers: Record<string, string> = {}, as = admin) {
  const response = await fetch(at.station.address + path, { headers: { authorization: `Bearer ${as}`, ...headers } });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

const picture = (width = 60, height = 40) => sharp({ create: { width, height, channels: 3, background: 'teal' } }).png().toBuffer();
/** Everything in the files' directory but what was scaled. */
const stored = () => readdirSync(join(at.directory, 'files'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && !entry.parentPath.endsWith('scaled')).map(({ name }) => name).sort();

test('an upload is given a name of its own and comes back byte for byte', async () => {
  const bytes = await picture();
  const uuid = await upload(bytes, 'crossing.png');
  expect(uuid).toMatch(/^[0-9a-f-]{36}\.png$/);
  const got = await get(`/fileload/${uuid}`);
  expect(got.status).toBe(200);
  expect(got.bytes.equals(bytes)).toBe(true);
  expect(got.headers.get('content-type')).toBe('image/png');
  expect(got.headers.get('x-content-type-options')).toBe('nosniff');
  expect(got.headers.get('content-security-policy')).toContain('sandbox');
});

test('a part of a file is sent when a part is asked for, and nothing when it is known', async () => {
  const uuid = await upload('0123456789', 'digits.txt');
  const part = await get(`/fileload/${uuid}`, { range: 'bytes=2-4' });
  expect([part.status, part.bytes.toString(), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
  expect((await get(`/fileload/${uuid}`, { range: 'bytes=-3' })).bytes.toString()).toBe('789');
  expect((await get(`/fileload/${uuid}`, { range: 'bytes=20-' })).status).toBe(416);
  const tag = part.headers.get('etag')!;
  expect((await get(`/fileload/${uuid}`, { 'if-none-match': tag })).status).toBe(304);
  expect((await get(`/fileload/${uuid}`, { range: 'bytes=2-4', 'if-range': '"other"' })).status).toBe(200);
});

test('a picture is fitted into the box, stretched when asked, and refused sizes are refused', async () => {
  const uuid = await upload(await picture(60, 40), 'p.png');
  const size = async (path: string) => { const { width, height } = await sharp((await get(path)).bytes).metadata(); return [width, height]; };
  expect(await size(`/fileload/${uuid}/30/30`)).toEqual([30, 20]);
  expect(await size(`/fileload/${uuid}/4000/4000`)).toEqual([60, 40]);
  expect(await size(`/fileload/${uuid}/10/50?fit=fill`)).toEqual([10, 50]);
  for (const box of ['0/10', '10/0', '4097/10', '10/4097', '-1/5', 'a/5']) {
    const answered = await get(`/fileload/${uuid}/${box}`);
    expect([answered.status, answered.bytes.toString()]).toEqual([400, expect.stringMatching(/(width|height) must be a whole number from 1 to 4096/)]);
  }
  expect((await get(`/fileload/${await upload('no picture', 'p.png')}/10/10`)).status).toBe(400);
});

test('a page, a script and a drawing with a script in it are never shown, whatever they are called', async () => {
  const active = ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', '<!DOCTYPE html><script>alert(1)</script>', '<?xml version="1.0"?><svg onload="alert(1)"/>'];
  for (const [index, text] of active.entries()) {
    const uuid = await upload(text, ['x.svg', 'x.html', 'x.png'][index]!);
    expect(uuid).not.toMatch(/\.(svg|html|xml)$/);
    const got = await get(`/fileload/${uuid}`);
    expect(got.headers.get('content-type')).toBe('application/octet-stream');
    expect(got.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect((await get(`/fileload/${uuid}/10/10`)).status).toBe(400);
  }
});

test('a polyglot is served as what it begins with, and nothing guesses further', async () => {
  const gif = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } }).gif().toBuffer();
  const uuid = await upload(Buffer.concat([gif, Buffer.from('<script>alert(1)</script>')]), 'both.html');
  expect(uuid).toMatch(/\.gif$/);
  const got = await get(`/fileload/${uuid}`);
  expect([got.headers.get('content-type'), got.headers.get('x-content-type-options')]).toEqual(['image/gif', 'nosniff']);
});

test('a file of no bytes is a file', async () => {
  const uuid = await upload('', 'empty.txt');
  const got = await get(`/fileload/${uuid}`);
  expect([got.status, got.bytes.length, got.headers.get('content-length')]).toEqual([200, 0, '0']);
  expect((await get(`/fileload/${uuid}/10/10`)).status).toBe(400);
});

test('a name with folders in it leads nowhere', async () => {
  const uuid = await upload('x', 'ignored', { name: '..\\..\\windows\\план "1".txt' });
  const disposition = (await get(`/fileload/${uuid}`)).headers.get('content-disposition')!;
  expect(decodeURIComponent(/filename\*=UTF-8''(\S+)/.exec(disposition)![1]!)).toBe('план _1_.txt');
  expect(disposition).not.toMatch(/\.\.|\\\\/);
  for (const path of ['..%2F..%2Fstation.db', '..%5Cstation.db', 'nul', '%00']) expect((await get(`/fileload/${path}`)).status).toBe(404);
});

test('a picture that unpacks to gigabytes is kept as bytes, and neither scaled nor attached as a photo', async () => {
  const uuid = await upload(pngOf(60_000, 60_000), 'bomb.png');
  expect((await get(`/fileload/${uuid}/10/10`)).status).toBe(400);
  const created = await at.ask('POST', '/news/', { as: admin, body: { action: 'put', values: { title: 'Bomb', news_type_id: 1 }, photos: [uuid] } });
  expect([created.status, created.json().resText]).toEqual([400, 'photos: “bomb.png” is a picture that cannot be opened.']);
});

test('a file over the limit is refused, and leaves nothing', async () => {
  const before = stored();
  const answered = await send(Buffer.alloc(1_000_001, 7), 'large.bin');
  expect([answered.status, answered.json().resText]).toEqual([413, 'The file is larger than 1 MB.']);
  expect(stored()).toEqual(before);
});

test('a connection that breaks off half-way leaves nothing', async () => {
  const before = stored();
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="half.bin"\r\n\r\n';
  for (const sent of [Buffer.from(`${head}${'a'.repeat(70_000)}`), Buffer.from(`${head}whole\r\n--x\r\nContent-Disposition: form-data; name="na`), Buffer.from(head)]) {
    await new Promise<void>((resolve) => {
      const socket = connect(at.station.http.main.port, '127.0.0.1', () => {
        socket.write(`POST /fileload?token=${admin} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 900000\r\n\r\n`);
        socket.write(sent, () => setTimeout(() => { socket.destroy(); resolve(); }, 30));
      });
    });
  }
  await expect.poll(stored).toEqual(before);
});

test.each([
  ['no boundary', 'multipart/form-data', 'x'],
  ['another type', 'application/json', '{}'],
  ['no file', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n--x--\r\n'],
  ['no end', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'],
  ['a second file that has no end', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nwhole\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="b"\r\n\r\nabc'],
  ['nothing', 'multipart/form-data; boundary=x', ''],
])('a form with %s is refused in words', async (_what, type, body) => {
  const before = stored();
  const answered = await at.ask('POST', '/fileload', { as: admin, body, headers: { 'content-type': type } });
  expect(answered.status).toBe(400);
  expect(answered.json()).toMatchObject({ res: 0 });
  await expect.poll(stored).toEqual(before);
});

test('uploads need a token, and are deleted by who made them or an administrator', async () => {
  expect((await at.ask('POST', '/fileload')).status).toBe(401);
  const uuid = await upload('mine', 'a.txt');
  expect((await at.ask('GET', `/fileload/${uuid}`)).status).toBe(401);
  expect((await at.ask('DELETE', `/fileload/${uuid}`)).status).toBe(401);
  const viewer = await at.newUser('looker', 'Viewer');
  expect((await at.ask('DELETE', `/fileload/${uuid}?token=${viewer.token}`)).status).toBe(403);
  const deleted = await at.ask('DELETE', `/fileload/${uuid}?token=${admin}`);
  expect([deleted.status, deleted.json()]).toEqual([200, { status: 'ok' }]);
  expect((await at.ask('DELETE', `/fileload/${uuid}?token=${admin}`)).status).toBe(404);
  expect(stored()).not.toContain(createHash('sha256').update('mine').digest('hex'));
});

test('what is attached to a message stays when its upload is deleted', async () => {
  const uuid = await upload(await picture(21, 21), 'kept.png');
  const { newsId } = (await at.ask('POST', '/news/', { as: admin, body: { action: 'put', values: { title: 'Kept', news_type_id: 1 }, photos: [uuid] } })).json();
  expect((await at.ask('DELETE', `/fileload/${uuid}`, { as: admin })).status).toBe(200);
  const [photo] = (await at.ask('GET', `/news/${newsId}/photos`, { as: admin })).json().photos;
  expect((await get(`/department_files/photos/${photo.file_name}`)).status).toBe(200);
});

/** A PNG that claims this size, with next to nothing in it. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(1000))), chunk('IEND', Buffer.alloc(0))]);
}

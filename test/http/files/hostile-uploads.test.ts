import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { crc32, deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { fetch } from 'undici';
import { pngOf } from '../png.ts';
import { tryStation, type TestResponse, type TryStation } from '../try-station.ts';

/**
 * Files that somebody sends to do harm. Each is refused or kept as bytes; after each, the station's folder of
 * files holds what was accepted and nothing else.
 */
let at: TryStation;
let admin: string;
/** SHA-256 of all that the station said it took. */
const accepted = new Set<string>();

beforeAll(async () => {
  at = await tryStation({ uploadLimit: 2 });
  admin = await at.signIn();
});
afterAll(() => at.stop());
afterEach(async () => {
  await expect.poll(() => filesIn('incoming')).toEqual([]);
  expect(filesIn('converting')).toEqual([]);
  for (const { folder, name } of everyFile()) {
    const known = folder === 'scaled' ? name.slice(0, 64) : name;
    expect([...accepted], `${folder}/${name}`).toContain(known);
    if (folder !== 'scaled') expect(folder).toBe(name.slice(0, 2));
  }
});

const everyFile = () =>
  readdirSync(join(at.directory, 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => ({ name, folder: parentPath.slice(join(at.directory, 'files').length + 1) }));
const filesIn = (wanted: string) =>
  everyFile()
    .filter(({ folder }) => folder === wanted)
    .map(({ name }) => name);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A form as it goes over the wire: the name is written as it is, whatever is in it. */
function formOf(bytes: Uint8Array, fileName: string, name?: string): Buffer {
  const part = name === undefined ? '' : `--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n${name}\r\n`;
  return Buffer.concat([
    Buffer.from(
      `${part}--x\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n--x--\r\n'),
  ]);
}

async function send(bytes: Uint8Array, fileName = 'x.png', name?: string): Promise<{ status: number; uuid: string }> {
  const response = await fetch(`${at.station.address}/fileload?token=${admin}`, {
    method: 'POST',
    body: formOf(bytes, fileName, name),
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  });
  const answered = (await response.json()) as { data?: string[] };
  if (response.status === 200) accepted.add(sha256(bytes));
  return { status: response.status, uuid: answered.data?.[0] ?? '' };
}

async function upload(bytes: Uint8Array | string, fileName?: string, name?: string): Promise<string> {
  const { status, uuid } = await send(Buffer.from(bytes), fileName, name);
  expect(status).toBe(200);
  expect(uuid).toMatch(/^[0-9a-f-]{36}\.[a-z0-9]{1,10}$/);
  return uuid;
}

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(at.station.address + path, {
    method,
    headers: { authorization: `Bearer ${admin}`, ...headers },
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

const attach = (body: object): Promise<TestResponse> =>
  at.ask('POST', '/news/', { as: admin, body: { values: { title: 'Hostile', news_type_id: 1 }, ...body } });
const tasks = async (): Promise<number> => (await at.ask('GET', '/news/count', { as: admin })).json().countNews;

/** An archive with one member, stored or deflated, by hand: no tool makes one that lies. */
function zipOf(name: string, content: Buffer, size = content.length): Buffer {
  const packed = deflateSync(content).subarray(2, -4);
  const local = Buffer.alloc(30);
  local.write('PK\x03\x04', 'latin1');
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(crc32(content), 14);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(size, 22);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.write('PK\x01\x02', 'latin1');
  local.copy(central, 6, 4, 30);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end]);
}

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script><image href="file:///etc/passwd" width="9" height="9"/></svg>';
const gif = () =>
  sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
    .gif()
    .toBuffer();

test.each<[string, () => Buffer | Promise<Buffer>, string]>([
  [
    'an archive that unpacks to a gigabyte',
    () => zipOf('word/document.xml', Buffer.alloc(40_000_000), 1_000_000_000),
    'report.docx',
  ],
  ['a drawing that is packed', () => gzipSync(SVG), 'drawing.svgz'],
  ['zeros that are packed a thousandfold', () => gzipSync(gzipSync(Buffer.alloc(50_000_000))), 'zeros.svg.gz'],
  ['a drawing with a script', () => Buffer.from(SVG), 'drawing.png'],
  ['a drawing behind a byte order mark', () => Buffer.from(`\ufeff \n${SVG}`), 'drawing.svg'],
  ['a drawing behind a comment', () => Buffer.from(`<!-- x -->${SVG}`), 'drawing.gif'],
  ['a page called picture', () => Buffer.from('<HTML><body onload=alert(1)>'), 'page.jpg'],
  [
    'a PDF that is an archive, too',
    () => Buffer.concat([Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\n'), zipOf('evil.js', Buffer.from('alert(1)'))]),
    'both.pdf',
  ],
  [
    'an archive that is a page, too',
    () => Buffer.concat([zipOf('a', Buffer.from('a')), Buffer.from('<script>alert(1)</script>')]),
    'both.html',
  ],
  ['a program', () => Buffer.concat([Buffer.from('MZ\x90\0'), Buffer.alloc(200)]), 'photo.jpg'],
  ['a playlist of other files', () => Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'), 'list.m3u8'],
])('%s is kept as bytes to be downloaded, never shown, scaled, or taken for a photo', async (_what, bytes, name) => {
  const sent = await bytes();
  const uuid = await upload(sent, name);
  expect(uuid).not.toMatch(/\.(svg|html?|xml|js)$/);
  const got = await get(`/fileload/${uuid}`);
  expect(got.bytes.equals(sent)).toBe(true);
  // A playlist is a text; what a browser would run or draw is not even shown as one.
  const shown =
    name === 'list.m3u8' ? ['text/plain; charset=utf-8', 'inline'] : ['application/octet-stream', 'attachment'];
  expect([got.headers.get('content-type'), got.headers.get('content-disposition')!.split(';')[0]]).toEqual(shown);
  expect(got.headers.get('x-content-type-options')).toBe('nosniff');
  expect(got.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
  expect((await get(`/fileload/${uuid}/10/10`)).status).toBe(400);
  const before = await tasks();
  for (const kind of ['photos', 'video', 'sounds']) expect((await attach({ [kind]: [uuid] })).status, kind).toBe(400);
  expect(await tasks()).toBe(before);
});

test('a picture that is a page, too, is that picture; its scaled form has nothing of the page', async () => {
  const uuid = await upload(
    Buffer.concat([await gif(), Buffer.from('/*<script>alert(1)</script>*/')]),
    'both.gif.html',
  );
  expect(uuid).toMatch(/\.gif$/);
  expect((await get(`/fileload/${uuid}`)).headers.get('content-type')).toBe('image/gif');
  const scaled = await get(`/fileload/${uuid}/2/2`);
  expect([scaled.status, scaled.headers.get('content-type'), scaled.bytes.includes('script')]).toEqual([
    200,
    'image/png',
    false,
  ]);
});

test('a picture of 100 megapixels is scaled, one of a row more is not opened', async () => {
  const [most, over] = [
    await upload(pngOf(10_000, 10_000), 'most.png'),
    await upload(pngOf(10_000, 10_001), 'over.png'),
  ];
  const scaled = await get(`/fileload/${most}/20/20`);
  expect([scaled.status, (await sharp(scaled.bytes).metadata()).width]).toEqual([200, 20]);
  expect((await get(`/fileload/${over}/20/20`)).status).toBe(400);
  expect((await attach({ photos: [over] })).status).toBe(400);
});

test('a picture whose head lies about its size is refused where its pixels are wanted, and leaves nothing half-made', async () => {
  for (const bytes of [pngOf(4_000, 4_000, 3), pngOf(0, 10), pngOf(2 ** 31, 1), pngOf(10, 10).subarray(0, 45)]) {
    const uuid = await upload(bytes, 'lies.png');
    expect((await get(`/fileload/${uuid}/10/10`)).status).toBe(400);
    expect(filesIn('scaled').filter((name) => name.startsWith(sha256(bytes)) || name.endsWith('.new'))).toEqual([]);
  }
  // More data than the head says: what the head says is what there is.
  const scaled = await get(`/fileload/${await upload(pngOf(8, 8, 5_000), 'more.png')}/10/10`);
  if (scaled.status === 200) expect(await sharp(scaled.bytes).metadata()).toMatchObject({ width: 8, height: 8 });
  else expect(scaled.status).toBe(400);
});

test.each([
  ['../../../../tmp/x.txt', 'x.txt'],
  ['..\\..\\windows\\system32\\x.txt', 'x.txt'],
  ['/etc/x.txt', 'x.txt'],
  ['C:\\x.txt', 'x.txt'],
  ['x.txt\0.png', 'x.txt.png'],
  ['nul', '_nul'],
  ['COM1.txt', '_COM1.txt'],
  ['lpt9.tar.gz', '_lpt9.tar.gz'],
  ['invoice\u202Etxt.exe', 'invoicetxt.exe'],
  [`${'ы'.repeat(300)}.txt`, `${'ы'.repeat(146)}.txt`],
  ['..', 'file'],
  ['a\r\nX-Evil: 1', 'aX-Evil_ 1'],
  ['%2e%2e%2fx', '%2e%2e%2fx'],
  ['<img src=x>.txt', '_img src=x_.txt'],
])('the name %j is no path and no header', async (given, shown) => {
  const before = everyFile().length;
  const uuid = await upload(`of ${given}`, 'plain.txt', given);
  expect(everyFile().length).toBe(before + 1);
  const got = await get(`/fileload/${uuid}`);
  expect([got.status, got.headers.get('x-evil')]).toEqual([200, null]);
  expect(decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(got.headers.get('content-disposition')!)![1]!)).toBe(shown);
  expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(600);
  const { newsId } = (await attach({ files: [uuid], files_name: [given] })).json();
  expect((await at.ask('GET', `/news/${newsId}/files`, { as: admin })).json().files).toMatchObject([
    { name: shown, file_name: expect.stringMatching(/^files_\d+_\d+_0\.[a-z0-9]+$/) },
  ]);
});

test('the same bytes sent many times at once are kept once, each upload for itself', async () => {
  const bytes = Buffer.alloc(700_000, 'same');
  const uuids = await Promise.all(Array.from({ length: 8 }, () => upload(bytes, 'same.txt')));
  expect(new Set(uuids).size).toBe(8);
  expect(everyFile().filter(({ name }) => name === sha256(bytes))).toHaveLength(1);
  // Seven go, and one that is just being sent breaks off: the last has its bytes still.
  const head = `POST /fileload?token=${admin} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 900000\r\n\r\n`;
  const half = new Promise<void>((resolve) => {
    const socket = connect(at.station.http.main.port, '127.0.0.1', () =>
      socket.write(Buffer.concat([Buffer.from(head), formOf(bytes, 'same.txt').subarray(0, 400_000)]), () =>
        socket.destroy(),
      ),
    );
    socket.on('close', () => resolve());
  });
  await Promise.all([half, ...uuids.slice(1).map((uuid) => at.ask('DELETE', `/fileload/${uuid}`, { as: admin }))]);
  expect((await get(`/fileload/${uuids[0]}`)).bytes.equals(bytes)).toBe(true);
  expect((await at.ask('DELETE', `/fileload/${uuids[0]}`, { as: admin })).status).toBe(200);
  await expect.poll(() => everyFile().filter(({ name }) => name === sha256(bytes))).toEqual([]);
});

test('bytes that are taken away while they are sent again are there in the end', async () => {
  for (let round = 0; round < 10; round++) {
    const bytes = Buffer.alloc(200_000, `round ${round}`);
    const first = await upload(bytes);
    const [second] = await Promise.all([upload(bytes), at.ask('DELETE', `/fileload/${first}`, { as: admin })]);
    expect((await get(`/fileload/${second}`)).bytes.equals(bytes)).toBe(true);
  }
});

test('one range is served from the start, end or middle; several or malformed ranges get the whole file', async () => {
  const uuid = await upload('0123456789', 'digits.txt');
  const asked = async (range: string, path = uuid) => {
    const got = await get(`/fileload/${path}`, { range });
    return [got.status, got.headers.get('content-range'), got.bytes.toString()];
  };
  expect(await asked('bytes=0-0')).toEqual([206, 'bytes 0-0/10', '0']);
  expect(await asked('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
  expect(await asked('bytes=7-99')).toEqual([206, 'bytes 7-9/10', '789']);
  expect(await asked('bytes=-4')).toEqual([206, 'bytes 6-9/10', '6789']);
  expect(await asked('bytes=-99')).toEqual([206, 'bytes 0-9/10', '0123456789']);
  for (const none of ['bytes=10-', 'bytes=99-100', 'bytes=-0'])
    expect((await asked(none)).slice(0, 2)).toEqual([416, 'bytes */10']);
  for (const whole of [
    'bytes=0-1,4-5',
    `bytes=${Array.from({ length: 500 }, (_, n) => `${n % 10}-`).join(',')}`,
    'items=0-1',
    'bytes',
    'bytes=-',
    'bytes=x-y',
    'bytes=3-2',
    'bytes=99999999999999999999-',
  ])
    expect(await asked(whole)).toEqual([200, null, '0123456789']);
  const empty = await upload('', 'empty.txt');
  for (const none of ['bytes=0-', 'bytes=-5']) expect((await asked(none, empty))[0]).toBe(416);
  const head = await get(`/fileload/${uuid}`, { range: 'bytes=0-3' }, 'HEAD');
  expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, '10', 0]);
});

test('a file of no bytes is kept and given back, and is not a photo', async () => {
  const uuid = await upload('', 'empty.jpg');
  expect((await get(`/fileload/${uuid}`)).headers.get('content-length')).toBe('0');
  expect((await attach({ photos: [uuid] })).json()).toMatchObject({
    res: 0,
    resText: expect.stringContaining('is not a photo'),
  });
  expect((await attach({ files: [uuid] })).status).toBe(200);
});

test('a file over the limit is refused, however it comes, and one of just the limit is taken', async () => {
  expect((await send(Buffer.alloc(2_000_000, 1))).status).toBe(200);
  expect((await send(Buffer.alloc(2_000_001, 1))).status).toBe(413);
  const chunked = await fetch(`${at.station.address}/fileload?token=${admin}`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    duplex: 'half',
    body: (async function* () {
      yield formOf(Buffer.alloc(0), 'x').subarray(0, -9);
      for (let n = 0; n < 40; n++) yield Buffer.alloc(100_000, 3);
      yield Buffer.from('\r\n--x--\r\n');
    })(),
  });
  expect(chunked.status).toBe(413);
});

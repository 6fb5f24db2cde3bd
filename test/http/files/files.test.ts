import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetch, FormData } from 'undici';
import { pngOf } from '../png.ts';
import { tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';

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

const picture = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
/** Everything in the files' directory but what was scaled. */
const stored = () =>
  readdirSync(join(at.directory, 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('scaled'))
    .map(({ name }) => name)
    .sort();

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
  expect((await get(`/fileload/${uuid}`, { 'range': 'bytes=2-4', 'if-range': '"other"' })).status).toBe(200);
});

test('a file is served with its type, ranges, an ETag and a policy against scripts', async () => {
  const shown = ['image/png', 'inline', await picture(7, 7), '1.png', 'png'] as const;
  const offered = ['application/octet-stream', 'attachment', Buffer.from('%PDF-1.7\n'), '1.png', 'pdf'] as const;
  for (const [type, how, bytes, name, extension] of [shown, offered]) {
    const uuid = await upload(bytes, 'ignored', { name });
    const tag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    const heads = {
      'accept-ranges': 'bytes',
      'etag': tag,
      'cache-control': 'private, no-cache',
      'content-type': type,
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; img-src 'self'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'content-disposition': `${how}; filename="1.png"; filename*=UTF-8''1.png`,
    };
    const said = async (headers = {}, method = 'GET') => {
      const response = await fetch(`${at.station.address}/fileload/${uuid}`, {
        method,
        headers: { authorization: `Bearer ${admin}`, ...headers },
      });
      return {
        status: response.status,
        heads: Object.fromEntries(Object.keys(heads).map((head) => [head, response.headers.get(head)])),
        range: response.headers.get('content-range'),
        length: (await response.arrayBuffer()).byteLength,
      };
    };
    expect(uuid.endsWith(`.${extension}`)).toBe(true);
    expect(await said()).toEqual({ status: 200, heads, range: null, length: bytes.length });
    expect(await said({ range: 'bytes=1-2' }, 'HEAD')).toEqual({ status: 200, heads, range: null, length: 0 });
    expect(await said({ 'range': 'bytes=1-2', 'if-range': tag })).toEqual({
      status: 206,
      heads: { ...heads, 'content-length': '2' },
      range: `bytes 1-2/${bytes.length}`,
      length: 2,
    });
    for (const known of [tag, `W/${tag}`, '*', `"other", ${tag}`])
      expect(await said({ 'if-none-match': known })).toMatchObject({
        status: 304,
        heads: { 'etag': tag, 'cache-control': 'private, no-cache' },
        length: 0,
      });
    for (const other of ['"other"', tag.slice(1, -1), ''])
      expect((await said({ 'if-none-match': other })).status).toBe(200);
  }
});

test.each<[string, Buffer, string, string]>([
  ['a text', Buffer.from('plan'), 'text/plain; charset=utf-8', 'inline'],
  [
    'a sound',
    Buffer.from(
      'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0',
      'latin1',
    ),
    'audio/wav',
    'inline',
  ],
  ['a video', Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'), 'video/mp4', 'inline'],
  ['an archive', Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1'), 'application/octet-stream', 'attachment'],
  ['bytes', Buffer.from([0, 1, 2, 3]), 'application/octet-stream', 'attachment'],
  ['a card', Buffer.from('BEGIN:VCARD\r\nVERSION:4.0\r\nEND:VCARD\r\n'), 'application/octet-stream', 'attachment'],
])('%s is shown or downloaded as what it is', async (_what, bytes, type, how) => {
  const { headers } = await get(`/fileload/${await upload(bytes, 'x')}`);
  expect([headers.get('content-type'), headers.get('content-disposition')!.split(';')[0]]).toEqual([type, how]);
});

test('a download has its full name in UTF-8, and an ASCII name for old clients', async () => {
  const called = async (name: string) =>
    (await get(`/fileload/${await upload('%PDF-1.7\n', 'x.pdf', { name })}`)).headers.get('content-disposition');
  expect(await called("план 50% (1)'*.pdf")).toBe(
    "attachment; filename=\"____ 50_ (1)'_.pdf\"; filename*=UTF-8''%D0%BF%D0%BB%D0%B0%D0%BD%2050%25%20%281%29%27_.pdf",
  );
  // A form cannot say half a letter, JSON can.
  const { newsId } = (
    await at.ask('POST', '/news/', {
      as: admin,
      body: {
        values: { title: 'Half', news_type_id: 1 },
        files: [await upload('%PDF-1.7\n', 'x.pdf')],
        files_name: ['half \ud800.pdf'],
      },
    })
  ).json();
  const half = await get(`/department_files/dif_files/files_1_${newsId}_0.pdf`);
  expect([half.status, half.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename="half _.pdf"; filename*=UTF-8\'\'half%20%EF%BF%BD.pdf',
  ]);
});

test('scaled pictures have a tag for each box and each way of fitting, and take no part of another', async () => {
  const uuid = await upload(await picture(60, 40), 'p.png');
  const tags = await Promise.all(
    ['/30/30', '/30/31', '/31/30', '/30/30?fit=fill'].map(async (box) =>
      (await get(`/fileload/${uuid}${box}`)).headers.get('etag'),
    ),
  );
  expect(new Set([...tags, (await get(`/fileload/${uuid}`)).headers.get('etag')]).size).toBe(5);
  expect((await get(`/fileload/${uuid}/30/30`, { 'if-none-match': tags[0]! })).status).toBe(304);
  expect((await get(`/fileload/${uuid}/31/30`, { 'if-none-match': tags[0]! })).status).toBe(200);
  expect((await get(`/fileload/${uuid}/30/30`, { 'range': 'bytes=0-7', 'if-range': tags[1]! })).status).toBe(200);
  const other = await upload(await picture(61, 41), 'p.png');
  expect((await get(`/fileload/${other}/30/30`)).headers.get('etag')).not.toBe(tags[0]);
  const part = await get(`/fileload/${uuid}/30/30`, { 'range': 'bytes=0-7', 'if-range': tags[0]! });
  expect([part.status, part.bytes.subarray(1, 4).toString()]).toEqual([206, 'PNG']);
});

test('every path that serves files sends the policy, nosniff and same-origin headers, with any status', async () => {
  const [photo, text] = [await upload(await picture(31, 21), 'p.png'), await upload('plan', 'plan.txt')];
  const clip = await upload(Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'), 'v.mp4');
  const sound = await upload(
    Buffer.from(
      'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0',
      'latin1',
    ),
    's.wav',
  );
  const { newsId } = await at.ok('POST', '/news/', {
    as: admin,
    body: {
      values: { title: 'Heads', news_type_id: 1 },
      photos: [photo],
      files: [text],
      video: [clip],
      sounds: [sound],
    },
  });
  const [{ id: photoId }] = (await at.ok('GET', `/news/${newsId}/photos`, { as: admin })).photos;
  const category = (await at.ok('POST', '/category', { as: admin, body: { name: 'With a picture', icon: photo } }))
    .category;
  const vehicle = await at.ok('POST', '/cars', { as: admin, body: { name: 'Van', glonassId: 77 } });
  const driver = await at.ok('POST', '/drivers', { as: admin, body: { fio: 'Ann' } });
  await at.ok('PUT', `/cars/${vehicle.id}/pic`, { as: admin, body: { fileName: photo } });
  await at.ok('PUT', `/drivers/${driver.id}/photo`, { as: admin, body: { fileName: photo } });
  const paths = [
    `/fileload/${text}`,
    `/fileload/${photo}/10/10`,
    `/news/${newsId}/photos/${photoId}/10/10`,
    `/department_files/photos/photo_1_${newsId}_0.png`,
    `/department_files/dif_files/files_1_${newsId}_0.txt`,
    `/department_files/video/video_1_${newsId}_0.mp4`,
    `/department_files/sounds/sounds_1_${newsId}_0.wav`,
    `/department_files/news_category/${category.icon}`,
    `/cars/${vehicle.id}/pic`,
    `/cars/${vehicle.id}/thumb`,
    `/drivers/${driver.id}/photo`,
  ];
  for (const path of paths) {
    const whole = await get(path);
    expect([path, whole.status]).toEqual([path, 200]);
    const tag = whole.headers.get('etag')!;
    const answers = [
      whole,
      await get(path, { range: 'bytes=0-1' }),
      await get(path, { range: 'bytes=99999999-' }),
      await get(path, { 'if-none-match': tag }),
    ];
    expect([path, answers.map(({ status }) => status)]).toEqual([path, [200, 206, 416, 304]]);
    for (const { status, headers } of answers) {
      const said = [
        'x-content-type-options',
        'content-security-policy',
        'cross-origin-resource-policy',
        'cache-control',
        'referrer-policy',
      ].map((head) => headers.get(head));
      expect([path, status, ...said]).toEqual([
        path,
        status,
        'nosniff',
        "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; img-src 'self'; frame-ancestors 'none'; sandbox",
        'same-origin',
        'private, no-cache',
        'no-referrer',
      ]);
    }
    const missing = await get(path.replace(/[0-9a-f]{8}-|_0\.|\d+(?=\/10\/10$|\/(?:pic|thumb|photo)$)/, '987654'));
    expect([path, missing.status >= 400, missing.headers.get('x-content-type-options')]).toEqual([
      path,
      true,
      'nosniff',
    ]);
  }
  // Other forms of the film and the sound are made meanwhile: a test that looks at what is stored after this must
  // not find them coming.
  const conversionOf = async (kind: 'video' | 'sounds') =>
    (await at.ok('GET', `/news/${newsId}/${kind}`, { as: admin }))[kind][0].conversion;
  await expect
    .poll(async () => [await conversionOf('video'), await conversionOf('sounds')], { interval: 50 })
    .not.toContain('waiting');
});

test('a picture is fitted into the box, stretched when asked, and refused sizes are refused', async () => {
  const uuid = await upload(await picture(60, 40), 'p.png');
  const size = async (path: string) => {
    const { width, height } = await sharp((await get(path)).bytes).metadata();
    return [width, height];
  };
  expect(await size(`/fileload/${uuid}/30/30`)).toEqual([30, 20]);
  expect(await size(`/fileload/${uuid}/4000/4000`)).toEqual([60, 40]);
  expect(await size(`/fileload/${uuid}/10/50?fit=fill`)).toEqual([10, 50]);
  for (const box of ['0/10', '10/0', '4097/10', '10/4097', '-1/5', 'a/5']) {
    const answered = await get(`/fileload/${uuid}/${box}`);
    expect([answered.status, answered.bytes.toString()]).toEqual([
      400,
      expect.stringMatching(/(width|height) must be a whole number from 1 to 4096/),
    ]);
  }
  const text = await at.ask('GET', `/fileload/${await upload('no picture', 'p.png')}/10/10`, { as: admin });
  expect([text.status, text.text]).toEqual([
    400,
    expect.stringContaining('“p.png” is not a picture that can be scaled.'),
  ]);
});

test('a page, a script and a drawing with a script in it are never shown, whatever they are called', async () => {
  const active = [
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    '<!DOCTYPE html><script>alert(1)</script>',
    '<?xml version="1.0"?><svg onload="alert(1)"/>',
  ];
  for (const [index, text] of active.entries()) {
    const uuid = await upload(text, ['x.svg', 'x.html', 'x.png'][index]!);
    expect(uuid).not.toMatch(/\.(svg|html|xml)$/);
    const got = await get(`/fileload/${uuid}`);
    expect(got.headers.get('content-type')).toBe('application/octet-stream');
    expect(got.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect((await get(`/fileload/${uuid}/10/10`)).status).toBe(400);
  }
});

test('a polyglot is served by its first bytes, and browsers must not guess the type', async () => {
  const gif = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
    .gif()
    .toBuffer();
  const uuid = await upload(Buffer.concat([gif, Buffer.from('<script>alert(1)</script>')]), 'both.html');
  expect(uuid).toMatch(/\.gif$/);
  // a name that says another kind is not believed either
  expect(await upload(Buffer.concat([gif, Buffer.from('more')]), 'both.png')).toMatch(/\.gif$/);
  const got = await get(`/fileload/${uuid}`);
  expect([got.headers.get('content-type'), got.headers.get('x-content-type-options')]).toEqual([
    'image/gif',
    'nosniff',
  ]);
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
  for (const path of ['..%2F..%2Fstation.db', '..%5Cstation.db', 'nul', '%00'])
    expect((await get(`/fileload/${path}`)).status).toBe(404);
});

test('a picture that unpacks to gigabytes is kept as bytes, and neither scaled nor attached as a photo', async () => {
  const uuid = await upload(pngOf(60_000, 60_000, 3), 'bomb.png');
  expect((await get(`/fileload/${uuid}/10/10`)).status).toBe(400);
  const created = await at.ask('POST', '/news/', {
    as: admin,
    body: { action: 'put', values: { title: 'Bomb', news_type_id: 1 }, photos: [uuid] },
  });
  expect([created.status, created.json().resText]).toEqual([
    400,
    'photos: “bomb.png” is a picture that cannot be opened.',
  ]);
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
  for (const sent of [
    Buffer.from(`${head}${'a'.repeat(70_000)}`),
    Buffer.from(`${head}whole\r\n--x\r\nContent-Disposition: form-data; name="na`),
    Buffer.from(`${head}${'b'.repeat(200)}`),
  ]) {
    const socket = connect(at.station.http.main.port, '127.0.0.1', () => {
      socket.write(
        `POST /fileload?token=${admin} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 900000\r\n\r\n`,
      );
      socket.write(sent);
    });
    await expect.poll(stored).not.toEqual(before); // it has begun to be stored
    socket.destroy();
    await expect.poll(stored).toEqual(before);
  }
});

test.each([
  ['no boundary', 'multipart/form-data', 'x'],
  ['another type', 'application/json', '{}'],
  [
    'no file',
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n--x--\r\n',
  ],
  [
    'no end',
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
  ],
  [
    'a second file that has no end',
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nwhole\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="b"\r\n\r\nabc',
  ],
  ['nothing', 'multipart/form-data; boundary=x', ''],
])('a form with %s is refused in words', async (_what, type, body) => {
  const before = stored();
  const answered = await at.ask('POST', '/fileload', { as: admin, body, headers: { 'content-type': type } });
  expect(answered.status).toBe(400);
  expect(answered.json()).toMatchObject({ res: 0 });
  await expect.poll(stored).toEqual(before);
});

test('an upload is deleted by who made it, by an administrator of their organisation and by one of all, and by nobody else; a key does what its scopes say', async () => {
  const organizationId = (await at.ok('POST', '/organizations', { as: admin, body: { name: 'Harbour' } })).id;
  for (const name of ['Local', 'Chief'])
    await at.ok('POST', '/rights', { as: admin, body: { name, admin: true, wheel: name === 'Chief' } });
  const porter = await at.newUser('porter', 'Dispatcher');
  const people = {
    'owner': porter.token,
    'colleague': (await at.newUser('colleague', 'Dispatcher')).token,
    'administrator here': (await at.newUser('here', 'Local')).token,
    'administrator elsewhere': (await at.newUser('elsewhere', 'Local', { organizationId })).token,
    'administrator of all': (await at.newUser('chief', 'Chief', { organizationId })).token,
  };
  const statuses: Record<string, number[]> = {};
  for (const [who, as] of Object.entries(people)) {
    const uuid = await upload(`of the porter for ${who}`, 'a.txt', { as: porter.token });
    const status = (await at.ask('DELETE', `/fileload/${uuid}`, { as })).status;
    statuses[who] = [status, (await get(`/fileload/${uuid}`)).status];
  }
  expect(statuses).toEqual({
    'owner': [200, 404],
    'colleague': [403, 200],
    'administrator here': [200, 404],
    'administrator elsewhere': [404, 200],
    'administrator of all': [200, 404],
  });
  const key = async (scopes: string[] | null) =>
    (await at.ok('POST', '/auth/keys', { as: people['administrator here'], body: { name: 'machine', scopes } })).token;
  const [reads, measures, acts] = [await key(['read']), await key(['telemetry']), await key(null)];
  const uuid = await upload('of the machine', 'a.txt', { as: acts });
  for (const [as, reading, deleting] of [
    [reads, 200, 403],
    [measures, 403, 403],
    [acts, 200, 200],
  ] as const) {
    expect([
      (await get(`/fileload/${uuid}`, {}, as)).status,
      (await send('x', 'x.txt', { as })).status,
      (await at.ask('DELETE', `/fileload/${uuid}`, { as })).status,
    ]).toEqual([reading, as === acts ? 200 : 403, deleting]);
  }
});

test('a user who may neither create tasks nor attach files cannot upload, and the body is not stored', async () => {
  const viewer = await at.newUser('onlooker', 'Viewer');
  const before = stored();
  for (let time = 0; time < 3; time++) {
    const refused = await send(Buffer.alloc(500_000, time), 'a.bin', { as: viewer.token });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('may not upload')]);
  }
  expect(stored()).toEqual(before);
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

test('an attachment stays when its upload is deleted', async () => {
  const uuid = await upload(await picture(21, 21), 'kept.png');
  const { newsId } = (
    await at.ask('POST', '/news/', {
      as: admin,
      body: { action: 'put', values: { title: 'Kept', news_type_id: 1 }, photos: [uuid] },
    })
  ).json();
  expect((await at.ask('DELETE', `/fileload/${uuid}`, { as: admin })).status).toBe(200);
  const [photo] = (await at.ask('GET', `/news/${newsId}/photos`, { as: admin })).json().photos;
  expect((await get(`/department_files/photos/${photo.file_name}`)).status).toBe(200);
});

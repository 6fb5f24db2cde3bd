import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetch, FormData } from 'undici';
import { tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';

let at: TryStation;
let admin: string;
beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
});
afterAll(() => at.stop());

const ffmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

async function upload(bytes: Uint8Array | string, fileName = 'x.bin', as = admin): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), fileName);
  const response = await fetch(`${at.station.address}/fileload?token=${as}`, { method: 'POST', body: form });
  return ((await response.json()) as { data: string[] }).data[0]!;
}

const picture = (colour = 'teal', width = 12) =>
  sharp({ create: { width, height: 8, channels: 3, background: colour } })
    .png()
    .toBuffer();

async function create(body: object, as = admin): Promise<number> {
  const answered = await at.ask('POST', '/news/', {
    as,
    body: { action: 'put', values: { title: 'Tree down', news_type_id: 1 }, ...body },
  });
  expect(answered.status, answered.text).toBe(200);
  return answered.json().newsId;
}
const read = async (path: string, as = admin) => (await at.ask('GET', path, { as })).json();
const post = (path: string, body: object, as = admin) => at.ask('POST', path, { as, body });
const detail = async (id: number) => (await read(`/news/${id}`)).news_data;
const bytesOf = async (path: string, as = admin, headers = {}) => {
  const response = await fetch(at.station.address + path, { headers: { authorization: `Bearer ${as}`, ...headers } });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    disposition: response.headers.get('content-disposition'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
};

test('photos and files of a new message have names and descriptions, in the order sent', async () => {
  const [a, b, text] = [
    await upload(await picture('red'), 'a.png'),
    await upload(await picture('blue'), 'b.png'),
    await upload('plan', 'plan.txt'),
  ];
  const id = await create({
    photos: [a, b],
    photos_name: ['дерево.png'],
    photos_desc: ['from the east', 'from the west'],
    files: [text],
    files_name: ['..\\plan.txt'],
  });
  const { photos } = await read(`/news/${id}/photos`);
  expect(photos).toMatchObject([
    {
      num: '0',
      name: 'дерево.png',
      description: 'from the east',
      extension: 'png',
      file_name: `photo_1_${id}_0.png`,
      link: null,
    },
    { num: '1', name: 'b.png', description: 'from the west', file_name: `photo_1_${id}_1.png` },
  ]);
  expect((await read(`/news/${id}/files`)).files).toMatchObject([
    { num: '0', name: 'plan.txt', file_name: `files_1_${id}_0.txt` },
  ]);
  expect((await read(`/news/${id}/shortdata`)).news).toMatchObject({ photos: 2, files: 1, sounds: 0, video: 0 });
  expect((await detail(id)).num_main_photo).toBe('0');
  expect((await read('/news/listAfterId/0/10?hasPhoto=true')).news_list.map((one: { id: string }) => one.id)).toContain(
    String(id),
  );
  expect((await bytesOf(`/department_files/dif_files/files_1_${id}_0.txt`)).bytes.toString()).toBe('plan');
});

test('an attachment is presented with all its fields', async () => {
  const { id: user } = await read('/users/current');
  const bytes = await picture('olive');
  const uuid = await upload(bytes, 'p.png');
  const before = Math.floor(Date.now() / 1000) * 1000;
  const id = await create({ files: [uuid], files_desc: ['as it was'] });
  const [file] = (await read(`/news/${id}/files`)).files;
  expect(file).toEqual({
    id: expect.stringMatching(/^\d+$/),
    num: '0',
    name: 'p.png',
    description: 'as it was',
    extension: 'png',
    file_name: `files_1_${id}_0.png`,
    link: null,
    size: bytes.length,
    type: 'image/png',
    date: expect.any(String),
    user_id: String(user),
    conversion: 'none',
    upload: uuid,
    conversion_note: '',
    converted: [],
  });
  expect(Date.parse(file.date)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(file.date)).toBeLessThanOrEqual(Date.now());
});

test('an update brings each kind along, under the names and with the descriptions that it gives', async () => {
  const id = await create({});
  const clip = (mark: string) =>
    upload(Buffer.from(`\0\0\0\x18ftypisom\0\0\0\0isommp42${mark}`, 'latin1'), `${mark}.mp4`);
  const sound = await upload(
    Buffer.from(
      'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0',
      'latin1',
    ),
    'call.wav',
  );
  const answered = await post(`/news/${id}/update`, {
    videos: [{ file: await clip('one'), description: 'from the bridge' }],
    video: [{ file: await clip('two') }],
    sounds: [{ file: sound, fileName: 'first call.wav' }],
    files: [{ file: await upload('the plan', 'x.txt'), fileName: 'plan.txt', description: 'of the yard' }],
  });
  expect(answered.status, answered.text).toBe(200);
  expect((await read(`/news/${id}/video`)).video).toMatchObject([
    { num: '0', description: 'from the bridge' },
    { num: '1', description: '' },
  ]);
  expect((await read(`/news/${id}/sounds`)).sounds).toMatchObject([
    { num: '0', name: 'first call.wav', description: '' },
  ]);
  expect((await read(`/news/${id}/files`)).files).toMatchObject([
    { num: '0', name: 'plan.txt', description: 'of the yard' },
  ]);
  expect((await read(`/news/${id}/shortdata`)).news).toMatchObject({ photos: 0, video: 2, sounds: 1, files: 1 });
});

test('a form may send arrays in brackets', async () => {
  const uuid = await upload(await picture());
  const answered = await at.ask('POST', '/news/', {
    as: admin,
    body: `action=put&values[title]=x&values[news_type_id]=1&photos[]=${uuid}&photos_name[]=n.png`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect((await read(`/news/${answered.json().newsId}/photos`)).photos).toMatchObject([{ name: 'n.png' }]);
});

test('the title photo is the one asked for, falls to the next when it goes, and ordinals are never used again', async () => {
  const sent = [
    await upload(await picture('red')),
    await upload(await picture('lime')),
    await upload(await picture('navy')),
  ];
  const id = await create({ photos: sent, values: { title: 'x', news_type_id: 1, photo_main: 1 } });
  expect((await detail(id)).num_main_photo).toBe('1');
  const remove = async (num: string) => {
    const photo = (await read(`/news/${id}/photos`)).photos.find((one: { num: string }) => one.num === num);
    expect((await post(`/news/${id}/photos/${photo.id}`, { action: 'delete' })).status).toBe(200);
    return (await detail(id)).num_main_photo;
  };
  expect(await remove('1')).toBe('2');
  expect(await remove('2')).toBe('0');
  await post(`/news/${id}/update`, { photos: [{ file: sent[0], fileName: 'again.png' }] });
  expect((await read(`/news/${id}/photos`)).photos.map((one: { num: string }) => one.num)).toEqual(['0', '3']);
  expect(await remove('0')).toBe('3');
  expect(await remove('3')).toBeNull();
  expect((await read(`/news/${id}/shortdata`)).news.photos).toBe(0);
  const history = (await read(`/news/${id}/history`)).history.map((entry: { field: string }) => entry.field);
  expect(history).toContain('photos');
  expect(history).toContain('num_main_photo');
});

test('photo_main is 0 without photos; the first photo attached later becomes the title photo', async () => {
  const id = await create({
    values: { title: 'x', news_type_id: 1, photo_main: 0 },
    files: [await upload('plan', 'plan.txt')],
  });
  expect((await detail(id)).num_main_photo).toBeNull();
  expect(
    (await detail(await create({ values: { title: 'x', news_type_id: 1, photo_main: 0 } }))).num_main_photo,
  ).toBeNull();
  await post(`/news/${id}/update`, { photos: [{ file: await upload(await picture()) }] });
  expect((await detail(id)).num_main_photo).toBe('0');
  const refused = await post('/news/', { values: { title: 'x', news_type_id: 1, photo_main: 1 } });
  expect([refused.status, refused.json().resText]).toEqual([400, 'photo_main 1 is not one of the 0 photos sent.']);
});

test('an upload that is deleted while it is attached is attached whole, or not at all', async () => {
  for (let round = 0; round < 12; round++) {
    const uuid = await upload(`round ${round}`, 'plan.txt');
    const { count_news: before } = await read('/news/listAfterId/0/1');
    const [created, deleted] = await Promise.all([
      post('/news/', { values: { title: 'Race', news_type_id: 1 }, files: [uuid] }),
      at.ask('DELETE', `/fileload/${uuid}`, { as: admin }),
    ]);
    expect(deleted.status).toBe(200);
    if (created.status === 200) {
      const [file] = (await read(`/news/${created.json().newsId}/files`)).files;
      expect((await bytesOf(`/department_files/dif_files/${file.file_name}`)).bytes.toString()).toBe(`round ${round}`);
    } else {
      expect([created.status, created.json().resText]).toEqual([400, `files: there is no uploaded file ${uuid}.`]);
      expect((await read('/news/listAfterId/0/1')).count_news).toBe(before);
    }
  }
});

test('a deleted attachment is restored with its ordinal and bytes; nothing else can be restored', async () => {
  const id = await create({
    photos: [await upload(await picture('red'), 'red.png'), await upload(await picture('blue'), 'blue.png')],
  });
  const [red] = (await read(`/news/${id}/photos`)).photos;
  expect((await post(`/news/${id}/photos/${red.id}`, { action: 'restore' })).status).toBe(404); // it is not deleted
  await post(`/news/${id}/photos/${red.id}`, { action: 'delete' });
  expect((await bytesOf(`/department_files/photos/${red.file_name}`)).status).toBe(404);
  expect((await post(`/news/${id}/files/${red.id}`, { action: 'restore' })).status).toBe(404); // it is no file
  expect((await post(`/news/${id}/photos/${red.id}`, { action: 'restore' })).status).toBe(200);
  expect(
    (await read(`/news/${id}/photos`)).photos.map((one: { num: string; name: string }) => [one.num, one.name]),
  ).toEqual([
    ['0', 'red.png'],
    ['1', 'blue.png'],
  ]);
  expect((await bytesOf(`/department_files/photos/${red.file_name}`)).bytes).toEqual(await picture('red'));
  expect((await read(`/news/${id}/shortdata`)).news.photos).toBe(2);
  expect((await detail(id)).num_main_photo).toBe('1'); // the title had gone to the next one, and stays there
});

test.each([
  [
    'an upload that does not exist',
    async () => ({ photos: ['00000000-0000-0000-0000-000000000000.png'] }),
    'photos: there is no uploaded file',
  ],
  ['a text as a photo', async () => ({ photos: [await upload('text', 'x.png')] }), 'is not a photo'],
  ['a picture as a video', async () => ({ video: [await upload(await picture())] }), 'is not a video'],
  [
    'a drawing with a script',
    async () => ({ photos: [await upload('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'x.svg')] }),
    'is not a photo',
  ],
  [
    'half a picture',
    async () => ({ photos: [await upload((await picture()).subarray(0, 30), 'half.png')] }),
    'cannot be opened',
  ],
  [
    'more names than photos',
    async () => ({ photos: [await upload(await picture())], photos_name: ['a', 'b'] }),
    'photos_name has 2 entries for 1 photos',
  ],
  [
    'a title photo that is not there',
    async () => ({ photos: [await upload(await picture())], values: { title: 'x', news_type_id: 1, photo_main: 5 } }),
    'photo_main 5',
  ],
  [
    'more than a hundred at once',
    async () => ({ files: Array.from({ length: 100 }, () => 'x.txt'), photos: ['x.png'] }),
    'at most 100 attachments at once',
  ],
])('%s is refused, and nothing is written', async (_what, body, saying) => {
  const { count_news: before } = await read('/news/listAfterId/0/1');
  const answered = await post('/news/', {
    action: 'put',
    values: { title: 'Refused', news_type_id: 1 },
    ...(await body()),
  });
  expect(answered.status).toBe(400);
  expect(answered.json().resText).toContain(saying);
  expect((await read('/news/listAfterId/0/1')).count_news).toBe(before);
});

test('a hundred attachments come at once', async () => {
  const text = await upload('page', 'page.txt');
  const id = await create({ files: Array.from({ length: 100 }, () => text) });
  expect((await read(`/news/${id}/files`)).files).toHaveLength(100);
});

test('files are served to those who may see the message, and changed by those who may attach', async () => {
  const viewer = await at.newUser('watcher', 'Viewer');
  const organizationId = (await at.ask('POST', '/organizations', { as: admin, body: { name: 'Elsewhere' } })).json().id;
  const stranger = await at.newUser('stranger', 'Dispatcher', { organizationId });
  const sent = await upload(await picture('pink'));
  const id = await create({ photos: [sent] });
  const [photo] = (await read(`/news/${id}/photos`)).photos;
  const path = `/department_files/photos/${photo.file_name}`;
  expect([
    (await bytesOf(path, viewer.token)).status,
    (await bytesOf(path, stranger.token)).status,
    (await at.ask('GET', path)).status,
  ]).toEqual([200, 404, 401]);
  expect((await at.ask('GET', `/news/${id}/photos`, { as: stranger.token })).status).toBe(404);
  // An upload can be read by anybody who knows its name, so nobody else gets the name.
  expect([photo.upload, (await read(`/news/${id}/photos`, viewer.token)).photos[0].upload]).toEqual([sent, undefined]);
  expect((await post(`/news/${id}/photos/${photo.id}`, { action: 'delete' }, viewer.token)).status).toBe(403);
  expect(
    (await post(`/news/${id}/update`, { photos: [{ file: await upload(await picture()) }] }, viewer.token)).status,
  ).toBe(403);
  expect((await post(`/news/${id}/video/${photo.id}`, { action: 'delete' })).status).toBe(404);
  for (const wrong of [
    `photo_2_${id}_0.png`,
    `photo_1_${id}_0.jpg`,
    `photo_1_${id}_9.png`,
    `files_1_${id}_0.png`,
    '..%2F..%2Fx',
    'x',
  ])
    expect((await bytesOf(`/department_files/photos/${wrong}`)).status).toBe(404);
});

test('a photo that was held sideways comes upright, small and whole', async () => {
  const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'green' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const id = await create({ photos: [await upload(bytes, 'p.jpg')] });
  await expect.poll(async () => (await read(`/news/${id}/photos`)).photos[0].conversion).toBe('done');
  const [photo] = (await read(`/news/${id}/photos`)).photos;
  const sizeOf = async (path: string) => {
    const { width, height, orientation } = await sharp((await bytesOf(path)).bytes).metadata();
    return [width, height, orientation ?? 1];
  };
  expect(await sizeOf(`/department_files/photos/${photo.file_name}`)).toEqual([20, 40, 1]);
  expect(photo.converted).toEqual([]); // it is the same photo under the same name
  expect(await sizeOf(`/news/${id}/photos/${photo.id}/10/10`)).toEqual([5, 10, 1]);
  expect(await sizeOf(`/news/${id}/photos/${photo.id}/11/10?fit=fill`)).toEqual([11, 10, 1]);
});

test('only photos of the message itself are scaled', async () => {
  const [id, other] = [
    await create({ photos: [await upload(await picture('plum'))], files: [await upload(await picture('peru'))] }),
    await create({ photos: [await upload(await picture('tan'))] }),
  ];
  const [photo, file, foreign] = [
    (await read(`/news/${id}/photos`)).photos[0].id,
    (await read(`/news/${id}/files`)).files[0].id,
    (await read(`/news/${other}/photos`)).photos[0].id,
  ];
  expect(
    await Promise.all(
      [photo, file, foreign].map(async (one) => (await bytesOf(`/news/${id}/photos/${one}/5/5`)).status),
    ),
  ).toEqual([200, 404, 404]);
});

test.runIf(ffmpeg)('a video becomes FLV and MP4, a sound MP3, in the background', async () => {
  const made = mkdtempSync(join(tmpdir(), 'waypost-video-'));
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=65x49:rate=5:duration=1',
    '-f',
    'lavfi',
    '-i',
    'sine=duration=1',
    '-shortest',
    '-c:v',
    'mpeg4',
    '-c:a',
    'aac',
    join(made, 'v.mp4'),
  ]);
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=1', join(made, 's.wav')]);
  const id = await create({
    video: [await upload(readFileSync(join(made, 'v.mp4')), 'v.mp4')],
    sounds: [await upload(readFileSync(join(made, 's.wav')), 's.wav')],
    sounds_name: ['call.wav'],
  });
  rmSync(made, { recursive: true });
  await expect
    .poll(
      async () => [
        (await read(`/news/${id}/video`)).video[0].conversion,
        (await read(`/news/${id}/sounds`)).sounds[0].conversion,
      ],
      { interval: 100 },
    )
    .toEqual(['done', 'done']);
  const [video] = (await read(`/news/${id}/video`)).video;
  expect(video).toMatchObject({
    extension: 'flv',
    file_name: `video_1_${id}_0.flv`,
    link: null,
    converted: [`video_1_${id}_0.flv`, `video_1_${id}_0.mp4`],
  });
  expect(video.name).toBeUndefined();
  const { sounds, sounds_converted: converted } = await read(`/news/${id}/sounds`);
  expect([sounds[0].file_name, converted]).toEqual([`sounds_1_${id}_0.wav`, [`sounds_1_${id}_0.mp3`]]);
  const flv = await bytesOf(`/department_files/video/${video.file_name}`);
  expect([flv.type, flv.bytes.subarray(0, 3).toString()]).toEqual(['video/x-flv', 'FLV']);
  const mp4 = await bytesOf(`/department_files/video/video_1_${id}_0.mp4`, admin, { range: 'bytes=4-7' });
  expect([mp4.status, mp4.type, mp4.bytes.toString()]).toEqual([206, 'video/mp4', 'ftyp']);
  expect(await bytesOf(`/department_files/sounds/${converted[0]}`)).toMatchObject({
    type: 'audio/mpeg',
    disposition: expect.stringContaining('filename="call.mp3"'),
  });
});

test('photos that come at one time get ordinals of their own', async () => {
  const id = await create({});
  const uuids = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => upload(await picture('gray', 10 + index))),
  );
  await Promise.all(uuids.map((file) => post(`/news/${id}/update`, { photos: [{ file, fileName: 'p.png' }] })));
  expect((await read(`/news/${id}/photos`)).photos.map((one: { num: string }) => one.num)).toEqual([
    '0',
    '1',
    '2',
    '3',
    '4',
    '5',
  ]);
  expect((await read(`/news/${id}/shortdata`)).news.photos).toBe(6);
});

test('the task sheet is a PDF, for those who may see the message', async () => {
  const id = await create({ photos: [await upload(await picture())] });
  const answered = await bytesOf(`/news/${id}/pdf`);
  expect([answered.status, answered.type, answered.bytes.subarray(0, 5).toString()]).toEqual([
    200,
    'application/pdf',
    '%PDF-',
  ]);
  expect((await at.ask('GET', `/news/${id}/pdf`)).status).toBe(401);
  expect((await bytesOf('/news/999999/pdf')).status).toBe(404);
});

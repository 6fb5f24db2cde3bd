import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { Blobs, extensionOf, kindOf, safeName } from '../../../../server/dispatch/files/index.ts';
import { Pictures } from '../../../../server/dispatch/files/pictures.ts';
import { pngOf } from '../../../http/png.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'waypost-files-'));
const incoming = (directory: string) => readdirSync(join(directory, 'incoming'));

test.each([
  ['photo.jpg', 'photo.jpg'],
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\windows\\system32\\calc.exe', 'calc.exe'],
  ['C:\\fakepath\\план.docx', 'план.docx'],
  ['a\0b.txt', 'ab.txt'],
  ['nul', '_nul'],
  ['COM1.txt', '_COM1.txt'],
  ['..', 'file'],
  ['', 'file'],
  ['report\u202Egpj.exe', 'reportgpj.exe'],
  ['what?*.txt', 'what__.txt'],
  [' .hidden. ', 'hidden'],
  [`${'x'.repeat(200)}.txt`, `${'x'.repeat(146)}.txt`],
  ['/etc/passwd', 'passwd'],
  ['cafe\u0301.txt', 'caf\u00e9.txt'], // letters and their marks are composed: one name, one text
  ['a\u007fb\u0085c\u2028d.txt', 'abcd.txt'],
  ['\ufeff\u061ca\u200eb\u200fc\u2066d\u2069e.txt', 'abcde.txt'],
  ['\u202aa\u202bb\u202cc\u202dd\u202e.txt', 'abcd.txt'],
  ['a<b>c"d|e?f*g.txt', 'a_b_c_d_e_f_g.txt'],
  ['photo.jpg:hidden.exe', 'photo.jpg_hidden.exe'], // a stream of a file, on Windows
  ['nul .txt', '_nul .txt'],
  ['com¹.log', '_com¹.log'],
  ['LPT1', '_LPT1'],
  ['conin$', '_conin$'],
  ['console.txt', 'console.txt'],
  [`${'x'.repeat(148)}. and more`, 'x'.repeat(148)],
  ['%2e%2e%2fx', '%2e%2e%2fx'], // a text like any other: nobody decodes it
])('the name %j is kept as %j', (given, kept) => {
  expect(safeName(given)).toBe(kept);
});

test('no name leads out of its folder, is a device or is too long for a file system', () => {
  const seed = Number(process.env.WAYPOST_SEED ?? Math.floor(Math.random() * 2 ** 31));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
      const name = safeName(given);
      expect(name).not.toMatch(/[/\\\0]|^\.+$|^$/);
      expect([...name].length).toBeLessThanOrEqual(150);
      expect(name).not.toMatch(/^(con|nul|aux|prn)(\.|$)/i);
    }),
    { seed, numRuns: 2000 },
  );
});

test('the bytes decide the kind', async () => {
  const png = await sharp({ create: { width: 3, height: 2, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  expect(await kindOf(png)).toEqual({ type: 'image/png', extension: 'png', family: 'photo' });
  expect(await kindOf(Buffer.from('Привет, смена'))).toMatchObject({ extension: 'txt' });
  expect(
    await kindOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')),
  ).toMatchObject({ type: 'application/octet-stream', family: 'file' });
  expect(await kindOf(Buffer.from('<?xml version="1.0"?><svg><script/></svg>'))).toMatchObject({
    type: 'application/octet-stream',
    family: 'file',
  });
  expect(await kindOf(Buffer.from('  <!DOCTYPE html><script>'))).toMatchObject({
    type: 'application/octet-stream',
    family: 'file',
  });
  expect(await kindOf(Buffer.alloc(0))).toMatchObject({ family: 'file' });
  expect(await kindOf(Buffer.from([0, 1, 2, 0xff, 0xfe]))).toEqual({
    type: 'application/octet-stream',
    extension: 'bin',
    family: 'file',
  });
});

test('bytes are stored under their SHA-256, once, and read back in ranges', async () => {
  const directory = folder();
  const blobs = new Blobs(directory);
  const first = await blobs.receive(Readable.from([Buffer.from('hello '), Buffer.from('world')]), 100);
  const again = await blobs.receive(Readable.from([Buffer.from('hello world')]), 100);
  expect(first.sha256).toBe('b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9');
  expect(again).toEqual(first);
  expect(readFileSync(blobs.path(first.sha256), 'utf8')).toBe('hello world');
  expect(Buffer.concat(await blobs.read(first.sha256, { start: 6, end: 8 }).toArray()).toString()).toBe('wor');
  expect(incoming(directory)).toEqual([]);
  for (const path of ['../secret', `${first.sha256}/..`, '', first.sha256.toUpperCase()])
    expect(() => blobs.path(path)).toThrow('not a SHA-256');
});

test('a file over the limit is refused, and a connection that breaks leaves nothing', async () => {
  const directory = folder();
  const blobs = new Blobs(directory);
  await expect(blobs.receive(Readable.from([Buffer.alloc(60), Buffer.alloc(60)]), 100)).rejects.toMatchObject({
    kind: 'too-large',
  });
  const broken = new Readable({
    read() {
      this.push(Buffer.alloc(10));
      this.destroy(new Error('aborted'));
    },
  });
  await expect(blobs.receive(broken, 100)).rejects.toThrow('aborted');
  expect(incoming(directory)).toEqual([]);
  expect(readdirSync(directory)).toEqual(['incoming']);
});

test('what a killed station left half-written is cleared', () => {
  const directory = folder();
  new Blobs(directory);
  writeFileSync(join(directory, 'incoming', 'half'), 'x');
  new Blobs(directory);
  expect(incoming(directory)).toEqual([]);
});

test('a picture fits into its box, upright, and is never enlarged', async () => {
  const directory = folder();
  const original = join(directory, 'sideways');
  // 40 × 20 as stored, held upright: 20 × 40 as shown.
  await sharp({ create: { width: 40, height: 20, channels: 3, background: 'green' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toFile(original);
  const pictures = new Pictures(join(directory, 'scaled'));
  const size = async (path: string) => (({ width, height }) => ({ width, height }))(await sharp(path).metadata());
  expect(await pictures.measure(original)).toEqual({ width: 20, height: 40, turned: true });
  expect(await size((await pictures.scale(original, 'a', { width: 10, height: 10, fill: false })).path)).toEqual({
    width: 5,
    height: 10,
  });
  expect(await size((await pictures.scale(original, 'a', { width: 900, height: 900, fill: false })).path)).toEqual({
    width: 20,
    height: 40,
  });
  expect(await size((await pictures.scale(original, 'a', { width: 33, height: 11, fill: true })).path)).toEqual({
    width: 33,
    height: 11,
  });
});

test('each box, way of fitting and kind of picture is kept by itself, as what it is, and what is asked for at once is made once', async () => {
  const directory = folder();
  const [photo, drawing] = [join(directory, 'photo'), join(directory, 'drawing')];
  await sharp({ create: { width: 60, height: 40, channels: 3, background: 'green' } })
    .jpeg()
    .toFile(photo);
  await sharp({ create: { width: 60, height: 40, channels: 4, background: '#0000' } })
    .png()
    .toFile(drawing);
  const pictures = new Pictures(join(directory, 'scaled'));
  const boxes = [
    [30, 30, false, false],
    [30, 10, false, false],
    [30, 30, true, false],
    [30, 30, false, true],
    [10, 30, false, false],
  ] as const;
  for (const round of ['made', 'kept']) {
    const found = [];
    for (const [width, height, fill, png] of boxes) {
      const { path, type } = await pictures.scale(photo, 'p'.repeat(64), { width, height, fill, png });
      const { format, width: wide, height: high } = await sharp(path).metadata();
      found.push([type, format, wide, high]);
    }
    expect(found, round).toEqual([
      ['image/jpeg', 'jpeg', 30, 20],
      ['image/jpeg', 'jpeg', 15, 10],
      ['image/jpeg', 'jpeg', 30, 30],
      ['image/png', 'png', 30, 20],
      ['image/jpeg', 'jpeg', 10, 7],
    ]);
    const { path, type } = await pictures.scale(drawing, 'd'.repeat(64), { width: 30, height: 30, fill: false });
    expect([type, (await sharp(path).metadata()).hasAlpha], round).toEqual(['image/png', true]);
  }
  const files = () => readdirSync(join(directory, 'scaled'));
  expect(files()).toHaveLength(6); // and nothing half-made
  const box = { width: 7, height: 7, fill: false };
  const [first, second] = [pictures.scale(photo, 'p'.repeat(64), box), pictures.scale(photo, 'p'.repeat(64), box)];
  expect(second).toBe(first);
  await first;
  expect(files()).toHaveLength(7);
});

test('a picture that unpacks to gigabytes is refused before it does', async () => {
  const directory = folder();
  const file = join(directory, 'bomb.png');
  writeFileSync(file, pngOf(60_000, 60_000, 3));
  const pictures = new Pictures(join(directory, 'scaled'));
  await expect(pictures.scale(file, 'b', { width: 10, height: 10, fill: false })).rejects.toMatchObject({
    kind: 'invalid',
  });
  expect(await pictures.measure(file)).toBeUndefined();
});

test('the extension is what follows the last dot', () => {
  expect([extensionOf('a.tar.gz'), extensionOf('README'), extensionOf('x.JPG')]).toEqual(['gz', '', 'jpg']);
});

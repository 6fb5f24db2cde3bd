import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { Blobs, extensionOf, kindOf, safeName } from '../../../server/files/index.ts';
import { Pictures } from '../../../server/files/pictures.ts';
import { pngOf } from '../../http/png.ts';

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

test('the kind is told by the bytes', async () => {
  const png = await sharp({ create: { width: 3, height: 2, channels: 3, background: 'red' } }).png().toBuffer();
  expect(await kindOf(png)).toEqual({ type: 'image/png', extension: 'png', family: 'photo' });
  expect(await kindOf(Buffer.from('Привет, смена'))).toMatchObject({ extension: 'txt' });
  expect(await kindOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'))).toMatchObject({ type: 'application/octet-stream', family: 'file' });
  expect(await kindOf(Buffer.from('<?xml version="1.0"?><svg><script/></svg>'))).toMatchObject({ type: 'application/octet-stream', family: 'file' });
  expect(await kindOf(Buffer.from('  <!DOCTYPE html><script>'))).toMatchObject({ type: 'application/octet-stream', family: 'file' });
  expect(await kindOf(Buffer.alloc(0))).toMatchObject({ family: 'file' });
  expect(await kindOf(Buffer.from([0, 1, 2, 0xff, 0xfe]))).toEqual({ type: 'application/octet-stream', extension: 'bin', family: 'file' });
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
  for (const path of ['../secret', `${first.sha256}/..`, '', first.sha256.toUpperCase()]) expect(() => blobs.path(path)).toThrow('not a SHA-256');
});

test('a file over the limit is refused, and a connection that breaks leaves nothing', async () => {
  const directory = folder();
  const blobs = new Blobs(directory);
  await expect(blobs.receive(Readable.from([Buffer.alloc(60), Buffer.alloc(60)]), 100)).rejects.toMatchObject({ code: 'too-large' });
  const broken = new Readable({ read() { this.push(Buffer.alloc(10)); this.destroy(new Error('aborted')); } });
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
  await sharp({ create: { width: 40, height: 20, channels: 3, background: 'green' } }).withMetadata({ orientation: 6 }).jpeg().toFile(original);
  const pictures = new Pictures(join(directory, 'scaled'));
  const size = async (path: string) => (({ width, height }) => ({ width, height }))(await sharp(path).metadata());
  expect(await pictures.measure(original)).toEqual({ width: 20, height: 40, turned: true });
  expect(await size((await pictures.scale(original, 'a', { width: 10, height: 10, fill: false })).path)).toEqual({ width: 5, height: 10 });
  expect(await size((await pictures.scale(original, 'a', { width: 900, height: 900, fill: false })).path)).toEqual({ width: 20, height: 40 });
  expect(await size((await pictures.scale(original, 'a', { width: 33, height: 11, fill: true })).path)).toEqual({ width: 33, height: 11 });
});

test('a picture that unpacks to gigabytes is refused before it does', async () => {
  const directory = folder();
  const file = join(directory, 'bomb.png');
  writeFileSync(file, pngOf(60_000, 60_000, 3));
  const pictures = new Pictures(join(directory, 'scaled'));
  await expect(pictures.scale(file, 'b', { width: 10, height: 10, fill: false })).rejects.toMatchObject({ code: 'invalid' });
  expect(await pictures.measure(file)).toBeUndefined();
});

test('the extension is what follows the last dot', () => {
  expect([extensionOf('a.tar.gz'), extensionOf('README'), extensionOf('x.JPG')]).toEqual(['gz', '', 'jpg']);
});

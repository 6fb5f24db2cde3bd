import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isNewer, readNewerVersion } from '../../../server/platform/newer-version.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-update-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ours = generateKeyPairSync('ed25519');
const key = ours.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const address = join(folder, 'waypost-update.json');
function describe(version: unknown, by: KeyObject = ours.privateKey): void {
  const text = JSON.stringify({ format: 1, version, files: [] });
  writeFileSync(address, text);
  writeFileSync(`${address}.sig`, `${sign(null, Buffer.from(text), by).toString('base64')}\n`);
}

test('a signed description on a share tells of a newer version, and of no other', async () => {
  describe('0.2.0');
  await expect(readNewerVersion({ address, key, version: '0.1.9' })).resolves.toBe('0.2.0');
  await expect(readNewerVersion({ address, key, version: '0.2.0' })).resolves.toBeUndefined();
  await expect(readNewerVersion({ address, key, version: '0.10.0' })).resolves.toBeUndefined();
});

test('a description by another key, one that was changed, and one without a signature are not believed', async () => {
  const asked = { address, key, version: '0.1.0' };
  describe('0.2.0', generateKeyPairSync('ed25519').privateKey);
  await expect(readNewerVersion(asked)).rejects.toThrow('is not by the key of updates');
  describe('0.2.0');
  writeFileSync(address, JSON.stringify({ format: 1, version: '0.3.0', files: [] }));
  await expect(readNewerVersion(asked)).rejects.toThrow('is not by the key of updates');
  describe('<b>9</b>');
  await expect(readNewerVersion(asked)).rejects.toThrow('does not know');
  rmSync(`${address}.sig`);
  await expect(readNewerVersion(asked)).rejects.toThrow('ENOENT');
});

test('over HTTP a redirection is not followed, and a body without an end is cut', async () => {
  const server = createServer((request, response) => {
    if (request.url!.startsWith('/moved')) return void response.writeHead(302, { location: '/elsewhere' }).end();
    response.on('error', () => undefined);
    response.write(Buffer.alloc(300_000));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await expect(readNewerVersion({ address: `${origin}/moved`, key, version: '0.1.0' })).rejects.toThrow(
      'fetch failed',
    );
    await expect(readNewerVersion({ address: `${origin}/endless`, key, version: '0.1.0' })).rejects.toThrow(
      'too large',
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('versions are compared by their numbers; a release comes after its candidates', () => {
  expect(isNewer('0.10.0', '0.9.9')).toBe(true);
  expect(isNewer('1.0.0', '1.0.0-rc.2')).toBe(true);
  expect(isNewer('1.0.0-rc.10', '1.0.0-rc.9')).toBe(true);
  expect(isNewer('1.0.0-rc.1', '1.0.0')).toBe(false);
  expect(isNewer('1.0.0', '1.0.0')).toBe(false);
});

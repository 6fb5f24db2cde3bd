import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RegionConnection } from '../../server/replication/nats/index.ts';
import { JetStreamObjects, S3Objects, type ObjectStore } from '../../server/replication/object-store/index.ts';
import { HAS_NATS, NatsServers } from '../support/nats-servers.ts';
import { HAS_S3, KEY_ID, S3Server, SECRET } from '../support/s3-server.ts';
import { temporaryDirectory } from '../unit/store/open-store.ts';

interface Opened {
  readonly objects: ObjectStore;
  close(): Promise<void>;
}

const silent = { info: () => undefined, warn: () => undefined };

async function overNats(): Promise<Opened> {
  const servers = await NatsServers.start();
  const connection = new RegionConnection({
    ...{ servers: servers.addresses, region: 'main', credentials: undefined, authority: undefined },
    ...{ replicas: 1, name: 'test', log: silent },
  });
  await connection.connected(AbortSignal.timeout(30_000));
  const close = async () => {
    await connection.close();
    await servers.close();
  };
  return { objects: new JetStreamObjects(connection), close };
}

async function overS3(): Promise<Opened> {
  const server = await S3Server.start();
  const key = { region: 'us-east-1', keyId: KEY_ID, secret: SECRET };
  return { objects: new S3Objects({ url: `${server.bucket}/files/`, ...key }), close: () => server.close() };
}

/** The promises of every object store. */
function keepsObjects(open: () => Promise<Opened>): void {
  let opened: Opened;
  let objects: ObjectStore;
  beforeAll(async () => {
    opened = await open();
    ({ objects } = opened);
  });
  afterAll(async () => {
    objects?.close();
    await opened?.close();
  });
  const shaOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const stored = async (bytes: Buffer, sha256 = shaOf(bytes)) => {
    const path = join(temporaryDirectory(), sha256);
    writeFileSync(path, bytes);
    await objects.put(sha256, path);
    return sha256;
  };
  const readWhole = async (sha256: string, length: number, from = 0) => {
    const pieces: Buffer[] = [];
    for (let at = from; ;) {
      const { size, bytes } = (await objects.read(sha256, at, length))!;
      pieces.push(bytes);
      at += bytes.length;
      if (at >= size) return Buffer.concat(pieces);
      expect(bytes.length).toBe(length);
    }
  };

  test('gives the bytes back in pieces, and again, from any offset', async () => {
    const bytes = randomBytes(3_000_001);
    const sha256 = await stored(bytes);
    expect(await objects.has(sha256)).toBe(true);
    expect((await readWhole(sha256, 1_000_000)).equals(bytes)).toBe(true);
    expect((await readWhole(sha256, 700_000)).equals(bytes)).toBe(true);
    expect((await readWhole(sha256, 900_000, 1_234_567)).equals(bytes.subarray(1_234_567))).toBe(true);
    expect((await objects.read(sha256, 2_999_999, 10))!).toEqual({ size: 3_000_001, bytes: bytes.subarray(2_999_999) });
    expect((await objects.read(sha256, 0, 3))!.bytes).toEqual(bytes.subarray(0, 3));
  });

  test('reads several objects at once', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, async () => randomBytes(400_000)));
    const hashes = await Promise.all(all.map((bytes) => stored(bytes)));
    const read = await Promise.all(hashes.map((sha256) => readWhole(sha256, 150_000)));
    expect(read.map(shaOf)).toEqual(hashes);
  });

  test('stores an object again without harm, and an empty one', async () => {
    const bytes = randomBytes(1000);
    const sha256 = await stored(bytes);
    await stored(bytes);
    expect((await readWhole(sha256, 5000)).equals(bytes)).toBe(true);
    const empty = await stored(Buffer.alloc(0));
    expect(await objects.has(empty)).toBe(true);
    expect(await objects.read(empty, 0, 1000)).toEqual({ size: 0, bytes: Buffer.alloc(0) });
  });

  test('knows what is not there, and removes what is', async () => {
    const missing = '0'.repeat(64);
    expect(await objects.has(missing)).toBe(false);
    expect(await objects.read(missing, 0, 1000)).toBeUndefined();
    await objects.remove(missing);
    const sha256 = await stored(randomBytes(1000));
    await objects.remove(sha256);
    expect(await objects.has(sha256)).toBe(false);
    expect(await objects.read(sha256, 0, 1000)).toBeUndefined();
  });

  test('refuses bytes that are others than the name says', async () => {
    const sha256 = shaOf(Buffer.from('what was meant'));
    await expect(stored(Buffer.from('what was sent'), sha256)).rejects.toThrow();
    expect(await objects.has(sha256)).toBe(false);
  });
}

describe.skipIf(!HAS_NATS)('JetStream as an object store', () => keepsObjects(overNats));

// Debian's Ceph is large: it is used where it is installed (radosgw, ceph-mon, ceph-osd), and not fetched.
describe.skipIf(!HAS_S3)('an S3 server (Ceph) as an object store', () => {
  keepsObjects(overS3);
});

test('an S3 server that is away, or refuses the key, is said in words', async () => {
  const away = new S3Objects({ url: 'http://127.0.0.1:9/bucket', region: 'us-east-1', keyId: 'a', secret: 'b' });
  await expect(away.has('0'.repeat(64))).rejects.toThrow(/fetch failed|ECONNREFUSED/);
});

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { createTaskWithFile, fileOfTask } from '../harness/files-of-tasks.ts';
import { TestStation } from '../harness/test-station.ts';
import { areInOneRegion } from './in-one-region.ts';

// Debian's nats-server: `node .ci/prepare.mjs` tries to get it; skipped where it cannot be had.
describe.skipIf(!HAS_NATS)('files in the object store of a region', () => {
  let servers: NatsServers;
  const stations: TestStation[] = [];
  const start = async (number: number) => {
    const station = new TestStation(number, {
      WAYPOST_NATS_SERVERS: servers.addresses.join(','),
      WAYPOST_FILES_STORE: 'jetstream',
    });
    stations.push(station);
    return station.start();
  };

  beforeAll(async () => {
    servers = await NatsServers.start();
  });
  afterAll(async () => {
    for (const station of stations) {
      await station.end('SIGKILL');
      rmSync(station.directory, { recursive: true, force: true });
    }
    await servers.close();
  });

  /** Files that wait for their copy, as the station counts them. */
  const withoutCopy = async (station: TestStation) => {
    const text = await (
      await fetch(`${station.address}/metrics`, { headers: { authorization: `Bearer ${station.token}` } })
    ).text();
    return Number(/^waypost_files_without_copy (\d+)/m.exec(text)?.[1]);
  };
  const loses = async (station: TestStation) => {
    await station.end('SIGKILL');
    rmSync(station.directory, { recursive: true, force: true });
  };
  const has = async (station: TestStation, id: number, bytes: Buffer) =>
    expect.poll(async () => (await fileOfTask(station, id).catch(() => undefined))?.equals(bytes)).toBe(true);

  test('a station that is lost leaves its files to one that starts later', async () => {
    const first = await start(1);
    const bytes = randomBytes(3_300_000);
    const id = await createTaskWithFile(first, 'With a plan', bytes);
    await expect.poll(() => withoutCopy(first)).toBe(0);
    await areInOneRegion([first]);
    await loses(first);
    const second = await start(2);
    await has(second, id, bytes);
  });

  test('with the servers away a file is taken and served, and copied when they are back', async () => {
    const second = stations[1]!;
    await servers.kill();
    const bytes = randomBytes(1_200_000);
    const id = await createTaskWithFile(second, 'Taken alone', bytes);
    await has(second, id, bytes);
    await expect
      .poll(async () =>
        (await second.ask<{ problems: { code: string }[] }>('GET', '/health')).problems.map(({ code }) => code),
      )
      .toContain('files.store');
    await expect.poll(() => withoutCopy(second)).toBe(1);
    await second.end('SIGKILL'); // what waits is on disk
    await second.start();
    await servers.start();
    await expect.poll(() => withoutCopy(second)).toBe(0);
    await expect
      .poll(async () => (await second.ask<{ problems?: unknown[] }>('GET', '/health')).problems)
      .toBeUndefined();
    await areInOneRegion([second]);
    await loses(second);
    await has(await start(3), id, bytes);
  });
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inboxOf } from '../../../server/replication/nats/access/roles.ts';
import { userKeyOf } from '../../../server/replication/nats/access/user-key.ts';
import { freePort } from '../../support/free-ports.ts';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { waypost } from '../harness/command-line.ts';
import { storedTrack } from '../harness/driving.ts';
import { TestStation } from '../harness/test-station.ts';
import { GatewayProcess } from './gateway-process.ts';
import { areInOneRegion } from './in-one-region.ts';
import { WialonDevice } from './wialon-device.ts';

const IMEI = '867000000000017';
const CHANGES = 'waypost_main_changes';
const VEHICLES = 'waypost.main.changes.vehicles.>';

// Debian's nats-server: `node .ci/prepare.mjs` tries to get it; skipped where it cannot be had.
describe.skipIf(!HAS_NATS)('who may do what at the servers of a region', () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-access-'));
  const keys = join(directory, 'keys');
  const closing: (() => unknown)[] = [];
  let servers: NatsServers;
  let stations: TestStation[];
  let gateway: GatewayProcess;

  const region = async (...words: string[]) => {
    const { said, code } = await waypost({ directory }, 'region', ...words);
    expect(said).not.toContain('waypost:');
    expect(code).toBe(0);
  };
  /** The settings of a program with credentials of its own. */
  const settingsOf = async (name: string, role: string) => {
    await region('credentials', keys, name, '--role', role);
    return {
      WAYPOST_NATS_SERVERS: servers.addresses.join(','),
      WAYPOST_NATS_CREDENTIALS: join(keys, `${name}.creds`),
    };
  };
  const accounts = () => readFileSync(join(keys, 'accounts.conf'), 'utf8');

  beforeAll(async () => {
    await region('keys', keys);
    servers = await NatsServers.withAccounts(accounts());
    const environments = [await settingsOf('first', 'station'), await settingsOf('second', 'station')];
    stations = await Promise.all(environments.map((one, at) => new TestStation(at + 1, one).start()));
    gateway = new GatewayProcess(await freePort(), await settingsOf('north', 'gateway'));
    await gateway.start();
  });
  afterAll(async () => {
    for (const close of closing) await close();
    await gateway?.end('SIGKILL');
    for (const station of stations ?? []) {
      await station.end('SIGKILL');
      rmSync(station.directory, { recursive: true, force: true });
    }
    await servers?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** A program of our own with the credentials of that name, such as somebody who stole them. */
  const open = (name: string) => connectWith(readFileSync(join(keys, `${name}.creds`)));
  async function connectWith(credentials: Buffer): Promise<NatsConnection> {
    const connection = await connect({
      servers: [...servers.addresses],
      authenticator: credsAuthenticator(credentials),
      inboxPrefix: inboxOf(userKeyOf(credentials.toString())!),
      noAsyncTraces: true,
    });
    closing.push(() => connection.close());
    return connection;
  }
  /** `done`, or why the server refused it. */
  const tried = (doing: Promise<unknown>) =>
    doing.then(
      () => 'done',
      (error: Error) => error.message,
    );

  test('stations replicate, and a gateway stores what its trackers send', async () => {
    await areInOneRegion(stations);
    const { id } = await stations[0]!.ask<{ id: number }>('POST', '/cars', {
      name: 'Van',
      glonassId: 17,
      devimei: IMEI,
    });
    const device = new WialonDevice(IMEI, [gateway.port], Date.now() - 60_000);
    closing.push(() => device.stop());
    await expect.poll(() => device.confirmed.length).toBeGreaterThan(2);
    await device.stop();
    for (const station of stations)
      await expect
        .poll(async () => (await storedTrack(station, id)).length)
        .toBeGreaterThanOrEqual(device.confirmed.length);
  });

  test('without credentials nobody connects', async () => {
    await expect(connect({ servers: [...servers.addresses] })).rejects.toThrow('Authorization Violation');
  });

  test('a gateway reads vehicles and no other records, and writes positions and no records', async () => {
    const connection = await open('north');
    const client = jetstream(connection);
    const manager = await jetstreamManager(connection);
    const reads = async (filter: string | undefined) => {
      const consumer = await client.consumers.get(CHANGES, filter === undefined ? {} : { filter_subjects: filter });
      expect((await consumer.next())?.subject).toContain('.vehicles.');
    };
    expect(await tried(reads(VEHICLES))).toBe('done');
    expect(await tried(client.publish('waypost.main.positions.1.17', '{}'))).toBe('done');
    for (const refused of [
      () => reads('waypost.main.changes.messages.>'),
      () => reads('waypost.main.changes.>'),
      () => reads(undefined),
      () => client.publish('waypost.main.changes.vehicles.x', '{}'),
      () => client.publish('waypost.main.numbers.7', 'x'),
      () => manager.streams.delete(CHANGES),
      () => manager.streams.purge('waypost_main_positions'),
      () => manager.streams.getMessage(CHANGES, { last_by_subj: 'waypost.main.numbers.1' }),
    ])
      expect(await tried(refused())).toContain('Permissions Violation');
  });

  test('nobody but a station reads the answers that others get', async () => {
    const listens = async (connection: NatsConnection, subject: string) => {
      const heard = Promise.withResolvers<string>();
      connection.subscribe(subject, { callback: (error) => heard.resolve(error ? error.message : 'heard') });
      await connection.flush();
      connection.publish('waypost.main.unknown', '');
      await Promise.race([heard.promise, connection.flush().then(() => heard.resolve('nothing'))]);
      return heard.promise;
    };
    const gatewayConnection = await open('north');
    for (const subject of ['_INBOX.>', 'waypost.>', '>'])
      expect(await listens(gatewayConnection, subject)).toContain('Permissions Violation');
  });

  test('a map service answers questions, and says nothing unasked', async () => {
    await settingsOf('roads', 'maps');
    await settingsOf('asker', 'station');
    const [service, station] = await Promise.all([open('roads'), open('asker')]);
    service.subscribe('waypost.main.maps.town.any.*', {
      queue: 'maps',
      callback: (_, question) => void question.respond('an answer'),
    });
    await service.flush();
    expect((await station.request('waypost.main.maps.town.any.route')).string()).toBe('an answer');
    for (const subject of ['waypost.main.changes.messages.x', 'waypost.main.positions.1.17', '$JS.API.STREAM.NAMES'])
      expect(await tried(service.request(subject, '', { timeout: 2_000 }))).toContain('Permissions Violation');
  });

  test('a revoked gateway stops; the others go on', async () => {
    const stolen = readFileSync(join(keys, 'north.creds'));
    expect(await tried(connectWith(stolen))).toBe('done');
    await region('revoke', keys, 'north');
    servers.reloadAccounts(accounts());
    await expect.poll(() => tried(connectWith(stolen))).toContain('Authorization Violation');
    const device = new WialonDevice(IMEI, [gateway.port], Date.now() - 30_000);
    closing.push(() => device.stop());
    await stations[0]!.ask('POST', '/cars', { name: 'Truck', glonassId: 18 });
    await areInOneRegion(stations);
    expect(device.confirmed).toEqual([]);
    await device.stop();
  });
});

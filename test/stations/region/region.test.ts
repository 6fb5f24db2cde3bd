import { afterAll, beforeAll, describe, expect } from 'vitest';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { areEqual, type TestStation } from '../harness/linked.ts';
import { Cable } from '../../support/cable.ts';
import { carriesChanges } from './change-bus.ts';

let cable: Cable;
carriesChanges(
  'over links',
  () => ({}),
  async (a, b) => {
    cable = await Cable.to(b.address);
    b.cables.push(cable);
    const { code } = await b.ask<{ code: string }>('POST', '/links/codes', {});
    await a.ask('POST', '/links', { address: cable.address, code, ownAddress: null });
    return {
      cut: async () => cable.cut(),
      join: async () => cable.join(),
      areEqual: () => areEqual([a, b]),
    };
  },
);
afterAll(() => cable.close());

// Debian's nats-server: `node .ci/prepare.mjs` tries to get it; skipped where it cannot be had.
describe.skipIf(!HAS_NATS)('a region', () => {
  let servers: NatsServers;

  beforeAll(async () => {
    servers = await NatsServers.start();
  });
  afterAll(() => servers.close());

  carriesChanges(
    'over the stream of a region',
    () => ({ WAYPOST_NATS_SERVERS: servers.addresses.join(',') }),
    async (a, b) => ({
      cut: () => servers.kill(),
      join: () => servers.start(),
      areEqual: () => areInOneRegion([a, b]),
    }),
  );
});

/** Waits until every station says that the region is synced, and all have one digest. */
async function areInOneRegion(stations: readonly TestStation[]): Promise<void> {
  const states = () =>
    Promise.all(
      stations.map((station) =>
        station.ask<{ state: string; digest: string; region: { stations: { isHere: boolean }[] } | null }>(
          'GET',
          '/sync/state',
        ),
      ),
    );
  await expect
    .poll(async () => {
      const all = await states();
      return {
        states: all.map(({ state }) => state),
        digests: new Set(all.map(({ digest }) => digest)).size,
        here: all.map(({ region }) => region?.stations.filter(({ isHere }) => isHere).length),
      };
    })
    .toEqual({
      states: stations.map(() => 'synced'),
      digests: 1,
      here: stations.map(() => stations.length - 1),
    });
}

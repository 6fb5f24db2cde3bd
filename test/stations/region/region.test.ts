import { afterAll, beforeAll, describe, expect } from 'vitest';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { areEqual } from '../harness/linked.ts';
import { Cable } from '../../support/cable.ts';
import { areInOneRegion } from './in-one-region.ts';
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
      lose: async () => cable.cut(),
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
      async cut() {
        await servers.kill();
        // Both go on alone, and say so.
        for (const station of [a, b]) {
          await expect.poll(() => station.ask('GET', '/health')).toMatchObject({ problems: [{ code: 'region.away' }] });
          const state = { state: 'behind', region: { state: 'away' } };
          expect(await station.ask('GET', '/sync/state')).toMatchObject(state);
        }
      },
      lose: () => servers.lose(),
      join: () => servers.start(),
      areEqual: () => areInOneRegion([a, b]),
    }),
  );
});

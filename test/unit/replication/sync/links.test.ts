import { expect, onTestFinished, test } from 'vitest';
import { Cable } from '../../../support/cable.ts';
import { eventually } from '../../../support/eventually.ts';
import type { Channel } from '../../../../server/replication/sync/index.ts';
import { CONNECTION_TIMINGS } from '../../../../server/replication/sync/links/connection/connection.ts';
import { bareStation, pairStations, type BareStation } from './links-over-http.ts';

const linkOf = ({ links }: BareStation) => links.all()[0]!;

test('[sync 8] when both stations can dial, one connection stays, and both agree which', async () => {
  const [a, b] = [await bareStation(1), await bareStation(2)];
  const channels: Channel[] = [];
  a.links.onConnected((channel) => void channels.push(channel));
  await pairStations(b, a);
  await eventually(() => expect(linkOf(a).isConnected && linkOf(b).isConnected).toBe(true));
  for (let round = 0; round < 5; round++) {
    // Both lose it at once, and both dial; what `change` dials ends the backoff of the round before.
    for (const station of [a, b]) await station.links.change(linkOf(station).id, {});
    linkOf(a).connection!.terminate('test');
    linkOf(b).connection!.terminate('test');
    await eventually(() => {
      expect(linkOf(a).isConnected && linkOf(b).isConnected).toBe(true);
      expect([linkOf(a).dialledBy, linkOf(b).dialledBy].toSorted()).toEqual(['them', 'us']);
    });
    // One of the two may still be replaced by the other.
    await eventually(async () => {
      channels.at(-1)!.handle('round', () => ({ body: round }));
      expect(await linkOf(b).connection?.request('round', {})).toEqual({ body: round });
    });
  }
});

test('[sync 10] a connection whose cable swallows everything is given up after 25 s, and made again', async () => {
  expect(CONNECTION_TIMINGS).toMatchObject({ ping: 10_000, silence: 25_000 });
  const timings = { ping: 300, silence: 1_500 };
  const [a, b] = [await bareStation(1, { timings }), await bareStation(2, { timings })];
  const cable = await Cable.to(b.address);
  onTestFinished(() => cable.close());
  await pairStations(a, b, null, cable.address);
  const areConnected = () => expect([linkOf(a).isConnected, linkOf(b).isConnected]).toEqual([true, true]);
  await eventually(areConnected);
  cable.isSwallowing = true;
  await eventually(() => {
    for (const station of [a, b]) {
      expect(linkOf(station).state(Date.now())).toBe('unreachable');
      expect(linkOf(station).isConnected).toBe(false);
    }
  });
  expect(linkOf(b).lastError).toBe('No data for 2 s.');
  cable.isSwallowing = false;
  cable.cut();
  cable.join();
  await eventually(areConnected);
});

test('[sync 13] clocks that differ by more than five minutes are refused with both times, on both sides', async () => {
  const [a, b] = [await bareStation(1), await bareStation(2)];
  b.clockError = 5 * 60_000 + 10_000;
  await pairStations(a, b);
  await eventually(() => {
    for (const station of [a, b]) {
      expect(linkOf(station).state(Date.now())).toBe('refused');
      expect(linkOf(station).lastError).toMatch(
        /^The clocks differ by 5 min: it is \d{4}-\d\d-\d\d .* at Station [12] and /,
      );
    }
  });
  b.clockError = 5 * 60_000 - 10_000;
  // As the minute does.
  await a.links.change(linkOf(a).id, {});
  await eventually(() => expect(linkOf(a).isConnected && linkOf(b).isConnected).toBe(true));
  expect(linkOf(a).lastError).toBeUndefined();
});

test('[sync 21] a limit that is changed while connected reaches the other side', async () => {
  const [a, b] = [await bareStation(1), await bareStation(2)];
  await pairStations(a, b);
  await eventually(() => expect(linkOf(a).isConnected && linkOf(b).isConnected).toBe(true));
  let told = 0;
  linkOf(b).onSettings(() => told++);
  await a.links.change(linkOf(a).id, { readOnly: true, organizations: [7], tracks: { days: 3 } });
  const settings = { paused: false, standby: false, readOnly: true, organizations: [7], tracks: { days: 3 } };
  expect(linkOf(a).settings).toEqual(settings);
  await eventually(() => expect(linkOf(b).theirSettings).toEqual(settings));
  expect(told).toBe(1);
});

test('[sync 22] the names of stations spread: a chain of three knows all three', async () => {
  const [a, b, c] = [await bareStation(1), await bareStation(2), await bareStation(3)];
  await pairStations(a, b);
  await eventually(() => expect(linkOf(b).isConnected).toBe(true));
  await pairStations(b, c);
  await eventually(() => expect(c.links.known.withNumber(1)).toMatchObject({ name: 'Station 1', id: 'station1' }));
  expect(c.links.known.freeNumber()).toBe(0);
});

test('[sync 22] stations tell each other with whom they are linked, again when a link is made or cut', async () => {
  const [a, b, c] = [await bareStation(1), await bareStation(2), await bareStation(3)];
  await pairStations(a, b);
  await eventually(() => expect(linkOf(a).isConnected && linkOf(b).isConnected).toBe(true));
  expect(a.links.neighbours(linkOf(a))).toEqual([]);
  await pairStations(b, c);
  await eventually(() => expect(a.links.neighbours(linkOf(a))).toMatchObject([{ number: 3, name: 'Station 3' }]));
  await eventually(() => expect(c.links.neighbours(linkOf(c))).toMatchObject([{ number: 1, name: 'Station 1' }]));
  await b.links.cut(b.links.all().find(({ station }) => station.number === 3)!.id);
  await eventually(() => expect(a.links.neighbours(linkOf(a))).toEqual([]));
});

test('[sync 7] a station that cannot be reached dials by itself, and is not dialled', async () => {
  const [a, b] = [await bareStation(1), await bareStation(2)];
  await pairStations(a, b, null);
  await eventually(() => expect(linkOf(a).isConnected && linkOf(b).isConnected).toBe(true));
  expect(linkOf(b).row.address).toBeNull();
  linkOf(b).connection!.terminate('test');
  await eventually(() => expect(linkOf(b).isConnected).toBe(true));
  expect(linkOf(b).dialledBy).toBe('them');
  expect(a.dials).toBe(0);
});

test('a link that was paired again has new keys, and keeps its id', async () => {
  const [a, b] = [await bareStation(1), await bareStation(2)];
  await pairStations(a, b);
  await eventually(() => expect(linkOf(a).isConnected && linkOf(b).isConnected).toBe(true));
  const { id } = linkOf(a);
  await pairStations(b, a);
  await eventually(() => expect(linkOf(a).isConnected && linkOf(b).isConnected).toBe(true));
  expect(linkOf(a).id).toBe(id);
  expect(a.links.all()).toHaveLength(1);
});

test('a limit that comes while the disk is full is in the log, and its rejection is not left alone', async () => {
  const [a, b] = [await bareStation(1), await bareStation(2)];
  await pairStations(a, b, null);
  await eventually(() => expect(linkOf(a).isConnected && linkOf(b).isConnected).toBe(true));
  b.isDiskFull = true;
  await a.links.change(linkOf(a).id, { readOnly: true });
  await eventually(() => expect(b.log).toContain('A bug: a link failed. Error: The disk is full.'));
});

import { expect, test } from 'vitest';
import { areEqual, pair, startStations, type TestStation } from '../harness/linked.ts';

const waitingOut = async (station: TestStation) => (await station.links())[0]!.waitingOut;
const stateOf = async (station: TestStation) => (await station.links())[0]!.state;
const overall = async (station: TestStation) => (await station.ask<{ state: string }>('GET', '/sync/state')).state;
const addCategory = (station: TestStation, name: string) => station.ask('POST', '/category', { name });

test('[sync 25] [sync 64] what waits for a station that is away is counted, also after a restart', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const cable = await pair(a, b);
  await areEqual([a, b]);
  cable.cut();
  await expect.poll(() => stateOf(a)).toBe('unreachable');
  await addCategory(a, 'Storm');
  await expect.poll(() => waitingOut(a)).toBeGreaterThan(0);
  const waiting = await waitingOut(a);
  await addCategory(a, 'Flood');
  await expect.poll(() => waitingOut(a)).toBe(waiting + 1);
  const kinds = (await a.links())[0]!.kinds;
  expect(kinds).toContainEqual({ kind: 'directories', in: 0, out: expect.toSatisfy((out: number) => out >= 2) });
  expect(kinds.reduce((sum, { out }) => sum + out, 0)).toBe(waiting + 1);
  expect(await a.ask('GET', '/sync/state')).toMatchObject({ waiting: waiting + 1, kinds });
  const { out } = kinds.find(({ kind }) => kind === 'directories')!;
  expect(await a.ask<string>('GET', '/metrics')).toContain(
    `\nwaypost_link_waiting_records{station="2",kind="directories",direction="out"} ${out}\n`,
  );
  await a.end();
  await a.start();
  await expect.poll(() => waitingOut(a)).toBeGreaterThanOrEqual(waiting + 1);
  cable.join();
  await areEqual([a, b]);
});

test('[sync 64] a paused link is behind as soon as something waits for it', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  await pair(a, b);
  await areEqual([a, b]);
  const { id } = (await a.links())[0]!;
  await a.ask('PUT', `/links/${id}`, { paused: true });
  await expect.poll(() => stateOf(a)).toBe('paused');
  await expect.poll(() => overall(a)).toBe('synced');
  await addCategory(a, 'Storm');
  await expect.poll(() => overall(a)).toBe('behind');
  await a.ask('PUT', `/links/${id}`, { paused: false });
  await areEqual([a, b]);
  await expect.poll(() => overall(a)).toBe('synced');
});

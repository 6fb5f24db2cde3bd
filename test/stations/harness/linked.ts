import { rmSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { Cable } from '../../support/cable.ts';
import { TestStation } from './test-station.ts';

export { TestStation, type LinkAnswer } from './test-station.ts';

/** Starts stations with the numbers 1, 2, …; they end with the test. */
export async function startStations(
  count: number,
  environment: NodeJS.ProcessEnv | ((number: number) => NodeJS.ProcessEnv) = {},
): Promise<TestStation[]> {
  const of = (number: number) => (typeof environment === 'function' ? environment(number) : environment);
  const stations = Array.from({ length: count }, (_, at) => new TestStation(at + 1, of(at + 1)));
  onTestFinished(async () => {
    await Promise.all(stations.map((station) => station.end('SIGKILL')));
    for (const { directory } of stations) rmSync(directory, { recursive: true, force: true });
  });
  await Promise.all(stations.map((station) => station.start()));
  return stations;
}

/** Pairs two stations over a cable: `from` dials, `to` cannot. Returns the cable, which is closed with the test. */
export async function pair(
  from: TestStation,
  to: TestStation,
  limits: { readonly from?: object; readonly to?: object } = {},
): Promise<Cable> {
  const cable = await Cable.to(to.address);
  onTestFinished(() => cable.close());
  to.cables.push(cable);
  const { code } = await to.ask<{ code: string }>('POST', '/links/codes', limits.to ?? {});
  await from.ask('POST', '/links', { address: cable.address, code, ownAddress: null, ...limits.from });
  return cable;
}

/** Waits until every link of the stations says that it is synced, with the same digest on both sides. */
export async function areEqual(stations: readonly TestStation[]): Promise<void> {
  const states = async () =>
    (await Promise.all(stations.map((station) => station.links())))
      .flat()
      .map(({ state, waitingIn, waitingOut, lastError, digest }) => ({
        state,
        waitingIn,
        waitingOut,
        lastError,
        areDigestsEqual: digest !== null && digest.mine === digest.theirs,
      }));
  const synced = { state: 'synced', waitingIn: 0, waitingOut: 0, lastError: null, areDigestsEqual: true };
  await expect.poll(states).toEqual((await states()).map(() => synced));
}

import { expect } from 'vitest';
import type { TestStation } from '../harness/test-station.ts';

/** Waits until every station says that the region is synced, and all have one digest. */
export async function areInOneRegion(stations: readonly TestStation[]): Promise<void> {
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

import { expect } from 'vitest';
import type { TestStation } from '../harness/test-station.ts';

/** Waits until every station says that the region is synced, and all have one digest. */
export async function areInOneRegion(stations: readonly TestStation[], timeout?: number): Promise<void> {
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
    .poll(
      async () => {
        const all = await states();
        return {
          // Else all of it, to read why.
          states: all.map((one) => (one.state === 'synced' ? one.state : one)),
          digests: new Set(all.map(({ digest }) => digest)).size,
          here: all.map(({ region }) => region?.stations.filter(({ isHere }) => isHere).length),
        };
      },
      timeout === undefined ? {} : { timeout },
    )
    .toEqual({
      states: stations.map(() => 'synced'),
      digests: 1,
      here: stations.map(() => stations.length - 1),
    });
}

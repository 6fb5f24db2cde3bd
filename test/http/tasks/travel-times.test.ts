import { expect, test } from 'vitest';
import { travelTimesBy } from '../../../server/http/tasks/travel-times.ts';
import { UNREACHABLE, type Planner, type Table } from '../../../server/geo/routing/index.ts';
import { Refusal } from '../../../shared/refusal.ts';

const PLACE = { lat: 47, lon: 9.5 };
const near = { lat: 47.01, lon: 9.5, profile: 'car' };

/** A planner that knows these times (tenths of a second) and distances, in the order of the sources. */
function planner(answer: (request: Parameters<Planner['table']>[0]) => [number, number][]): Pick<Planner, 'table'> {
  return {
    table: async (request) => {
      const rows = answer(request);
      return {
        times: Int32Array.from(rows, (row) => row[0]),
        distances: Int32Array.from(rows, (row) => row[1]),
        rows: rows.length,
        columns: 1,
      } as Table;
    },
  };
}

test('tenths of a second become seconds; where there is no way, there is no road', async () => {
  const times = travelTimesBy(
    planner(() => [
      [1234, 2000],
      [UNREACHABLE, UNREACHABLE],
    ]),
  );
  expect(await times([near, near], PLACE)).toEqual([{ time: 123, distance: 2000 }, 'no-road']);
});

test('each vehicle is asked for by its own profile, and the answers keep the order of the vehicles', async () => {
  const asked: [string | undefined, number][] = [];
  const times = travelTimesBy(
    planner(
      ({ profile, sources }) => (
        asked.push([profile, sources.length]),
        sources.map(() => [profile === 'truck' ? 9000 : 3000, 2000])
      ),
    ),
  );
  const travels = await times([near, { ...near, profile: 'truck' }, near], PLACE);
  expect(travels).toMatchObject([{ time: 300 }, { time: 900 }, { time: 300 }]);
  expect(asked).toEqual([
    ['car', 2],
    ['truck', 1],
  ]);
});

test('while the roads of a profile are being made, those of a car are asked', async () => {
  const times = travelTimesBy(
    planner(({ profile }) => {
      if (profile === 'truck') throw new Refusal('routing.roadsFirst', { profile: 'truck' });
      return [[3000, 2000]];
    }),
  );
  expect(await times([{ ...near, profile: 'truck' }], PLACE)).toEqual([{ time: 300, distance: 2000 }]);
});

test('a vehicle far outside the territory, which was put on its edge, has no road there', async () => {
  const times = travelTimesBy(planner(() => [[100, 50]]));
  expect(await times([{ lat: 52, lon: 13, profile: 'car' }], PLACE)).toEqual(['no-road']);
});

test('without a territory there are no times; other refusals are passed on', async () => {
  const refusing = (code: 'routing.noRoads' | 'routing.tooMany') =>
    travelTimesBy({ table: () => Promise.reject(new Refusal(code)) });
  expect(await refusing('routing.noRoads')([near], PLACE)).toBe('no-territory');
  await expect(refusing('routing.tooMany')([near], PLACE)).rejects.toThrow(Refusal);
});

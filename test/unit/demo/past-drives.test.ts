import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fillPastDrives } from '../../../server/demo/fill/past-drives.ts';
import { chanceFrom } from '../../../server/demo/chance.ts';
import { startPlanner } from '../../../server/geo/routing/index.ts';
import { speedBetween } from '../../../shared/geo/plausible-speed.ts';
import { readExtract } from '../../../server/geo/territory/index.ts';
import { buildRoads, car } from '../../../server/geo/territory/roads/index.ts';

const TOWN = new URL('../../../resources/demo/town.osm.pbf', import.meta.url).pathname;
const NOW = new Date(2026, 4, 20, 15, 30).getTime();

type Sent = {
  glonassId: number;
  time: number;
  lat: number;
  lon: number;
  speed: number;
  direction: number;
  height: number;
};

test('the past of the demo: rounds on the days before at their hours, slow in the rush, believable, and the same again from the same chance', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'waypost-past-'));
  const { bytes, box } = await townRoads();
  await writeFile(join(directory, 'roads.bin'), bytes);
  const planner = await startPlanner({ directory });
  const [middle] = await planner.nearest(box);
  const vehicle = (id: number, profile: string) => ({
    vehicle: { id, glonassId: 7000 + id, profile, onService: false },
    state: { time: 1, lat: middle!.lat + id * 0.0005, lon: middle!.lon },
  });
  const drive = async (signal = new AbortController().signal) => {
    const sent: Sent[] = [];
    const rooms = {
      accounts: { stationActor: () => ({}) },
      fleet: { list: () => [vehicle(1, 'emergency'), ...[2, 3, 4, 5, 6, 7, 8].map((id) => vehicle(id, 'car'))] },
      telemetry: { ingest: (records: readonly unknown[]) => Promise.resolve(void sent.push(...(records as Sent[]))) },
      planner,
    };
    return { whole: await fillPastDrives(rooms as never, NOW, chanceFrom(3), signal, { days: 2, rest: 0 }), sent };
  };
  const { whole, sent } = await drive();
  expect(whole).toBe(true);
  expect([...new Set(sent.map(({ glonassId }) => glonassId))].sort()).toEqual([7002, 7003, 7004, 7005, 7006, 7007]);
  const tracks = Map.groupBy(sent, ({ glonassId }) => glonassId);
  for (const track of tracks.values()) {
    track.forEach((fix, i) => {
      if (i > 0) expect(speedBetween(track[i - 1]!, fix)).toBeLessThan(150);
      expect(fix.time).toBeGreaterThan(track[i - 1]?.time ?? 0);
    });
  }
  const hours = sent.map(({ time }) => new Date(time).getHours());
  expect(Math.min(...hours)).toBe(8);
  expect(
    sent.every(({ time }) => time < new Date(2026, 4, 20).getTime() && time >= new Date(2026, 4, 18).getTime()),
  ).toBe(true);
  const meanSpeed = (hour: number) => {
    const moving = sent.filter(({ time, speed }) => new Date(time).getHours() === hour && speed > 0);
    return moving.reduce((sum, { speed }) => sum + speed, 0) / moving.length;
  };
  expect(meanSpeed(8)).toBeLessThan(meanSpeed(13) / 1.3);
  expect(meanSpeed(17)).toBeLessThan(meanSpeed(13) / 1.5);
  expect((await drive()).sent).toEqual(sent);
  expect((await drive(AbortSignal.abort())).whole).toBe(false);
  await planner.close();
  await rm(directory, { recursive: true });
});

async function townRoads() {
  const extract = await readExtract(TOWN);
  const { bytes } = buildRoads(extract, { profile: car });
  const { bounds } = extract;
  const [west, south, east, north] = bounds!;
  return { bytes, box: { lat: (south + north) / 2, lon: (west + east) / 2 } };
}

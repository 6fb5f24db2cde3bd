import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { run } from '../../../server/commands/region.ts';
import { MEASURED } from '../../../server/commands/sizing/measured.ts';
import { fits, mostVehicles, planRegion } from '../../../server/commands/sizing/plan-region.ts';
import { simulateRegion } from '../../bench/region/simulate-region.ts';

const REGION = { vehicles: 50_000, consoles: 200, stations: 30, interval: 10, days: 365 };
const LARGE = { ...REGION, vehicles: 500_000, consoles: 2_000 };

afterEach(() => void vi.restoreAllMocks());

async function printed(...words: string[]): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await run(words);
  return log.mock.calls.join('\n');
}

test('a region of 50,000 vehicles, 200 consoles and 30 stations fits', () => {
  const plan = planRegion(REGION);
  expect(plan.positions).toBe(5_000);
  expect(fits(plan)).toBe(true);
  // 5,000 positions of 120 us are 0.6 cores; a gateway is planned for half a core.
  expect(plan.gateways).toBe(2);
  // A partition is 625 positions a second of 145 us and 6.67 consoles of 6 us each: 0.116 cores.
  // So four fit into half a core.
  expect(plan.partitions).toBe(4);
  // Without consoles a partition is 0.091 cores: five fit, so two workers do.
  expect(plan.workers).toBe(2);
  // All positions are 0.73 cores: no console server stores them on half a core.
  expect(plan.consoleServers).toBe(0);
});

test('workers and console servers grow with what they serve', () => {
  expect(planRegion({ ...REGION, vehicles: 150_000 }).workers).toBe(8);
  expect(planRegion(LARGE).workers).toBe(0);
  // 1,000 positions a second leave (0.5 / 1,000 - 145 us) / 6 us = 59 consoles for each server, and a restart 454.
  expect(planRegion({ ...REGION, vehicles: 10_000 }).consoleServers).toBe(4);
});

test('each station keeps what it can, and the stations together keep all partitions', () => {
  for (const stations of [1, 2, 3, 8, 30])
    for (const vehicles of [100, 10_000, 100_000]) {
      const { partitions } = planRegion({ ...REGION, stations, vehicles });
      expect(partitions === 0 || partitions * stations >= 8).toBe(true);
    }
});

test('500,000 vehicles and 2,000 consoles do not fit, and the plan names what breaks first', async () => {
  const plan = planRegion(LARGE);
  expect(fits(plan)).toBe(false);
  const [first] = plan.resources;
  const text = await printed('plan', '--vehicles', '500000', '--consoles', '2000', '--stations', '30');
  expect(text).toContain(`The first limit: ${first!.name}.`);
  expect(text).toContain(first!.formula);
  const most = mostVehicles(LARGE);
  expect(fits(planRegion({ ...LARGE, vehicles: most }))).toBe(true);
  expect(fits(planRegion({ ...LARGE, vehicles: most + 1 }))).toBe(false);
});

test('the simulation agrees with the theory of one queue: a load of a half waits for the time of one position', () => {
  // One partition each at eight stations without consoles: the stream alone is loaded to a half.
  const size = { ...REGION, vehicles: 125_000, consoles: 0, stations: 8 };
  const stages = simulateRegion(size, 60, 1);
  const stream = stages.find(({ name }) => name === 'stream')!;
  expect(stream.load).toBeCloseTo(0.5, 1);
  // M/M/1: the wait exceeds t with the probability load x e^(-(1 - load) t / time).
  const p99 = (Math.log(0.5 / 0.01) / 0.5) * MEASURED.serverPosition.value;
  expect(stream.p99 / p99).toBeGreaterThan(0.9);
  expect(stream.p99 / p99).toBeLessThan(1.1);
  expect(stream.waiting).toBeLessThan(20);
});

test('in the simulation queues of the large region grow, and those of the planned one do not', () => {
  const left = (size: typeof REGION) => simulateRegion(size, 5, 1).map(({ waiting }) => Math.round(waiting));
  expect(Math.max(...left(REGION))).toBeLessThan(20);
  expect(Math.max(...left(LARGE))).toBeGreaterThan(1_000);
});

test('every constant says which results it comes from, and they have that section', async () => {
  const results = readFileSync(new URL('../../bench/results.md', import.meta.url), 'utf8');
  const text = await printed('plan', '--vehicles', '1000', '--consoles', '10', '--stations', '1');
  for (const [name, { source }] of Object.entries(MEASURED)) {
    expect(text).toContain(name);
    expect(text).toContain(source);
    expect(results).toContain(`### ${source.split(':')[0]}\n`);
  }
});

test.each([[], ['plan'], ['plan', '--vehicles', 'many'], ['plan', '--vehicles', '0'], ['plan', '--colour', 'red']])(
  'words that make no plan are refused: %j %j %j',
  (...words) => {
    expect(() => run(words.filter((word) => word !== undefined))).toThrow('Usage: waypost region plan');
  },
);

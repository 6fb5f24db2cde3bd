import { describePlan } from '../../../server/commands/sizing/describe-plan.ts';
import { mostVehicles, planRegion } from '../../../server/commands/sizing/plan-region.ts';
import type { BenchReport } from '../run.ts';
import { simulateRegion } from './simulate-region.ts';

const SECONDS = 20;
const SEED = 19;
/** Vehicles, consoles, stations. */
const SIZES = [
  [5_000, 50, 3],
  [50_000, 200, 30],
  [500_000, 2_000, 30],
  [500_000, 2_000, 200],
] as const;

/** Regions by the formulas of `waypost region plan`, and simulated: what breaks first. It measures nothing again. */
export default function bench(report: BenchReport): Promise<void> {
  for (const [vehicles, consoles, stations] of SIZES) {
    const size = { vehicles, consoles, stations, interval: 10, days: 365 };
    const plan = planRegion(size);
    report.line(describePlan(plan).split('\n').slice(0, 2).join(' '));
    for (const { name, needed, available, unit } of plan.resources)
      report.line(`  ${name}: ${needed.toPrecision(2)} of ${available} ${unit}`);
    for (const { name, load, median, p99, waiting } of simulateRegion(size, SECONDS, SEED))
      report.line(
        `  simulated for ${SECONDS} s, ${name}: load ${load.toFixed(2)}, waits ${ms(median)} (median), ${ms(p99)} (p99), ${Math.round(waiting).toLocaleString('en')} left over`,
      );
    report.line(`  up to ${mostVehicles(size).toLocaleString('en')} vehicles`);
  }
  return Promise.resolve();
}

function ms(seconds: number): string {
  return `${(seconds * 1000).toFixed(2)} ms`;
}

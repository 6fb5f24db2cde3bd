import type { Store } from '../../../store/index.ts';
import { attachmentsOfTasks } from './attachments-of-tasks.ts';
import { deletedInUse } from './deleted-in-use.ts';
import { deletedTasks } from './deleted-tasks.ts';
import { equalDevices } from './equal-devices.ts';
import { equalLogins } from './equal-logins.ts';
import { equalSlugs } from './equal-slugs.ts';
import { renumbered } from './renumbered.ts';
import { RuleRunner } from './rule-runner.ts';
import { unitsOfTasks } from './units-of-tasks.ts';
import { VehicleOnTwoTasks, type VehicleAlarms } from './vehicle-on-two-tasks.ts';

export interface SpanningRulesOptions {
  readonly store: Store;
  /** Which open tasks each vehicle is a unit of. */
  readonly activeUnits: { tasksOf(vehicleId: number): readonly number[] };
  readonly alarms: VehicleAlarms;
  now(): number;
  report(error: unknown): void;
}

/** The rules over several records: watches from now on, and checks merges made while they did not run. */
export async function spanningRules(
  options: SpanningRulesOptions,
): Promise<{ readonly runner: RuleRunner; close(): Promise<void> }> {
  const { store, report } = options;
  const vehicles = new VehicleOnTwoTasks(options);
  const runner = await RuleRunner.open({
    store,
    rules: [
      equalLogins(store),
      equalSlugs(store),
      equalDevices(store),
      attachmentsOfTasks(store),
      deletedTasks(store),
      deletedInUse(store),
      renumbered(store),
      unitsOfTasks(store),
      vehicles,
    ],
    report,
  });
  return {
    runner,
    async close() {
      await runner.close();
      await vehicles.close();
    },
  };
}

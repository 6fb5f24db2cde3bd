import type { Task } from '../../../../shared/records/index.ts';
import { settled } from '../../../../shared/tasks/units.ts';
import type { Store } from '../../../store/index.ts';
import type { SpanningRule } from './rule-runner.ts';

/**
 * The lead of a task and its units merge by themselves, and so does its status: afterwards a closed task has no unit
 * on it, and an open one is led by one of its units. A lead from a program without units needs no entry.
 */
export function unitsOfTasks(store: Store): SpanningRule {
  const tasks = store.records('tasks');
  return {
    collections: ['tasks'],
    async restore(_collection, changes) {
      for (const { record, deleted } of changes) {
        const task = deleted ? undefined : tasks.get(record.id);
        if (task && disagrees(task)) await tasks.change(task.id, (now) => (disagrees(now) ? settled(now) : now));
      }
    },
  };
}

function disagrees(task: Task): boolean {
  const { assignedVehicleId, units } = settled(task);
  const before = activeEntries(task.units);
  return assignedVehicleId !== task.assignedVehicleId || before > activeEntries(units);
}

function activeEntries(units: Task['units']): number {
  return Object.values(units ?? {}).filter(({ clearAt }) => clearAt === 0).length;
}

import type { HistoryEntry } from '../../../../shared/records/index.ts';
import { crewOfNote, isGivingBack } from '../../../../shared/tasks/crew-note.ts';
import { unitsOf, type TaskWithUnits } from '../../../../shared/tasks/units.ts';

/**
 * Vehicles whose crews gave a task back (README rule U11) when they last left it.
 * @param entries the history of the task
 */
export function whoGaveBack(
  task: TaskWithUnits,
  entries: readonly Pick<HistoryEntry, 'note' | 'at'>[],
  nameOf: (vehicleId: number) => string,
): Set<number> {
  const leftAt = new Map(unitsOf(task).map(({ vehicleId, clearAt }) => [vehicleId, clearAt]));
  const givenBack = entries.filter(({ note, at }) => {
    const vehicleId = crewOfNote(note);
    return leftAt.get(vehicleId) === at && isGivingBack(note, nameOf(vehicleId));
  });
  return new Set(givenBack.map(({ note }) => crewOfNote(note)));
}

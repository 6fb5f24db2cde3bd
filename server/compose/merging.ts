import { openOrClose } from '../platform/close-stack.ts';
import { Merges, MergeSubjects, spanningRules } from '../replication/sync/index.ts';
import type { Dispatch } from './dispatch.ts';
import type { Foundation } from './foundation.ts';
import type { Tracking } from './tracking.ts';

export type Merging = Awaited<ReturnType<typeof openMerging>>;

/** The decisions of merges between stations, and the rules over several records that hold after a merge. */
export function openMerging(
  { now, log, store, accounts }: Foundation,
  { fleet, tasks }: Dispatch,
  { alarms }: Tracking,
) {
  return openOrClose(async (stack) => {
    const logger = log.logger('sync');
    const subjects = new MergeSubjects({
      store,
      accounts,
      fleet,
      tasks,
      maySeeAlarm: (caller, alarm) => alarms.maySee(caller, alarm),
    });
    stack.use(
      await spanningRules({
        store,
        now,
        activeUnits: tasks.units.active,
        alarms: {
          raise: (twice) => alarms.raiseVehicleTwice(twice),
          end: (situation, at) => alarms.endVehicleTwice(situation, at),
        },
        report: (error) => logger.error('A rule over several records could not be restored after a merge.', error),
      }),
    );
    return { merges: new Merges(store, subjects, now) };
  });
}

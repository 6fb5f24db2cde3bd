import { openOrClose } from '../platform/close-stack.ts';
import { Merges, MergeSubjects } from '../sync/index.ts';
import type { Dispatch } from './dispatch.ts';
import type { Foundation } from './foundation.ts';
import type { Tracking } from './tracking.ts';

export type Merging = Awaited<ReturnType<typeof openMerging>>;

/** What merges between stations decided, and the rules over several records that hold after a merge. */
export function openMerging({ now, store, accounts }: Foundation, { fleet, tasks }: Dispatch, { alarms }: Tracking) {
  return openOrClose(async () => {
    const subjects = new MergeSubjects({
      store,
      accounts,
      fleet,
      tasks,
      maySeeAlarm: (caller, alarm) => alarms.maySee(caller, alarm),
    });
    return { merges: new Merges(store, subjects, now) };
  });
}

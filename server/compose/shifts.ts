import { seesOrganization } from '../../shared/access.ts';
import { Refusal } from '../../shared/refusal.ts';
import { openOrClose } from '../platform/close-stack.ts';
import { LogBook } from '../shifts/index.ts';
import type { Tasks } from '../tasks/index.ts';
import type { Dispatch } from './dispatch.ts';
import type { Foundation } from './foundation.ts';
import type { Tracking } from './tracking.ts';

export type ShiftRooms = Awaited<ReturnType<typeof openShifts>>;

const DAY = 86_400_000;
/** Alarms of one question of the log-book. */
const MOST_ALARMS = 10_000;

/** What a control room keeps besides its tasks. */
export function openShifts({ now, store }: Foundation, { fleet, tasks }: Dispatch, { alarms }: Tracking) {
  return openOrClose(async (stack) => {
    const logBook = stack.use(
      new LogBook({
        store,
        now,
        tasks: (by, from, until, most) => changedTasks(tasks, by, from, until, most),
        // One that was raised a day before may be answered now.
        alarms: (by, from, until) => alarms.list(by, { from: from - DAY, until, limit: MOST_ALARMS }),
        requireTask: (by, id) => void tasks.get(by, id),
        requireVehicle(by, id) {
          const vehicle = fleet.get(id);
          if (!vehicle || !seesOrganization(by, vehicle.organizationId)) throw new Refusal('fleet.missing', { id });
        },
        nameOfVehicle: (id) => fleet.known(id)?.name ?? '',
      }),
    );
    return { logBook };
  });
}

/** The longest page of a list of tasks. */
const PAGE = 500;

/** Read page by page, from the last change back. A task that is dated ahead may have units already. */
async function changedTasks(tasks: Tasks, by: Parameters<Tasks['get']>[0], from: number, until: number, most: number) {
  const found: Awaited<ReturnType<Tasks['lists']['page']>> = [];
  for (;;) {
    const page = await tasks.lists.page(by, {
      ...{ withAssigned: true, withClosed: true, withArchive: true },
      ...{ updatedAfter: from - 1, until: until + DAY },
      ...{ sortBy: 'updatedAt', direction: 'desc', limit: PAGE, after: found.at(-1)?.id },
    });
    found.push(...page);
    if (page.length < PAGE) return found;
    if (found.length >= most) return undefined;
  }
}

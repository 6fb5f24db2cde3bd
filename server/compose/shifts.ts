import { seesOrganization, type Actor } from '../../shared/access.ts';
import { OUT_OF_SERVICE } from '../../shared/fleet/unit-status.ts';
import { Refusal } from '../../shared/refusal.ts';
import { openOrClose } from '../platform/close-stack.ts';
import { ExpiredRecords, LogBook, Safety, Shifts } from '../dispatch/shifts/index.ts';
import type { Tasks } from '../dispatch/tasks/index.ts';
import type { Dispatch } from './dispatch.ts';
import type { Foundation } from './foundation.ts';
import type { Tracking } from './tracking.ts';

export type ShiftRooms = Awaited<ReturnType<typeof openShifts>>;

const DAY = 86_400_000;
/** Alarms of one question of the log-book. */
const MOST_ALARMS = 10_000;

/** Records of a control room besides its tasks. */
export function openShifts(
  { now, log, store }: Foundation,
  { fleet, tasks }: Dispatch,
  { alarms, telemetry }: Tracking,
) {
  return openOrClose(async (stack) => {
    const logger = log.logger('shifts');
    const requireVehicle = (by: Actor, id: number) => {
      const vehicle = fleet.get(id);
      if (!vehicle || !seesOrganization(by, vehicle.organizationId)) throw new Refusal('fleet.missing', { id });
      return vehicle.organizationId;
    };
    const shifts = new Shifts({
      store,
      now,
      vehiclesOf: (by) =>
        fleet.everyVehicleSeenBy(by).filter(({ id, isDeleted, onService }) => {
          const state = fleet.states.get(id);
          return (
            !isDeleted && !onService && !(state && state.unitStatusSince > 0 && state.unitStatus === OUT_OF_SERVICE)
          );
        }),
      requireVehicle,
      requireDriver(by, id) {
        const driver = fleet.drivers.mirror.get(id);
        if (!driver || driver.isDeleted || !seesOrganization(by, driver.organizationId))
          throw new Refusal('field.unknown', { field: 'driverIds', id });
      },
      requireUser(by, id) {
        const user = tasks.users.get(id);
        if (!user || user.isDeleted || !seesOrganization(by, user.organizationId))
          throw new Refusal('field.unknown', { field: 'userIds', id });
      },
    });
    const safety = stack.use(
      new Safety(
        {
          store,
          now,
          organizationOf: (vehicleId) => fleet.get(vehicleId)?.organizationId,
          raise: (crew) => alarms.raiseSilentCrew(crew),
          end: (vehicleId, at) => alarms.endSilentCrew(vehicleId, at),
          report: (error) => logger.error('Crews on scene could not be checked.', error),
        },
        alarms.silentCrews(),
      ),
    );
    const logBook = stack.use(
      new LogBook({
        store,
        now,
        tasks: (by, from, until, most) => changedTasks(tasks, by, from, until, most),
        // One that was raised a day before may be answered now.
        alarms: (by, from, until) => alarms.list(by, { from: from - DAY, until, limit: MOST_ALARMS }),
        requireTask: (by, id) => void tasks.get(by, id),
        shifts: (by, from, until) => shifts.within(by, from, until),
        requireVehicle: (by, id) => void requireVehicle(by, id),
        nameOfVehicle: (id) => fleet.known(id)?.name ?? '',
      }),
    );
    stack.use(
      new ExpiredRecords({
        store,
        expiredBefore: (organizationId) => telemetry.retention.expiredBefore(organizationId),
        report: (error) => logger.error('Old calls and entries could not be deleted.', error),
      }),
    );
    return { logBook, shifts, safety };
  });
}

/** The longest page of a list of tasks. */
const PAGE = 500;

/** Read page by page, from the last change back. A task that is dated ahead may have units already. */
async function changedTasks(tasks: Tasks, by: Actor, from: number, until: number, most: number) {
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

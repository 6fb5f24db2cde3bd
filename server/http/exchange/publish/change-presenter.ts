import { seesOrganization } from '../../../../shared/access.ts';
import type { Alarms } from '../../../tracking/events/index.ts';
import type { Fleet } from '../../../dispatch/fleet/index.ts';
import type { PresentChange } from '../../../exchange/publish/index.ts';
import { mayRead, type Tasks } from '../../../dispatch/tasks/index.ts';
import { presentAlarm } from '../../events/alarms.ts';
import { presentEvent } from '../../events/events.ts';
import { presentClosure } from '../../routing/closures.ts';
import { presentComment, presentNews, presentUnits } from '../../tasks/task-presenters.ts';

interface ChangeRooms {
  readonly tasks: Tasks;
  readonly fleet: Fleet;
  readonly alarms: Pick<Alarms, 'maySee'>;
  readonly now: () => number;
}

/** Changes as programs get them: each record as its own path of the interface tells it, as it was then. */
export function changePresenter({ tasks, fleet, alarms, now }: ChangeRooms): PresentChange {
  const nameOfUser = (id: number) => tasks.users.get(id)?.name ?? '';
  return (by, change) => {
    if ('task' in change) {
      const { task } = change;
      if (!tasks.maySee(by, task)) return undefined;
      const news = presentNews(task, tasks, now());
      const units = presentUnits(task, fleet);
      const concerns = {
        organizationIds: [task.organizationId, task.assignedOrganizationId],
        taskTypeId: task.typeId,
      };
      if (change.type === 'unit.changed')
        return {
          data: { news, unit: units.find(({ carId }) => carId === change.vehicleId) },
          ...concerns,
        };
      const changed = 'fields' in change ? change.fields.map((field) => tasks.fieldName(field)) : [];
      return { data: { news: { ...news, units }, changed }, ...concerns };
    }
    if ('comment' in change) {
      const { comment } = change;
      const task = tasks.stored(comment.taskId);
      if (!task || !tasks.maySee(by, task) || !mayRead(by, comment, task)) return undefined;
      return {
        data: { comment: presentComment(comment, tasks), news: presentNews(task, tasks, now()) },
        organizationIds: [task.organizationId, task.assignedOrganizationId],
        taskTypeId: task.typeId,
      };
    }
    if ('alarm' in change) {
      const { alarm } = change;
      if (!alarms.maySee(by, alarm)) return undefined;
      return {
        data: { alarm: presentAlarm(alarm, { fleet, nameOfUser, now }) },
        organizationIds: [alarm.organizationId],
        taskTypeId: undefined,
      };
    }
    if ('event' in change) {
      const organizationId = fleet.organizationOf(change.event.vehicleId);
      if (organizationId === undefined || !seesOrganization(by, organizationId)) return undefined;
      return {
        data: { event: presentEvent(change.event, fleet) },
        organizationIds: [organizationId],
        taskTypeId: undefined,
      };
    }
    return { data: { closure: presentClosure(change.closure) }, organizationIds: [], taskTypeId: undefined };
  };
}

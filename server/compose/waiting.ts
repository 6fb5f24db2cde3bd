import type { Task } from '../../shared/records/index.ts';
import { waitsSince } from '../../shared/tasks/waiting.ts';
import type { Alarms } from '../tracking/events/index.ts';
import { mailOfWaiting } from '../reporting/notify/index.ts';
import { WaitingTasks } from '../dispatch/tasks/index.ts';
import type { Dispatch } from './dispatch.ts';
import type { Foundation } from './foundation.ts';

type Parts = Pick<Foundation, 'store' | 'now' | 'log'> &
  Pick<Dispatch, 'fleet' | 'tasks' | 'mail'> & { readonly alarms: Alarms };

/** Tasks without units raise alarms, and notify the people of their response plan. */
export function watchWaiting({ store, now, log, fleet, tasks, mail, alarms }: Parts): WaitingTasks {
  const logger = log.logger('tasks');
  const report = (error: unknown) => logger.error('Unsent tasks could not be checked.', error);
  const waiting = new WaitingTasks(
    {
      store,
      now,
      rules: tasks.dispatchRules,
      priorityOf: (task) => tasks.priorityOf(task),
      raise: (task, step) => alarms.raiseWaiting(task, tasks.priorityOf(task), step),
      end: (taskId, at) => alarms.endWaiting(taskId, at),
      tell: (task, { since }) => tell(task, since),
      report,
    },
    alarms.waitingTasks(),
  );
  const stopHearing = alarms.watch((changed) => {
    for (const { taskId, eventId, acknowledgedAt } of changed)
      if (taskId !== 0 && eventId === 0 && acknowledgedAt > 0)
        waiting.acknowledge(taskId, acknowledgedAt).catch(report);
  });
  const close = waiting.close.bind(waiting);
  return Object.assign(waiting, { close: () => (stopHearing(), close()) });

  async function tell(task: Task, since: number): Promise<boolean> {
    const { typeId, categoryId, organizationId, assignedOrganizationId } = task;
    const plan = fleet.proposals.planOf(task.point, {
      ...{ typeId, categoryId, organizationIds: [organizationId, assignedOrganizationId] },
      priority: tasks.priorityOf(task),
    });
    const told = (plan?.tellOrganizationIds ?? [])
      .flatMap((id) => tasks.organizations.get(id) ?? [])
      .filter(({ isDeleted }) => !isDeleted);
    const words = mailOfWaiting(task, Math.min(since, waitsSince(task, tasks.dispatchRules.of(organizationId))), now());
    for (const { name, info } of told)
      await mail.add({ taskId: task.id, organizationId, name, address: info.email.trim(), ...words });
    if (told.length > 0) mail.wake();
    return told.length > 0;
  }
}

import { z } from 'zod';
import type { Accounts } from '../../access/accounts/index.ts';
import type { Alarms } from '../../tracking/events/index.ts';
import type { Tasks, WaitingTasks } from '../../dispatch/tasks/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { actingOrganization, pathId, queryId } from '../request/fields.ts';

const DAY = 86_400;
const Target = z.object({ sentSeconds: z.int().min(0).max(DAY), onSceneSeconds: z.int().min(0).max(DAY) });
const Rules = z.object({ leadSeconds: z.int().min(0).max(DAY), targets: z.array(Target).length(4) });
const Settings = Rules.extend({ orgId: z.int() }).meta({
  id: 'DispatchSettings',
  description: '`targets` of priorities 1 to 4; 0: no target.',
});
const query = z.object({ orgId: queryId.optional() });

interface DispatchRoom {
  readonly tasks: Tasks;
  readonly alarms: Alarms;
  readonly waiting: Pick<WaitingTasks, 'acknowledge'>;
  readonly accounts: Accounts;
  readonly now: () => number;
}

/** How soon somebody should be sent to a message, and when scheduled ones enter the queue. */
export function dispatchRuleRoutes({ tasks, alarms, waiting, accounts, now }: DispatchRoom): DeclaredRoute[] {
  const rules = tasks.dispatchRules;
  const inTasks = { family: 'station', group: 'Dispatch' } as const;
  const present = (orgId: number) => {
    const { leadSeconds, targets } = rules.of(orgId);
    return { orgId, leadSeconds, targets: targets.map((target) => ({ ...target })) };
  };
  return [
    route({
      ...inTasks,
      // All paths of messages answer in one form.
      family: 'A',
      access: 'user',
      method: 'POST',
      path: '/news/:newsId/acknowledge',
      summary: 'Take note that nobody was sent to a message',
      description: 'It goes back to its place in the queue until it rises again, and its alarms are acknowledged.',
      params: z.object({ newsId: pathId }),
      answer: 'nothing',
      run: async ({ caller, params: { newsId } }) => {
        tasks.requireMayChange(caller, tasks.get(caller, newsId), 'units');
        await waiting.acknowledge(newsId, now());
        await alarms.acknowledgeWaiting(caller, newsId);
      },
    }),
    route({
      ...inTasks,
      access: 'user',
      method: 'GET',
      path: '/dispatch/settings',
      summary: 'How soon somebody should be sent',
      query,
      answer: Settings,
      run: ({ caller, query: { orgId } }) => present(actingOrganization(caller, orgId, accounts)),
    }),
    route({
      ...inTasks,
      access: 'admin',
      method: 'PUT',
      path: '/dispatch/settings',
      summary: 'Set how soon somebody should be sent',
      description:
        'A message that nobody was sent to rises when its target is over, and once more after the same time. Those with a later date enter the queue `leadSeconds` before it.',
      query,
      body: Rules,
      answer: Settings,
      run: async ({ caller, query: { orgId }, body }) => {
        const id = actingOrganization(caller, orgId, accounts);
        await rules.set(caller, id, body);
        return present(id);
      },
    }),
  ];
}

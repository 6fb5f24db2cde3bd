import { z } from 'zod';
import { seesOrganization } from '../../../shared/access.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { pathId } from '../request/fields.ts';

const Watchers = z
  .object({
    watching: z.boolean().meta({ description: 'Whether the user watches the message.' }),
    watchers: z
      .array(z.object({ id: z.int(), fio: z.string() }))
      .meta({ description: 'Those of departments that the user sees, and of its duplicates too.' }),
  })
  .meta({ id: 'MessageWatchers' });
const params = z.object({ newsId: pathId });
const common = { family: 'A', access: 'user', group: 'Dispatch' } as const;

/** Watchers of a message: they get its notices because they want them. */
export function watchingRoutes(tasks: Tasks): DeclaredRoute[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: '/news/:newsId/watchers',
      summary: 'Who watches a message',
      params,
      answer: Watchers,
      run: ({ caller, params: { newsId } }) => {
        const task = tasks.get(caller, newsId);
        return {
          watching: task.watcherIds?.includes(caller.user.id) === true,
          watchers: tasks.watchers
            .of(task)
            .filter(({ organizationId }) => seesOrganization(caller, organizationId))
            .map(({ id, name }) => ({ id, fio: name })),
        };
      },
    }),
    route({
      ...common,
      method: 'PUT',
      path: '/news/:newsId/watch',
      summary: 'Watch a message',
      description:
        'The user gets mail of its assignments, statuses and comments that others make. Whom a comment names with `@login` watches it, too; `forMe` of the list finds it.',
      params,
      answer: 'nothing',
      run: ({ caller, params: { newsId } }) => tasks.watchers.watch(caller, newsId, true),
    }),
    route({
      ...common,
      method: 'DELETE',
      path: '/news/:newsId/watch',
      summary: 'Watch a message no more',
      params,
      answer: 'nothing',
      run: ({ caller, params: { newsId } }) => tasks.watchers.watch(caller, newsId, false),
    }),
  ];
}

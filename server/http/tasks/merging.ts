import { z } from 'zod';
import type { Task } from '../../../shared/records/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { bodyId, pathId } from '../request/fields.ts';

const RelatedItem = z
  .object({ id: z.int(), title: z.string(), address: z.string(), status: z.int(), date: z.int() })
  .meta({ id: 'RelatedNews' });
const Related = z
  .object({
    mergedInto: RelatedItem.nullable().meta({ description: 'The message that this one is a duplicate of.' }),
    merged: z.array(RelatedItem).meta({ description: 'Its duplicates, also by way of others.' }),
    links: z.array(RelatedItem),
  })
  .meta({ id: 'RelatedMessages' });
const params = z.object({ newsId: pathId });
const common = { family: 'A', access: 'user', group: 'Dispatch' } as const;

function present({ id, title, address, status, date }: Task): z.input<typeof RelatedItem> {
  return { id, title, address, status, date };
}

/** Duplicates and links of messages. */
export function mergingRoutes(tasks: Tasks): DeclaredRoute[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: '/news/:newsId/related',
      summary: 'Duplicates and links of a message',
      description: 'Those that the user may see.',
      params,
      answer: Related,
      run: ({ caller, params: { newsId } }) => {
        const { into, parts, links } = tasks.merging.related(caller, newsId);
        return { mergedInto: into ? present(into) : null, merged: parts.map(present), links: links.map(present) };
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/news/:newsId/merge',
      summary: 'Merge a message into another one',
      description:
        'It is closed and points to the other one, where its units go on with their times. Comments, history, files and calls stay with it and are read together; who may see each of them stays as it was. Takes the right to change the status of both, and to assign where units move.',
      params,
      body: z.object({ into: bodyId }),
      answer: 'nothing',
      run: ({ caller, params: { newsId }, body: { into } }) => tasks.merging.merge(caller, newsId, into),
    }),
    route({
      ...common,
      method: 'DELETE',
      path: '/news/:newsId/merge',
      summary: 'Take a merge back',
      description: 'It has the status of before, and the units that came from it and were not released since.',
      params,
      answer: 'nothing',
      run: ({ caller, params: { newsId } }) => tasks.merging.unmerge(caller, newsId),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/news/:newsId/links',
      summary: 'Link two messages',
      params,
      body: z.object({ newsId: bodyId }),
      answer: 'nothing',
      run: ({ caller, params: { newsId }, body }) => tasks.merging.link(caller, newsId, body.newsId, true),
    }),
    route({
      ...common,
      method: 'DELETE',
      path: '/news/:newsId/links/:otherId',
      summary: 'Unlink two messages',
      params: z.object({ newsId: pathId, otherId: pathId }),
      answer: 'nothing',
      run: ({ caller, params: { newsId, otherId } }) => tasks.merging.link(caller, newsId, otherId, false),
    }),
  ];
}

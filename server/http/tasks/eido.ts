import { z } from 'zod';
import { writeEido, type Incidents } from '../../exchange/eido/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { pathId, queryId } from '../request/fields.ts';

interface EidoRoutesRooms {
  readonly incidents: Incidents;
  readonly tasks: Tasks;
  readonly fleet: Fleet;
  readonly stationId: string;
}

const Taken = z
  .object({
    newsId: z.int(),
    created: z.boolean(),
    comments: z.int().meta({ description: 'Notes that became comments.' }),
  })
  .meta({ id: 'TakenIncident' });
const Incident = z.looseObject({ $id: z.string(), eidoVersion: z.literal('1.0') }).meta({ id: 'Eido' });

/** Tasks and incidents of other systems in the form of NENA. */
export function eidoRoutes({ incidents, tasks, fleet, stationId }: EidoRoutesRooms): DeclaredRoute[] {
  return [
    route({
      family: 'station',
      access: { scope: 'tasks', others: 'user' },
      group: 'news',
      method: 'GET',
      path: '/news/:id/eido',
      summary: 'A task as an Emergency Incident Data Object',
      description:
        'NENA-STA-021.1, version 1.0 (JSON), with the comments that the caller may read and the units on it. A key of the scope `read` or `tasks` may ask.',
      params: z.object({ id: pathId }),
      answer: Incident,
      run: ({ caller, params: { id } }) =>
        writeEido(tasks.get(caller, id), tasks.comments.of(caller, id), { tasks, fleet, stationId }),
    }),
    route({
      family: 'station',
      access: { scope: 'tasks', others: 'user' },
      group: 'news',
      method: 'POST',
      path: '/eido',
      summary: 'Take an Emergency Incident Data Object of another system',
      description:
        'NENA-STA-021.1, version 1.0. A new incident becomes a task of the type `newsTypeId` in the organization `orgId` (else that of the caller); new notes of a known one become its comments. Repeating a message changes nothing. `?token=KEY` with a key of the scope `tasks`.',
      query: z.object({ newsTypeId: queryId, orgId: queryId.optional() }),
      body: z.looseObject({ $id: z.string() }),
      bodyLimit: 2_000_000,
      cost: 2,
      answer: Taken,
      run: async ({ caller, query: { newsTypeId, orgId }, body }) => {
        const { taskId, isNew, comments } = await incidents.take(caller, body, {
          typeId: newsTypeId,
          organizationId: orgId,
        });
        return { newsId: taskId, created: isNew, comments };
      },
    }),
  ];
}

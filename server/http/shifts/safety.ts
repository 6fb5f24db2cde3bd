import { z } from 'zod';
import type { Accounts } from '../../access/accounts/index.ts';
import type { Safety } from '../../dispatch/shifts/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { actingOrganization, instant, pathId, queryId } from '../request/fields.ts';

const Settings = z
  .object({ orgId: z.int(), safetyMinutes: z.int() })
  .meta({ id: 'ShiftSettings', description: '`safetyMinutes` 0: no safety timers.' });
const query = z.object({ orgId: queryId.optional() });
const LONGEST = 24 * 60;
const inStation = { family: 'station', group: 'Shifts' } as const;

/** Safety timers of crews on scene. */
export function safetyRoutes(safety: Safety, accounts: Accounts): DeclaredRoute[] {
  const present = (orgId: number) => ({ orgId, safetyMinutes: safety.minutesOf(orgId) });
  return [
    route({
      ...inStation,
      access: 'user',
      method: 'POST',
      path: '/cars/:id/heard',
      summary: 'A crew was heard: its safety timer begins again',
      description: 'Every status of the crew does so, too.',
      params: z.object({ id: pathId }),
      answer: z.object({ carId: z.int(), at: instant }),
      run: async ({ caller, params }) => {
        const { id, heard } = await safety.heard(caller, params.id);
        return { carId: id, at: heard.at };
      },
    }),
    route({
      ...inStation,
      access: 'user',
      method: 'GET',
      path: '/shifts/settings',
      summary: 'How often crews on scene should be heard',
      query,
      answer: Settings,
      run: ({ caller, query: { orgId } }) => present(actingOrganization(caller, orgId, accounts)),
    }),
    route({
      ...inStation,
      access: 'admin',
      method: 'PUT',
      path: '/shifts/settings',
      summary: 'Set how often crews on scene should be heard',
      description: 'After two missed checks an alarm of priority 2 is raised at every station.',
      query,
      body: z.object({ safetyMinutes: z.int().min(0).max(LONGEST) }),
      answer: Settings,
      run: async ({ caller, query: { orgId }, body }) => {
        const id = actingOrganization(caller, orgId, accounts);
        await safety.setMinutes(caller, id, body.safetyMinutes);
        return present(id);
      },
    }),
  ];
}

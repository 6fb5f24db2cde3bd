import { z } from 'zod';
import type { ResponsePlan } from '../../../shared/records/index.ts';
import { MOST_PLACES, type Fleet } from '../../dispatch/fleet/index.ts';
import { bodyId, pathId, textUpTo } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const idOrNone = z.int().nullable();
export const NeedAnswer = z
  .object({
    kindId: idOrNone.meta({ description: 'null: of any kind' }),
    count: z.int(),
    capabilityIds: z.array(z.int()).meta({ description: 'Each of these vehicles has all of them.' }),
    role: z.string(),
  })
  .meta({ id: 'ResponsePlanNeed' });
const PlanAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    typeIds: z.array(z.int()),
    categoryIds: z.array(z.int()),
    priorities: z.array(z.int()),
    organizationId: idOrNone.meta({ description: 'null: a plan of the whole station' }),
    geozoneId: idOrNone,
    needs: z.array(NeedAnswer),
    tellOrganizationIds: z.array(z.int()),
  })
  .meta({ id: 'ResponsePlan' });

const ids = z.array(bodyId).max(1000);
const bodyIdOrNone = bodyId.nullable().transform((id) => id ?? 0);
export const Need = z.object({
  kindId: bodyIdOrNone.default(0),
  count: z.int().min(1).max(MOST_PLACES).default(1),
  capabilityIds: z.array(bodyId).max(50).default([]),
  role: textUpTo(100).default(''),
});
const PlanBody = z.object({
  name: textUpTo(100).optional(),
  typeIds: ids.optional(),
  categoryIds: ids.optional(),
  priorities: z.array(z.int().min(1).max(4)).max(4).optional(),
  organizationId: bodyIdOrNone.optional(),
  geozoneId: bodyIdOrNone.optional(),
  needs: z.array(Need).max(MOST_PLACES).optional(),
  tellOrganizationIds: ids.optional(),
});
const params = z.object({ id: pathId });
const inB = { family: 'B', group: 'Response plans' } as const;

/** Which vehicles a call needs. Administrators write the plans of their organization, superusers all. */
export function responsePlanRoutes({ plans }: Fleet): DeclaredRoute[] {
  return [
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/response-plans',
      summary: 'Response plans',
      answer: z.array(PlanAnswer),
      description:
        'Of the plans whose conditions hold, the most specific applies: one with a type before one without, then category, priority, geozone, organisation.',
      run: ({ caller }) => plans.list(caller).map(presentPlan),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/response-plans',
      summary: 'Make a response plan',
      body: PlanBody.required({ needs: true }).extend({ name: textUpTo(100) }),
      answer: PlanAnswer,
      description:
        'A condition that is not given always holds. `organizationId` null is a plan of the whole station, which those who administer every organisation write.',
      run: async ({ caller, body }) => presentPlan(await plans.create(caller, body)),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/response-plans/:id',
      summary: 'One response plan',
      params,
      answer: PlanAnswer,
      run: ({ caller, params }) => presentPlan(plans.get(caller, params.id)),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/response-plans/:id',
      summary: 'Change a response plan',
      params,
      body: PlanBody,
      answer: PlanAnswer,
      description: 'What is not sent stays; `needs` is replaced as a whole.',
      run: async ({ caller, params, body }) => presentPlan(await plans.change(caller, params.id, body)),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/response-plans/:id',
      summary: 'Delete a response plan',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => plans.delete(caller, params.id),
    }),
  ];
}

function presentPlan({
  id,
  name,
  typeIds,
  categoryIds,
  priorities,
  organizationId,
  geozoneId,
  needs,
  tellOrganizationIds,
}: ResponsePlan): z.input<typeof PlanAnswer> {
  return {
    id,
    name,
    typeIds,
    categoryIds,
    priorities,
    organizationId: organizationId || null,
    geozoneId: geozoneId || null,
    needs: needs.map((need) => ({ ...need, kindId: need.kindId || null })),
    tellOrganizationIds,
  };
}

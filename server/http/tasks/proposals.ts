import { z } from 'zod';
import type { Caller } from '../../access/accounts/index.ts';
import { shortfallText, type Fleet, type ProposedResponse, type RecommendOptions } from '../../dispatch/fleet/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Task } from '../../../shared/records/index.ts';
import { priorityOf } from '../../../shared/tasks/priority.ts';
import { activeUnits } from '../../../shared/tasks/units.ts';
import { bodyId, pathId } from '../request/fields.ts';
import { Need, NeedAnswer } from '../fleet/response-plans.ts';
import { presentRecommendation, Recommendation } from './task-presenters.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const Named = z.object({ id: z.int(), name: z.string() });
const seconds = z.int().nullable();
const ProposalAnswer = z
  .object({
    plan: Named.extend({ tell: z.array(Named).meta({ description: 'Organisations to tell' }) }).nullable(),
    units: z.array(
      Recommendation.extend({
        name: z.string(),
        kindId: z.int().nullable(),
        role: z.string(),
        arrivesAt: z.int().nullable().meta({ description: 'epoch ms' }),
      }).meta({ id: 'ProposedUnit' }),
    ),
    short: z.array(
      NeedAnswer.extend({
        what: z.string().meta({ description: 'The kind and the capabilities in words' }),
        nearest: z
          .object({
            carId: z.int(),
            name: z.string(),
            time: seconds,
            busyWith: z.int().nullable(),
            reasonCodes: z.array(z.looseObject({ code: z.string() })),
          })
          .nullable(),
        text: z.string(),
      }),
    ),
    cover: z.array(
      z
        .object({ district: Named, kind: Named })
        .meta({ description: 'The district keeps no free vehicle of the kind.' }),
    ),
    others: z.array(Recommendation),
  })
  .meta({ id: 'Proposal' });

const inA = { family: 'A', access: 'user', group: 'Messages', bare: true } as const;

interface ProposalRoom {
  readonly tasks: Tasks;
  readonly fleet: Fleet;
  readonly travelTimes: RecommendOptions['travelTimes'];
  now(): number;
}

/** The vehicles that a call needs, by its response plan. Declared before `/news/:newsId`. */
export function proposalRoutes({ tasks, fleet, travelTimes, now }: ProposalRoom): DeclaredRoute[] {
  const present = (proposal: ProposedResponse) => presentProposal(proposal, fleet, tasks, now());
  return [
    route({
      ...inA,
      method: 'GET',
      path: '/news/:newsId/proposal',
      summary: 'The vehicles that a message needs',
      params: z.object({ newsId: pathId }),
      answer: ProposalAnswer,
      description:
        'The set of free vehicles that fulfils the response plan soonest: as many places as possible, then the earliest last arrival. Vehicles that are on the message already count. Without a plan it is the first of the recommendations.',
      run: async ({ caller, params }) => {
        const task = tasks.get(caller, params.newsId);
        if (!task.point) throw new Refusal('tasks.noPoint');
        const busy = tasks.units.openByVehicle();
        const call = callOf(task, tasks);
        const sent = new Set(activeUnits(task).map(({ vehicleId }) => vehicleId));
        const gaveBack = tasks.units.gaveBack(task);
        return present(await fleet.proposals.propose(caller, task.point, { travelTimes, busy, gaveBack, call }, sent));
      },
    }),
    route({
      ...inA,
      method: 'POST',
      path: '/proposals',
      summary: 'The vehicles that a call needs',
      body: z.object({
        lat: z.number().min(-90).max(90),
        lon: z.number().min(-180).max(180),
        news_type_id: bodyId.nullish(),
        category_id: bodyId.nullish(),
        priority: z.int().min(1).max(4).nullish(),
        needs: z.array(Need).max(10).optional().meta({ description: 'Besides those of the plan, where one applies' }),
      }),
      answer: ProposalAnswer,
      onStandby: true,
      description:
        'The same while a message is still being written. The priority is the category’s when it is not given.',
      run: async ({ caller, body: { lat, lon, news_type_id: typeId, category_id: categoryId, priority, needs } }) => {
        const busy = tasks.units.openByVehicle();
        const call = draftCall(caller, { typeId, categoryId, priority }, tasks);
        const asked = { travelTimes, busy, call: { ...call, ...(needs && { needs }) } };
        return present(await fleet.proposals.propose(caller, { lat, lon }, asked));
      },
    }),
  ];
}

/** The facts that decide which plan applies to a task. */
export function callOf(
  task: Pick<Task, 'typeId' | 'categoryId' | 'organizationId' | 'assignedOrganizationId' | 'priority'>,
  tasks: Tasks,
): NonNullable<RecommendOptions['call']> {
  const { typeId, categoryId, organizationId, assignedOrganizationId } = task;
  return {
    typeId,
    categoryId,
    priority: priorityOf(task, tasks.categories.get(categoryId)),
    organizationIds: [organizationId, assignedOrganizationId],
  };
}

/** The same for an unsaved call. */
export function draftCall(
  { user }: Caller,
  {
    typeId,
    categoryId,
    priority,
  }: Readonly<Partial<Record<'typeId' | 'categoryId' | 'priority', number | null | undefined>>>,
  tasks: Tasks,
): NonNullable<RecommendOptions['call']> {
  return callOf(
    {
      typeId: typeId ?? 0,
      categoryId: categoryId ?? 0,
      priority: priority ?? 0,
      organizationId: user.organizationId,
      assignedOrganizationId: 0,
    },
    tasks,
  );
}

function presentProposal(
  { plan, units, short, cover, others, viewOf }: ProposedResponse,
  fleet: Fleet,
  tasks: Tasks,
  now: number,
): z.input<typeof ProposalAnswer> {
  const kindName = (id: number) => fleet.kinds.mirror.get(id)?.name ?? '';
  return {
    plan: plan
      ? {
          id: plan.id,
          name: plan.name,
          tell: plan.tellOrganizationIds.map((id) => ({ id, name: tasks.organizations.get(id)?.name ?? '' })),
        }
      : null,
    units: units.map(({ entry, role }) => {
      const { vehicle } = entry.candidate;
      return {
        ...presentRecommendation({ ...entry, view: viewOf(entry) }),
        name: vehicle.name,
        kindId: vehicle.kindId || null,
        role,
        arrivesAt: entry.time === undefined ? null : now + entry.time * 1000,
      };
    }),
    short: short.map((shortfall) => {
      const { need, count, nearest } = shortfall;
      const capabilities = need.capabilityIds.map((id) => fleet.capabilities.mirror.get(id)?.name ?? '');
      const what = [kindName(need.kindId), ...capabilities].filter(Boolean).join(', ');
      return {
        ...need,
        kindId: need.kindId || null,
        count,
        what,
        nearest: nearest
          ? {
              carId: nearest.candidate.vehicle.id,
              name: nearest.candidate.vehicle.name,
              time: nearest.time ?? null,
              busyWith: nearest.candidate.busyWith?.id ?? null,
              reasonCodes: nearest.reasons.map((reason) => ({ ...reason })),
            }
          : null,
        text: shortfallText(shortfall, what),
      };
    }),
    cover: cover.map(({ district, kindId }) => ({
      district: { id: district.id, name: district.name },
      kind: { id: kindId, name: kindName(kindId) },
    })),
    others: others.map((entry) => presentRecommendation({ ...entry, view: viewOf(entry) })),
  };
}

import { z } from 'zod';
import type { Caller } from '../../access/accounts/index.ts';
import type { Fleet, RecommendOptions } from '../../dispatch/fleet/index.ts';
import type { CountFilter, Tasks } from '../../dispatch/tasks/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { callOf, draftCall } from './proposals.ts';
import { createdAttachments, updatedAttachments } from './attachment-requests.ts';
import { bodyId, pathId, queryId, queryInt, queryLat, queryLon } from '../request/fields.ts';
import {
  CommentItem,
  HistoryItem,
  NewsDetail,
  NewsItem,
  NewsUnit,
  presentComment,
  presentHistory,
  presentNews,
  presentNewsDetail,
  presentRecommendation,
  presentShortNews,
  presentUnits,
  Recommendation,
  ShortNews,
} from './task-presenters.ts';
import {
  CountQuery,
  CreateBody,
  createOrder,
  listQuery,
  ListQueryParameters,
  ReleaseBody,
  SendBody,
  StatsQuery,
  UnitBody,
  UpdateBody,
  updateComment,
  updateOrder,
  wholeSecond,
} from './task-requests.ts';
import { presentStats, presentStatuses, StatsAnswer, StatusCount } from './task-stats.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

interface NewsRoom {
  tasks: Tasks;
  fleet: Fleet;
  travelTimes: RecommendOptions['travelTimes'];
  /** The vehicles on which somebody is on duty. */
  ownVehicleIds(by: Caller): readonly number[];
  now(): number;
}

const params = z.object({ newsId: pathId });
const unitParams = z.object({ newsId: pathId, carId: pathId });
const inA = { family: 'A', access: 'user', group: 'Messages' } as const;

/** A. Tasks. Declare other paths below `/news/` that are not ids (`/news/states` …) before these. */
export function newsRoutes({ tasks, fleet, travelTimes, ownVehicleIds, now }: NewsRoom): DeclaredRoute[] {
  const recommend = async (
    caller: Caller,
    place: { lat: number; lon: number },
    facts: Pick<RecommendOptions, 'call' | 'gaveBack'>,
  ) => {
    const busy = tasks.units.openByVehicle();
    const ranked = await fleet.proposals.recommend(caller, place, { travelTimes, busy, ...facts });
    return ranked.map(presentRecommendation);
  };

  return [
    route({
      ...inA,
      method: 'POST',
      path: '/news/',
      summary: 'Create a message',
      body: CreateBody,
      answer: z.object({ newsId: z.int() }),
      description:
        '`values.title` and `values.news_type_id` are needed. The department is the author’s and the date is now when they are not sent.',
      run: async ({ caller, body }) => ({
        newsId: (await tasks.create(caller, createOrder(body, now()), createdAttachments(body), body.values.photo_main))
          .id,
      }),
    }),
    route({
      ...inA,
      method: 'GET',
      path: '/news/listAfterId/:newsAfterId/:limit{/:confirmedType}',
      summary: 'Messages, page by page',
      query: ListQueryParameters,
      description:
        'The page starts after the message `newsAfterId` in the asked order, also when that was deleted or is no longer shown to the caller; 0 starts at the first. `limit` 0 is 50, the greatest is 500. `count_news` counts all pages. `withUnits` adds the units of each.',
      params: z.object({ newsAfterId: pathId, limit: pathId, confirmedType: queryInt(0, 2).optional() }),
      answer: z.object({ news_list: z.array(NewsItem), count_news: z.int() }),
      run: async ({ caller, params, query }) => {
        const asked = listQuery(query, params);
        if (query.forMe === true) asked.ownVehicleIds = ownVehicleIds(caller);
        const { tasks: found, count } = await tasks.lists.list(caller, asked);
        return {
          news_list: found.map((task) => ({
            ...presentNews(task, tasks, now()),
            ...(query.withUnits === true && { units: presentUnits(task, fleet) }),
          })),
          count_news: count,
        };
      },
    }),
    route({
      ...inA,
      method: 'GET',
      path: '/news/count',
      summary: 'How many messages there are',
      query: CountQuery,
      description: 'Counts the current messages that the caller may see; `withArchive` adds the archived ones.',
      answer: z.object({ countNews: z.int(), statuses: z.array(StatusCount) }),
      run: async ({ caller, query }) => {
        const { total, byStatus } = await tasks.lists.count(caller, countFilter(query));
        return { countNews: total, statuses: presentStatuses(byStatus) };
      },
    }),
    route({
      ...inA,
      method: 'GET',
      path: '/news/stats',
      summary: 'How many messages there are of each kind',
      query: StatsQuery,
      answer: StatsAnswer,
      description:
        'Counts the current messages that the caller may see; `withArchive` adds the archived ones. Only what has messages is listed.',
      run: async ({ caller, query }) => presentStats(await tasks.lists.stats(caller, countFilter(query))),
    }),
    route({
      ...inA,
      method: 'GET',
      path: '/news/:newsId',
      summary: 'One message',
      params,
      answer: z.object({ news_data: NewsDetail }),
      run: ({ caller, params }) => ({
        news_data: presentNewsDetail(tasks.get(caller, params.newsId), tasks, fleet, now()),
      }),
    }),
    route({
      ...inA,
      method: 'POST',
      path: '/news/:newsId/',
      summary: 'Delete or restore a message',
      params,
      answer: 'nothing',
      description: 'Deletion is logical; an administrator restores with `{action: "restore"}`.',
      body: z.object({ action: z.enum(['delete', 'restore']) }),
      run: ({ caller, params, body }) =>
        body.action === 'delete' ? tasks.delete(caller, params.newsId) : tasks.restore(caller, params.newsId),
    }),
    // New programs send PUT, older clients POST.
    ...(['POST', 'PUT'] as const).map((method) =>
      route({
        ...inA,
        method,
        path: '/news/:newsId/update',
        summary: 'Change a message',
        params,
        body: UpdateBody,
        answer: 'nothing',
        description:
          'What is not sent stays, of the date each part too. Assigning a new message makes it assigned; taking the last assignee of an assigned one away makes it new again, unless a status is sent. `assigned_car_id` is the vehicle that serves the message; 0 takes it away.',
        run: async ({ caller, params, body }) =>
          void (await tasks.update(
            caller,
            params.newsId,
            updateOrder(body, () => tasks.get(caller, params.newsId).date),
            updateComment(body),
            updatedAttachments(body),
          )),
      }),
    ),
    route({
      ...inA,
      method: 'POST',
      path: '/news/:newsId/units',
      summary: 'Send vehicles to a message',
      params,
      body: SendBody,
      answer: z.object({ units: z.array(NewsUnit), left: z.array(z.object({ newsId: z.int(), carId: z.int() })) }),
      description:
        'All or none. Their crews are en route from then on; a new message becomes assigned, and the first vehicle leads where none did. `role` is for all of them, `roles` has one for each. A vehicle that another open message has is refused with 409, unless `anyway` is true: it serves both; or `move`: it leaves the others in the same step. `from` names messages that it leaves in this step; the rule is then about the rest. `left` names all that were left.',
      run: async ({ caller, params, body }) => {
        const { carIds, role = '', roles = [], anyway = false, move = false, from = [] } = body;
        const sent = carIds.map((vehicleId, index) => ({ vehicleId, role: roles[index] ?? role }));
        const busy = move ? 'move' : anyway ? 'anyway' : 'refuse';
        const { task, left } = await tasks.units.send(caller, params.newsId, sent, busy, from);
        return {
          units: presentUnits(task, fleet),
          left: left.map(({ taskId, vehicleId }) => ({ newsId: taskId, carId: vehicleId })),
        };
      },
    }),
    route({
      ...inA,
      method: 'POST',
      path: '/news/:newsId/units/release',
      summary: 'Release units from a message',
      params,
      body: ReleaseBody,
      answer: z.object({ units: z.array(NewsUnit) }),
      description: 'All or none, each as when it is released by itself.',
      run: async ({ caller, params, body }) => ({
        units: presentUnits(await tasks.units.release(caller, params.newsId, body.carIds), fleet),
      }),
    }),
    route({
      ...inA,
      method: 'PUT',
      path: '/news/:newsId/units/:carId',
      summary: 'Change a unit of a message',
      params: unitParams,
      body: UnitBody,
      answer: z.object({ units: z.array(NewsUnit) }),
      description:
        '`status` is the digit of the crew’s status, as with `PUT /cars/{id}/status`. `lead` makes it the lead.',
      run: async ({ caller, params, body }) => ({
        units: presentUnits(await tasks.units.change(caller, params.newsId, params.carId, body), fleet),
      }),
    }),
    route({
      ...inA,
      method: 'DELETE',
      path: '/news/:newsId/units/:carId',
      summary: 'Release a unit from a message',
      params: unitParams,
      answer: z.object({ units: z.array(NewsUnit) }),
      description:
        'The unit stays in the list with `clearAt`; released within 15 s of being sent, it was never sent. When the lead is released, the unit that was sent first of the rest leads.',
      run: async ({ caller, params }) => ({
        units: presentUnits(await tasks.units.release(caller, params.newsId, [params.carId]), fleet),
      }),
    }),
    route({
      ...inA,
      method: 'GET',
      path: '/news/:newsId/shortdata',
      summary: 'The head of a message',
      params,
      answer: z.object({ news: ShortNews }),
      run: ({ caller, params }) => ({ news: presentShortNews(tasks.get(caller, params.newsId)) }),
    }),
    route({
      ...inA,
      method: 'GET',
      path: '/news/:newsId/text',
      summary: 'The text of a message',
      params,
      answer: z.object({ text: z.string() }),
      run: ({ caller, params }) => ({ text: tasks.get(caller, params.newsId).text }),
    }),
    route({
      ...inA,
      method: 'GET',
      path: '/news/:newsId/point',
      summary: 'The point of a message',
      params,
      answer: z.object({ point: z.array(z.string()).nullable() }),
      run: ({ caller, params }) => {
        const { point } = tasks.get(caller, params.newsId);
        return { point: point && [String(point.lon), String(point.lat)] };
      },
    }),
    route({
      ...inA,
      method: 'GET',
      path: '/news/:newsId/history',
      summary: 'Who changed what',
      params,
      answer: z.object({ history: z.array(HistoryItem) }),
      run: ({ caller, params }) => ({
        history: tasks.historyOf(caller, params.newsId).map((entry) => presentHistory(entry, tasks)),
      }),
    }),
    route({
      ...inA,
      method: 'GET',
      path: '/news/:newsId/comments',
      summary: 'Comments, as a tree in reading order',
      params,
      answer: z.object({ comments: z.array(CommentItem) }),
      run: ({ caller, params }) => ({
        comments: tasks.comments.of(caller, params.newsId).map((comment) => presentComment(comment, tasks)),
      }),
    }),
    route({
      ...inA,
      method: 'POST',
      path: '/news/:newsId/comments',
      summary: 'Comment on a message',
      params,
      answer: 'nothing',
      body: z.object({
        action: z.literal('post').optional(),
        comment: z.string().min(1),
        reference_id: z
          .union(
            [z.null().transform(() => 0), z.literal('').transform(() => 0), bodyId],
            fieldRule('field.type', { expected: 'a whole number' }),
          )
          .optional(),
      }),
      run: async ({ caller, params, body }) =>
        void (await tasks.comments.add(caller, params.newsId, { text: body.comment, parentId: body.reference_id })),
    }),
    route({
      ...inA,
      bare: true,
      method: 'GET',
      path: '/news/:newsId/recommendations',
      summary: 'Vehicles for a message, by road time',
      params,
      answer: z.array(Recommendation),
      description:
        'Best first; the passed-over ones last, each with its reasons in words and as codes. Vehicles that the response plan does not ask for are passed over.',
      run: async ({ caller, params }) => {
        const task = tasks.get(caller, params.newsId);
        if (!task.point) throw new Refusal('tasks.noPoint');
        return recommend(caller, task.point, { call: callOf(task, tasks), gaveBack: tasks.units.gaveBack(task) });
      },
    }),
    route({
      ...inA,
      bare: true,
      method: 'GET',
      path: '/recommendations',
      summary: 'Vehicles for a place, by road time',
      query: z.object({
        lon: queryLon,
        lat: queryLat,
        news_type_id: queryId.optional(),
        category_id: queryId.optional(),
        priority: queryInt(0, 4).optional(),
      }),
      answer: z.array(Recommendation),
      description: 'The same while a message is still being written.',
      run: ({ caller, query: { lat, lon, news_type_id, category_id, priority } }) =>
        recommend(
          caller,
          { lat, lon },
          { call: draftCall(caller, { typeId: news_type_id, categoryId: category_id, priority }, tasks) },
        ),
    }),
  ];
}

function countFilter(query: Partial<z.output<typeof CountQuery>>): CountFilter {
  return {
    from: query.date_from,
    until: wholeSecond(query.date_till),
    categoryIds: query.category_id,
    typeIds: query.type_id,
    statusIds: query.status_id,
    organizationIds: query.department_id,
    assignedOrganizationIds: query.assigned_department_id,
    withArchive: query.withArchive,
  };
}

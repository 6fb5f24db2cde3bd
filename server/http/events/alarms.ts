import { z } from 'zod';
import { alarmState, sounds } from '../../../shared/events/alarms.ts';
import { among } from '../../../shared/filters.ts';
import {
  AlarmRule as AlarmRuleShape,
  InBothLanguages,
  type AlarmRecord,
  type AlarmRule,
} from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Accounts, Caller } from '../../access/accounts/index.ts';
import type { Alarms } from '../../tracking/events/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import {
  eventIdField,
  instant,
  LAST_ID,
  actingOrganization,
  queryId,
  queryIds,
  queryInstant,
  queryLimit,
  textUpTo,
} from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const DEFAULT_LIMIT = 100;
const MOST = 1000;
const WEEK = 7 * 24 * 3_600_000;

const State = z.enum(['unacknowledged', 'acknowledged', 'shelved', 'cleared']);
const Person = z.object({ id: z.int(), name: z.string() });
const instantOrNull = z.int().nullable();

export const AlarmItem = z
  .object({
    id: z.int(),
    priority: z.int().meta({ description: '1 emergency alarm, 2 alarm, 3 warning, 4 caution' }),
    state: State,
    since: z.int().meta({ description: 'when the situation began, epoch ms' }),
    raisedAt: z.int().meta({ description: 'when operators were last alerted' }),
    goneAt: instantOrNull.meta({ description: 'when its cause was gone; null while it lasts' }),
    clearedAt: instantOrNull,
    event: z.int().nullable(),
    eventType: z.int().nullable(),
    message: z.int().nullable(),
    carId: z.int().nullable(),
    glonassId: z.int().nullable(),
    carName: z.string(),
    carNo: z.string(),
    organizationId: z.int(),
    rule: z.string(),
    name: InBothLanguages,
    response: z
      .string()
      .meta({ description: 'what to do about it, in the language of `Accept-Language` (ru, else en)' }),
    responses: InBothLanguages,
    info: z.string(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    occurrences: z.int().meta({ description: 'how often it came; more than 1: it came again, and is still one alarm' }),
    withdrawn: z.boolean().meta({ description: 'late records showed that it never was' }),
    sounding: z.boolean().meta({ description: 'to be heard: unacknowledged and not silenced; a caution is silent' }),
    silencedUntil: instantOrNull,
    acknowledgedBy: Person.nullable(),
    acknowledgedAt: instantOrNull,
    comment: z.string(),
    shelved: z.object({ by: Person, at: z.int(), until: z.int(), reason: z.string() }).nullable(),
    assignedTo: Person.nullable(),
  })
  .meta({ id: 'Alarm' });

const Flood = z.object({
  count: z.int(),
  since: z.int(),
  groups: z.array(
    z.object({ rule: z.string(), name: InBothLanguages, priority: z.int(), count: z.int(), alarms: z.array(z.int()) }),
  ),
});
const Summary = z
  .object({
    unacknowledged: z.int(),
    acknowledged: z.int(),
    shelved: z.int(),
    byPriority: z.object({ 1: z.int(), 2: z.int(), 3: z.int(), 4: z.int() }),
    sounding: z.boolean(),
    flood: Flood.nullable().meta({ description: 'more than 10 in 10 minutes: show groups instead of single alarms' }),
  })
  .meta({ id: 'AlarmSummary' });
const Rate = z
  .object({
    from: z.int(),
    till: z.int(),
    raised: z.int(),
    operators: z.array(z.object({ id: z.int(), name: z.string(), acknowledged: z.int(), meanAnswer: z.int() })),
    per10Minutes: z.number(),
    mostIn10Minutes: z.int(),
    floods: z.array(z.object({ from: z.int(), till: z.int(), count: z.int() })),
    floodShare: z.number(),
    standing: z.int(),
    standingShare: z.number(),
    byPriority: z.object({ 1: z.int(), 2: z.int(), 3: z.int(), 4: z.int() }),
    byRule: z.array(z.object({ rule: z.string(), name: InBothLanguages, count: z.int() })),
  })
  .meta({ id: 'AlarmRate' });
const Rule = AlarmRuleShape.meta({ id: 'AlarmRule' });

const params = z.object({ id: eventIdField('an alarm') });
const words = textUpTo(1000);
const common = { family: 'station', access: 'user', group: 'Alarms' } as const;

interface AlarmRooms {
  accounts: Pick<Accounts, 'administration'>;
  alarms: Alarms;
  fleet: Fleet;
  nameOfUser(id: number): string;
  now(): number;
}

/** Alarms, which operators have to acknowledge. */
export function alarmRoutes(rooms: AlarmRooms): DeclaredRoute[] {
  const { alarms, now } = rooms;
  const present = (alarm: AlarmRecord, language?: string) => presentAlarm(alarm, rooms, language);
  return [
    route({
      ...common,
      method: 'GET',
      path: '/alarms',
      summary: 'Alarms',
      answer: z.array(AlarmItem),
      description:
        'Those that are open, the most urgent first. With `from` or `till` (epoch ms) those that were raised in that span, the cleared ones too, newest first; the list goes on after the alarm `after`. `state` (several, separated by commas), `priority` and `cars` narrow both.',
      query: z.object({
        state: textUpTo(100).optional(),
        priority: queryIds.optional(),
        cars: queryIds.optional(),
        from: queryInstant.optional(),
        till: queryInstant.optional(),
        after: eventIdField('an alarm').optional(),
        limit: queryLimit(1_000_000),
      }),
      run: ({
        caller,
        query: { state, priority: priorities, cars: vehicleIds, from, till, after, limit },
        request,
      }) => {
        const states = statesOf(state);
        const most = Math.min(limit ?? DEFAULT_LIMIT, MOST);
        const [isOfVehicles, isOfPriorities] = [among(vehicleIds), among(priorities)];
        const inState = (alarm: AlarmRecord) => states === undefined || states.has(alarmState(alarm, now()));
        const past = from !== undefined || till !== undefined || after !== undefined || states?.has('cleared');
        const found = past
          ? alarms.list(caller, { from, until: till, after, vehicleIds, priorities, limit: most }, inState)
          : alarms
              .open(caller)
              .filter((alarm) => inState(alarm) && isOfPriorities(alarm.priority) && isOfVehicles(alarm.vehicleId))
              .slice(0, limit ? most : MOST);
        return found.map((alarm) => present(alarm, acceptedLanguage(request)));
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/alarms/summary',
      summary: 'How many alarms are open, and whether they are a flood',
      answer: Summary,
      run: ({ caller }) => summaryOf(alarms, caller, now()),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/alarms/stats',
      summary: 'The alarm rate',
      answer: Rate,
      description:
        'Of alarms raised from `from` to `till` (epoch ms; the last 7 days when not given): mean number in 10 minutes for each operator who answered some, floods, what stood for more than a day, the rules that raised most. Times in ms.',
      query: z.object({ from: queryInstant.optional(), till: queryInstant.optional() }),
      run: ({ caller, query }) => {
        const till = query.till ?? now();
        const { from, until, raised, operators, per10Minutes, mostIn10Minutes, floods, ...rest } = structuredClone(
          alarms.rate(caller, query.from ?? Math.max(0, till - WEEK), till),
        );
        return {
          from,
          till: until,
          raised,
          operators,
          per10Minutes,
          mostIn10Minutes,
          floods: floods.map((flood) => ({ from: flood.from, till: flood.until, count: flood.count })),
          ...rest,
        } as z.input<typeof Rate>;
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/alarms/rules',
      summary: 'What raises an alarm',
      answer: z.array(Rule),
      description:
        'The rules of the caller’s organisation, or of `organizationId`; the usual ones until an administrator changes them.',
      query: z.object({ organizationId: queryId.optional() }),
      run: ({ caller, query }) => [
        ...alarms.rules.of(actingOrganization(caller, query.organizationId, rooms.accounts)),
      ],
    }),
    route({
      ...common,
      access: 'admin',
      method: 'PUT',
      path: '/alarms/rules',
      summary: 'Change what raises an alarm',
      body: z.array(Rule).max(100),
      answer: z.array(Rule),
      description: 'Replaces the whole list. A rule without a response is refused: what nobody can answer is an event.',
      query: z.object({ organizationId: queryId.optional() }),
      run: async ({ caller, query, body }) => [
        ...(await alarms.rules.replace(
          caller,
          actingOrganization(caller, query.organizationId, rooms.accounts),
          body as AlarmRule[],
        )),
      ],
    }),
    route({
      ...common,
      method: 'POST',
      path: '/alarms/silence',
      summary: 'Silence all sounds for 30 seconds',
      answer: z.array(AlarmItem),
      description: 'What is not acknowledged by then sounds again; what is raised meanwhile sounds at once.',
      run: async ({ caller, request }) =>
        (await alarms.silence(caller)).map((alarm) => present(alarm, acceptedLanguage(request))),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/alarms/:id',
      summary: 'One alarm',
      params,
      answer: AlarmItem,
      run: ({ caller, params, request }) => present(alarms.get(caller, params.id), acceptedLanguage(request)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/alarms/:id/acknowledge',
      summary: 'Acknowledge an alarm',
      params,
      body: z.object({ comment: words.nullish() }),
      answer: AlarmItem,
      description: 'It stays, steady, until its cause is gone, and is cleared then. The first of two operators stands.',
      run: async ({ caller, params, body, request }) =>
        present(await alarms.acknowledge(caller, params.id, body.comment ?? ''), acceptedLanguage(request)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/alarms/:id/shelve',
      summary: 'Put an alarm aside for a while',
      params,
      body: z.object({ until: instant, reason: words }),
      answer: AlarmItem,
      description:
        'Until an instant within 24 hours (epoch ms), for a reason. Then it is alerted again, or cleared when its cause went meanwhile. An emergency alarm cannot be shelved.',
      run: async ({ caller, params, body, request }) =>
        present(await alarms.shelve(caller, params.id, body.until, body.reason), acceptedLanguage(request)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/alarms/:id/unshelve',
      summary: 'Take an alarm off the shelf',
      params,
      answer: AlarmItem,
      run: async ({ caller, params, request }) =>
        present(await alarms.unshelve(caller, params.id), acceptedLanguage(request)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/alarms/:id/assign',
      summary: 'Say who takes care of an alarm',
      params,
      body: z.object({ userId: z.int().min(0).max(LAST_ID).nullable() }),
      answer: AlarmItem,
      description: '`userId` null or 0: nobody in particular.',
      run: async ({ caller, params, body, request }) =>
        present(await alarms.assign(caller, params.id, body.userId ?? 0), acceptedLanguage(request)),
    }),
  ];
}

export function acceptedLanguage(request: { headers: { 'accept-language'?: string | undefined } }): string {
  return request.headers['accept-language'] ?? '';
}

/** An alarm in lists and in `ALARM_UPDATES`. */
export function presentAlarm(
  alarm: AlarmRecord,
  { fleet, nameOfUser, now }: Pick<AlarmRooms, 'fleet' | 'nameOfUser' | 'now'>,
  language = '',
): z.input<typeof AlarmItem> {
  const vehicle = alarm.vehicleId > 0 ? fleet.get(alarm.vehicleId) : undefined;
  const person = (id: number) => (id === 0 ? null : { id, name: nameOfUser(id) });
  const orNull = (number: number) => (number === 0 ? null : number);
  return {
    id: alarm.id,
    priority: alarm.priority,
    state: alarmState(alarm, now()),
    since: alarm.since,
    raisedAt: alarm.raisedAt,
    goneAt: orNull(alarm.goneAt),
    clearedAt: orNull(alarm.clearedAt),
    event: orNull(alarm.eventId),
    eventType: orNull(alarm.eventType),
    message: orNull(alarm.taskId),
    carId: orNull(alarm.vehicleId),
    glonassId: vehicle?.glonassId ?? null,
    carName: vehicle?.name ?? '',
    carNo: vehicle?.plate ?? '',
    organizationId: alarm.organizationId,
    rule: alarm.rule,
    name: alarm.name,
    response: /^ru\b/i.test(language) ? alarm.response.ru : alarm.response.en,
    responses: alarm.response,
    info: alarm.info,
    lat: alarm.lat,
    lon: alarm.lon,
    occurrences: alarm.occurrences,
    withdrawn: alarm.withdrawn,
    sounding: sounds(alarm, now()),
    silencedUntil: orNull(alarm.silencedUntil),
    acknowledgedBy: person(alarm.acknowledgedBy),
    acknowledgedAt: orNull(alarm.acknowledgedAt),
    comment: alarm.comment,
    shelved:
      alarm.shelvedUntil === 0
        ? null
        : {
            by: person(alarm.shelvedBy) ?? { id: 0, name: '' },
            at: alarm.shelvedAt,
            until: alarm.shelvedUntil,
            reason: alarm.shelveReason,
          },
    assignedTo: person(alarm.assignedTo),
  };
}

function summaryOf(alarms: Alarms, caller: Caller, now: number): z.input<typeof Summary> {
  const open = alarms.open(caller);
  const inState = (state: z.infer<typeof State>) => open.filter((alarm) => alarmState(alarm, now) === state);
  const ofPriority = (priority: number) => open.filter((alarm) => alarm.priority === priority).length;
  const flood = alarms.flood(caller);
  return {
    unacknowledged: inState('unacknowledged').length,
    acknowledged: inState('acknowledged').length,
    shelved: inState('shelved').length,
    byPriority: { 1: ofPriority(1), 2: ofPriority(2), 3: ofPriority(3), 4: ofPriority(4) },
    sounding: open.some((alarm) => sounds(alarm, now)),
    flood: flood && { ...flood, groups: groupsOf(inState('unacknowledged')) },
  };
}

/** Groups alarms by rule; the most severe and largest groups first. */
function groupsOf(alarms: readonly AlarmRecord[]): z.input<typeof Flood>['groups'] {
  const groups = Map.groupBy(alarms, ({ rule, priority }) => `${rule}|${priority}`);
  return [...groups.values()]
    .map((group) => ({
      rule: group[0]!.rule,
      name: group[0]!.name,
      priority: group[0]!.priority as number,
      count: group.length,
      alarms: group.map(({ id }) => id),
    }))
    .sort((a, b) => a.priority - b.priority || b.count - a.count);
}

function statesOf(text: string | undefined): Set<z.infer<typeof State>> | undefined {
  if (text === undefined || text === '') return undefined;
  return new Set(
    text.split(',').map((word) => {
      const parsed = State.safeParse(word.trim());
      if (!parsed.success) throw new Refusal('field.someOf', { field: 'state', values: State.options.join(', ') });
      return parsed.data;
    }),
  );
}

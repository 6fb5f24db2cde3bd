import { z } from 'zod';
import { CHANGE_TYPES, type ChangeType } from '../../../shared/change-types.ts';
import { LIVE_LIMITS } from '../../../shared/live-limits.ts';
import { Refused } from '../app/common-answers.ts';
import { AlarmItem } from '../events/alarms.ts';
import { EventItem } from '../events/events.ts';
import { CarUpdate } from '../fleet/vehicle-presenters.ts';
import { ImportAnswer } from '../map/territory.ts';
import { ClosureAnswer } from '../routing/closures.ts';
import { LinkAnswer } from '../sync/link-answer.ts';
import { SyncStateAnswer } from '../sync/sync-state-answer.ts';
import { CommentItem, NewsItem, NewsUnit } from '../tasks/task-presenters.ts';
import { GlonassIds } from './followed-vehicles.ts';
import { OpenTasks } from './presence.ts';
import { FED_COLLECTIONS, wireNameOf } from './replica-feed.ts';

export interface MessageSchema {
  readonly summary: string;
  readonly data: z.ZodType;
}

const Noticed = z.enum([...FED_COLLECTIONS.map(wireNameOf), 'merges']);

/** Messages that a client sends, by command. */
export const CLIENT_MESSAGES = {
  SET_OBSERVABLE_CARS: {
    summary: `Follows exactly these vehicles, by glonassId; at most ${LIVE_LIMITS.followed}`,
    data: GlonassIds,
  },
  ADD_OBSERVABLE_CARS: { summary: 'Follows these vehicles too', data: GlonassIds },
  SET_REPLICA: {
    summary: 'Asks for notices of changes in these collections; `links` is for superusers',
    data: z.object({ collections: z.array(z.enum([...Noticed.options, 'links'])) }),
  },
  SET_PRESENCE: { summary: 'Says which tasks the client has open, and in which it is writing', data: OpenTasks },
} as const satisfies Record<string, MessageSchema>;

/** Messages that the station sends, by command. */
export const STATION_MESSAGES = {
  CAR_UPDATES: {
    summary: 'States of followed vehicles: after the client names them, then each newer one',
    data: z.array(CarUpdate),
  },
  EVENT_UPDATES: {
    summary: 'New and changed events of followed vehicles, and those that late records revoked',
    data: z.array(
      z.union([
        EventItem,
        z.object({
          id: z.int(),
          eventId: z.int(),
          carId: z.int(),
          glonassId: z.int(),
          withdrawn: z.literal(true),
        }),
      ]),
    ),
  },
  ALARM_UPDATES: { summary: 'New and changed alarms that the user may see', data: z.array(AlarmItem) },
  TERRITORY_PROGRESS: { summary: 'How the import of a territory goes', data: ImportAnswer },
  REPLICA_CHANGES: {
    summary: 'These collections changed: read them again from the last checkpoint',
    data: z.object({ collections: z.array(Noticed), head: z.int() }),
  },
  ROADS_IN_FORCE: {
    summary: 'The closures that routes obey; for clients that replicate `fleet`',
    data: z.object({
      closures: z.array(
        z.object({
          id: z.int(),
          effect: z.string().meta({ description: 'Another text when the closure does something else to routes' }),
        }),
      ),
    }),
  },
  SYNC_STATE: {
    summary: 'How replication with other stations stands; for clients that replicate',
    data: SyncStateAnswer.omit({ digest: true }).meta({ id: 'SyncStateNotice' }),
  },
  LINKS: {
    summary: 'The links with other stations; for superusers who ask for `links`',
    data: z.object({ links: z.array(LinkAnswer), digest: z.string() }),
  },
  WARNINGS: {
    summary: 'Warnings, their proposals or the state of a feed are others: read them again',
    data: z.object({}),
  },
  PRESENCE: {
    summary: 'Who has a task open that this client has open too, itself among them',
    data: z.object({
      newsId: z.int(),
      users: z.array(z.object({ userId: z.int(), fio: z.string(), writing: z.boolean(), since: z.int() })),
    }),
  },
  ERROR: {
    summary: 'A message of the client was wrong',
    data: Refused.extend({ message: z.string() }).meta({ id: 'SocketError' }),
  },
} as const satisfies Record<string, MessageSchema>;

const task: MessageSchema = {
  summary: 'A task, with its units and the names of its changed fields',
  data: z.object({ news: NewsItem, changed: z.array(z.string()) }),
};
const alarm: MessageSchema = { summary: 'An alarm', data: z.object({ alarm: AlarmItem }) };
const event: MessageSchema = { summary: 'An event of a vehicle', data: z.object({ event: EventItem }) };
const closure: MessageSchema = { summary: 'A closure of roads', data: z.object({ closure: ClosureAnswer }) };
const CHANGE_DATA: Record<ChangeType, MessageSchema> = {
  'task.created': task,
  'task.changed': task,
  'task.deleted': task,
  'unit.changed': {
    summary: 'A unit of a task; left out when it is no longer there',
    data: z.object({ news: NewsItem, unit: NewsUnit.optional() }),
  },
  'comment.created': { summary: 'A comment and its task', data: z.object({ comment: CommentItem, news: NewsItem }) },
  'alarm.raised': alarm,
  'alarm.changed': alarm,
  'event.created': event,
  'event.changed': event,
  'event.deleted': event,
  'closure.created': closure,
  'closure.changed': closure,
  'closure.deleted': closure,
};

/** Server-sent events of `/changes`, by type, with all of their data. */
export const CHANGE_MESSAGES: Readonly<Record<string, MessageSchema>> = {
  ...Object.fromEntries(
    CHANGE_TYPES.map((type) => {
      const { summary, data } = CHANGE_DATA[type];
      return [type, { summary, data: changeSchema(type, data) }];
    }),
  ),
  reset: { summary: 'Changes are missing: read the lists again', data: z.object({}) },
};

function changeSchema(type: ChangeType, data: z.ZodType): z.ZodType {
  return z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data });
}

import type { z } from 'zod';
import { CHANGE_TYPES } from '../../../shared/change-types.ts';
import type { CLIENT_MESSAGES, STATION_MESSAGES } from './messages.ts';

type Examples<Messages extends Record<string, { data: z.ZodType }>> = {
  [Command in keyof Messages]: z.input<Messages[Command]['data']>;
};

const AT = Date.UTC(2026, 4, 4, 9, 30);
const STATION = { id: 'c0ffee', name: 'North', number: 2 };
const NAMES = { en: 'Power cut', ru: 'Отключение питания' };

const client: Examples<typeof CLIENT_MESSAGES> = {
  SET_OBSERVABLE_CARS: [901, 902],
  ADD_OBSERVABLE_CARS: [903],
  SET_REPLICA: { collections: ['messages', 'fleet'] },
  SET_PRESENCE: [{ newsId: 17, writing: false }],
};

const station: Examples<typeof STATION_MESSAGES> = {
  CAR_UPDATES: [
    { data: AT, direction: 90, glonassId: 901, lat: 47.14, lon: 9.52, speed: 42, sysData: AT + 800, isStopped: false },
  ],
  EVENT_UPDATES: [{ id: 5, eventId: 3, carId: 1, glonassId: 901, withdrawn: true }],
  ALARM_UPDATES: [
    {
      ...{ id: 8, priority: 2, state: 'unacknowledged', since: AT, raisedAt: AT, goneAt: null, clearedAt: null },
      ...{ event: 5, eventType: 3, message: null, carId: 1, glonassId: 901, carName: 'Van', carNo: 'FL 1' },
      ...{ organizationId: 1, rule: 'power-cut', name: NAMES, response: '', responses: { en: '', ru: '' }, info: '' },
      ...{ lat: 47.14, lon: 9.52, occurrences: 1, withdrawn: false, sounding: true, silencedUntil: null },
      ...{ acknowledgedBy: null, acknowledgedAt: null, comment: '', shelved: null, assignedTo: null },
    },
  ],
  TERRITORY_PROGRESS: {
    ...{ file: 'liechtenstein.osm.pbf', name: 'Liechtenstein', state: 'running', stage: 'roads', done: 0.4 },
    ...{ error: null, refusal: null, startedAt: AT },
  },
  WARNINGS: {},
  REPLICA_CHANGES: { collections: ['messages'], head: 4711 },
  ROADS_IN_FORCE: { closures: [{ id: 3, effect: '3 0 1k.x9f2' }] },
  SYNC_STATE: {
    ...{ state: 'behind', waiting: 2, kinds: [{ kind: 'tasks', in: 2, out: 0 }], since: AT, standby: null },
    ...{ rivals: [], behind: [{ station: STATION, state: 'behind', waiting: 2, since: AT }], region: null },
  },
  LINKS: { links: [], digest: '5d41402abc4b2a76' },
  PRESENCE: { newsId: 17, users: [{ userId: 4, fio: 'Anna', writing: true, since: AT }] },
  ERROR: {
    message: 'Unknown command NONSENSE.',
    code: 'request.socketCommand',
    params: { command: 'NONSENSE' },
  },
};

const news = {
  ...{ id: '17', department_id: '1', department_logo: '', department_title: 'Roads', confirmed: '0' },
  ...{ news_date: '2026-05-04 09:30:00+00', title: 'Tree on the road', text: '', news_type_id: '1' },
  ...{ category_id: null, assigned_to: null, assigned_department_name: null, assigned_to_user: null },
  ...{ assigned_user_fio: null, assigned_status: '1', status_name: 'New', restricted: 'f', notice: '0' },
  ...{ assigned_change_date: '2026-05-04 09:30:00+00', news_type_icon: '', news_type_name: 'Incident' },
  ...{ num_main_photo: null, archive: 'f', category_name: '', system_data: '', lon: '9.52', lat: '47.14' },
  ...{ zoom: '14', custom_fields: '{}', user_id: '4', user_fio: 'Anna', priority: '3', deadline: null, overdue: 'f' },
};
const comment = {
  ...{ id: '6', reference_id: null, level: '0', news_id: '17', user_id: '4', date: '2026-05-04 09:31:00+00' },
  ...{ update_text: '', fio: 'Anna', comment: 'A crew is on its way.' },
};
const event = {
  ...{ id: 5, dataFrom: AT, dataTill: null, info: '', data: {}, gaugeInfo: null, gaugeId: null, glonassId: 901 },
  ...{ carId: 1, eventId: 3, notifiable: true, carNo: 'FL 1', carName: 'Van', lat: 47.14, lon: 9.52, reason: '' },
};
const closure = {
  ...{ id: 3, name: 'Bridge', reason: 'Flood', from: null, till: null, factor: 0 },
  geometry: { type: 'Point', coordinates: [9.52, 47.14] },
};
/** By the first word of the type. */
const CHANGED: Record<string, object> = {
  task: { news: { ...news, units: [] }, changed: ['title'] },
  unit: { news },
  comment: { comment, news },
  alarm: { alarm: station.ALARM_UPDATES[0] },
  event: { event },
  closure: { closure },
};

/** One payload of each message, by its name. */
export const MESSAGE_EXAMPLES: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    Object.entries({ ...client, ...station }).map(([command, data]) => [command, { command, data }]),
  ),
  ...Object.fromEntries(
    CHANGE_TYPES.map((type) => [
      type,
      { type, timestamp: new Date(AT).toISOString(), data: CHANGED[type.split('.')[0]!]! },
    ]),
  ),
  reset: {},
};

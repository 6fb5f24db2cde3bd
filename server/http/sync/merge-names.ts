import type { MergeRecord } from '../../../shared/records/index.ts';
import { splitUnit } from '../../../shared/merge/units.ts';

/** The interface's words, in the singular. Kinds come before the collection that holds them. */
const WORDS: Readonly<Record<string, string>> = {
  tasks: 'message',
  comments: 'comment',
  attachments: 'attachment',
  vehicles: 'car',
  alarms: 'alarm',
  type: 'newstype',
  typeGroup: 'newstype_group',
  customField: 'custom_field',
  stateRule: 'state',
  make: 'mark',
  role: 'right',
  group: 'car_group',
  tag: 'car_tag',
  vehicleField: 'car_field',
  alarmRules: 'alarm_rules',
  eventSettings: 'event_settings',
  vehicleEventSettings: 'car_event_settings',
};

/** The interface's names of fields that have another one, by its word for the record. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  message: { organizationId: 'department_id', authorId: 'user_id' },
  comment: { text: 'comment', parentId: 'reference_id', authorId: 'user_id', updateText: 'update_text' },
  car: {
    plate: 'carNo',
    makeId: 'markId',
    driverIds: 'driversIds',
    tagIds: 'tagsIds',
    phone: 'devphone',
    imei: 'devimei',
    devicePassword: 'password',
    isDeleted: 'toDelete',
    engineHours: 'motohours',
    serviceOdometer: 'kmNextTo',
  },
  user: { name: 'fio', roleId: 'groupId', passwordHash: 'password' },
  right: { superuser: 'wheel' },
  newstype: {
    groupId: 'group_id',
    isDefault: 'is_default',
    organizationIds: 'departments',
    reviewSeconds: 'review_time',
  },
  custom_field: { slug: 'translit', typeIds: 'news_type_ids', forAllTypes: 'is_for_all' },
  car_field: { slug: 'translit' },
  model: { makeId: 'markId', engineHoursStop: 'motohoursStop', engineHoursMove: 'motohoursMove' },
  closure: { until: 'till' },
};

/** Values that never leave the station over the interface. */
const SECRET: ReadonlySet<string> = new Set(['passwordHash', 'signIn', 'devicePassword', 'accessCode']);

export interface SlugSource {
  /** The interface's name of a field of a message. */
  taskField(field: string): string;
  /** The slug of a custom field of vehicles. */
  vehicleFieldSlug(id: number): string | undefined;
}

/** Of kinds the kind, else the collection. */
export function wordOf({ recordCollection, recordKey }: MergeRecord): string {
  const colon = recordKey.indexOf(':');
  const name = colon < 0 ? recordCollection : recordKey.slice(0, colon);
  return WORDS[name] ?? name;
}

export function wireFieldOf(merge: MergeRecord, { taskField, vehicleFieldSlug }: SlugSource): string {
  const { field, part } = splitUnit(merge.field);
  if (field === '' || field === 'isDeleted' || field === 'removed') return 'deleted';
  const word = wordOf(merge);
  const name = FIELDS[word]?.[field];
  if (word === 'message') return name ?? taskField(merge.field);
  if (field === 'customValues') return `custom_fields.${vehicleFieldSlug(Number(part)) ?? part!}`;
  return part === undefined ? (name ?? field) : `${name ?? field}.${part}`;
}

/** The value as the interface shows it; null for secrets. */
export function valueOf(merge: MergeRecord, side: 'kept' | 'lost'): unknown {
  return SECRET.has(merge.field) ? null : merge[side].value;
}

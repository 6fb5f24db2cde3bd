import type { Language } from '../../../shared/text/language.ts';

export type { Language };

/** Letters that tell the language; a text may be a hundred times as long. */
const TELLING = 2_000;

/** Russian when most letters of the texts are Cyrillic (README rule 13). */
export function languageOf(...texts: readonly string[]): Language {
  const all = texts.join(' ').slice(0, TELLING);
  const count = (pattern: RegExp) => all.match(pattern)?.length ?? 0;
  return count(/\p{Script=Cyrillic}/gu) > count(/\p{Script=Latin}/gu) ? 'ru' : 'en';
}

export interface PaperWords {
  readonly task: string;
  readonly status: string;
  readonly statuses: readonly string[];
  readonly since: string;
  readonly received: string;
  readonly author: string;
  readonly organization: string;
  readonly category: string;
  readonly type: string;
  readonly assigned: string;
  readonly vehicle: string;
  readonly units: string;
  readonly unitTimes: Readonly<Record<'sentAt' | 'acknowledgedAt' | 'enRouteAt' | 'onSceneAt' | 'clearAt', string>>;
  readonly address: string;
  readonly point: string;
  readonly confirmation: string;
  readonly confirmations: readonly string[];
  readonly description: string;
  readonly fields: string;
  readonly photos: string;
  readonly attachments: string;
  readonly comments: string;
  readonly map: string;
  readonly noMap: string;
  readonly more: (count: number) => string;
  readonly yes: string;
  readonly no: string;
  readonly shape: string;
  readonly printed: string;
  readonly done: string;
  readonly signature: string;
  readonly page: (page: number, pages: number) => string;
}

export const WORDS: Readonly<Record<Language, PaperWords>> = {
  en: {
    task: 'Task',
    status: 'Status',
    statuses: ['', 'New', 'Assigned', 'Feedback', 'Done'],
    since: 'since',
    received: 'Received',
    author: 'Taken by',
    organization: 'Department',
    category: 'Category',
    type: 'Type',
    assigned: 'Assigned to',
    vehicle: 'Vehicle',
    units: 'Units',
    unitTimes: {
      sentAt: 'Sent',
      acknowledgedAt: 'Acknowledged',
      enRouteAt: 'En route',
      onSceneAt: 'On scene',
      clearAt: 'Clear',
    },
    address: 'Address',
    point: 'Coordinates',
    confirmation: 'Approval',
    confirmations: ['not viewed', 'approved', 'not approved'],
    description: 'What happened',
    fields: 'Details',
    photos: 'Photos',
    attachments: 'Attached',
    comments: 'Comments',
    map: 'Map',
    noMap: 'The map has nothing at this place.',
    more: (count) => `and ${count} more in the station`,
    yes: 'yes',
    no: 'no',
    shape: 'drawn on the map',
    printed: 'Printed',
    done: 'Work done, time',
    signature: 'Signature',
    page: (page, pages) => `Page ${page} of ${pages}`,
  },
  ru: {
    task: 'Задача',
    status: 'Статус',
    statuses: ['', 'Новая', 'Назначена', 'Обратная связь', 'Выполнена'],
    since: 'с',
    received: 'Поступила',
    author: 'Принял',
    organization: 'Организация',
    category: 'Категория',
    type: 'Тип',
    assigned: 'Исполнитель',
    vehicle: 'Машина',
    units: 'Экипажи',
    unitTimes: {
      sentAt: 'Послан',
      acknowledgedAt: 'Принял',
      enRouteAt: 'В пути',
      onSceneAt: 'На месте',
      clearAt: 'Свободен',
    },
    address: 'Адрес',
    point: 'Координаты',
    confirmation: 'Подтверждение',
    confirmations: ['не рассмотрена', 'подтверждена', 'не подтверждена'],
    description: 'Что случилось',
    fields: 'Сведения',
    photos: 'Фотографии',
    attachments: 'Вложения',
    comments: 'Комментарии',
    map: 'Карта',
    noMap: 'На карте здесь ничего нет.',
    more: (count) => `и ещё ${count} на станции`,
    yes: 'да',
    no: 'нет',
    shape: 'обозначено на карте',
    printed: 'Напечатано',
    done: 'Выполнено, время',
    signature: 'Подпись',
    page: (page, pages) => `Страница ${page} из ${pages}`,
  },
};

/** `23:59:59`, in the station's own zone. */
export function clockOf(instant: number): string {
  const date = new Date(instant);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** `31.12.2026 23:59`, in the station's own zone. */
export function dateOf(instant: number): string {
  const date = new Date(instant);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(date.getDate())}.${two(date.getMonth() + 1)}.${date.getFullYear()} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

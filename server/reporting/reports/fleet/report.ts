import type { StateRule } from '../../../../shared/records/index.ts';
import type { Actor } from '../../../../shared/access.ts';
import type { SensorOverTime } from '../../../tracking/telemetry/index.ts';
import type { Language } from '../words.ts';

export const REPORT_KINDS = ['mileage', 'stops', 'fuel', 'speeding', 'geozones', 'routes', 'tasks'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];
export type ReportForm = 'json' | ReportFileForm;

/** Forms of a report that go out as files. */
export const REPORT_FILE_FORMS = ['xlsx', 'csv', 'pdf'] as const;
export type ReportFileForm = (typeof REPORT_FILE_FORMS)[number];

/** A vehicle as a report needs it. */
export interface ReportedVehicle {
  readonly id: number;
  readonly name: string;
  readonly plate: string;
  /** l/100 km; null: the model says nothing */
  readonly expense: number | null;
  /** Fuel sensors, each with its versions. */
  readonly fuel: readonly (readonly SensorOverTime[])[];
  /** When it was deleted, epoch ms; null: it is there */
  readonly deletedAt: number | null;
}

/** A version of a planned route that vehicles are to drive. Times in epoch ms. */
export interface DrivenRoute {
  readonly id: number;
  readonly name: string;
  readonly vehicleIds: readonly number[];
  readonly points: readonly { readonly id: number; readonly name: string; readonly arriveAfter: number | null }[];
  /** When it is to be driven; null: at any time */
  readonly from: number | null;
  readonly till: number | null;
  readonly validFrom: number;
  readonly validTill: number | null;
}

/** Everything that a report is made of; plain data, since a thread makes it. */
export interface ReportOrder {
  readonly kind: ReportKind;
  readonly form: ReportForm;
  readonly vehicles: readonly ReportedVehicle[];
  /** epoch ms; `from` is in it, `till` is not */
  readonly from: number;
  readonly till: number;
  /** IANA name. Days are those of its clock. */
  readonly zone: string;
  readonly language: Language;
  readonly madeAt: number;
  readonly title: string;
  /** For whom: rules over messages hold here, too. */
  readonly actor: Actor;
  readonly rules: readonly StateRule[];
  /** Names of the geozones and periods of the types of tasks, by id. */
  readonly zones: Readonly<Record<number, string>>;
  readonly reviewSeconds: Readonly<Record<number, number>>;
  /** All versions of all planned routes; a version that was edited is there up to its end. */
  readonly routes: readonly DrivenRoute[];
  /** The databases and the tables in `station`. */
  readonly tracks: string;
  readonly station: string;
  readonly tables: { readonly events: string; readonly tasks: string; readonly history: string };
}

export type ReportRow = Readonly<Record<string, string | number | boolean | null>>;

type ColumnTitles = Record<Language, string>;
export interface ReportColumn {
  readonly name: string;
  readonly title: ColumnTitles;
  /** `day` is the instant at which a day begins; spans are seconds. */
  readonly kind: 'text' | 'whole' | 'number' | 'flag' | 'instant' | 'day' | 'span';
  /** The total of the column means something. */
  readonly summed?: true;
  /** Share of the width of a page. */
  readonly wide?: number;
}

const two = (en: string, ru: string): ColumnTitles => ({ en, ru });
const column = (
  name: string,
  kind: ReportColumn['kind'],
  title: ColumnTitles,
  more: Partial<ReportColumn> = {},
): ReportColumn => ({ name, kind, title, ...more });

const VEHICLE = [
  column('carName', 'text', two('Vehicle', 'Машина'), { wide: 2 }),
  column('carNo', 'text', two('Plate', 'Гос. номер'), { wide: 1.4 }),
];
const SPAN = [
  column('from', 'instant', two('From', 'Начало'), { wide: 1.8 }),
  column('till', 'instant', two('Till', 'Конец'), { wide: 1.8 }),
  column('duration', 'span', two('Duration', 'Длительность'), { summed: true }),
];
const PLACE = [
  column('lat', 'number', two('Latitude', 'Широта')),
  column('lon', 'number', two('Longitude', 'Долгота')),
];
const KM = column('km', 'number', two('Distance, km', 'Пробег, км'), { summed: true });

export const TITLES: Readonly<Record<ReportKind, ColumnTitles>> = {
  mileage: two('Mileage', 'Пробег'),
  stops: two('Stops', 'Стоянки'),
  fuel: two('Fuel', 'Топливо'),
  speeding: two('Speeding', 'Превышения скорости'),
  geozones: two('Geozone visits', 'Посещения геозон'),
  routes: two('Control points', 'Контрольные точки'),
  tasks: two('Task execution', 'Выполнение задач'),
};

export const COLUMNS: Readonly<Record<ReportKind, readonly ReportColumn[]>> = {
  mileage: [
    ...VEHICLE,
    column('day', 'day', two('Day', 'День'), { wide: 1.3 }),
    KM,
    column('moving', 'span', two('Moving', 'В движении'), { summed: true }),
    column('standing', 'span', two('Standing', 'Стоянка'), { summed: true }),
    column('engine', 'span', two('Engine', 'Двигатель'), { summed: true }),
    column('averageSpeed', 'number', two('Average, km/h', 'Средняя, км/ч')),
    column('topSpeed', 'number', two('Greatest, km/h', 'Наибольшая, км/ч')),
    column('fuelNorm', 'number', two('Fuel by norm, l', 'Топливо по норме, л'), { summed: true }),
  ],
  stops: [
    ...VEHICLE,
    ...SPAN,
    column('parking', 'flag', two('Parking', 'Парковка')),
    column('address', 'text', two('Address', 'Адрес'), { wide: 3.4 }),
    ...PLACE,
  ],
  fuel: [
    ...VEHICLE,
    column('startLitres', 'number', two('At the start, l', 'В начале, л'), { summed: true }),
    column('filled', 'number', two('Filled, l', 'Заправлено, л'), { summed: true }),
    column('fills', 'whole', two('Fills', 'Заправок'), { summed: true }),
    column('drained', 'number', two('Drained, l', 'Слито, л'), { summed: true }),
    column('drains', 'whole', two('Drains', 'Сливов'), { summed: true }),
    column('endLitres', 'number', two('At the end, l', 'В конце, л'), { summed: true }),
    column('used', 'number', two('Used, l', 'Израсходовано, л'), { summed: true }),
    KM,
    column('per100', 'number', two('l/100 km', 'л/100 км')),
    column('norm', 'number', two('Norm, l/100 km', 'Норма, л/100 км')),
  ],
  speeding: [
    ...VEHICLE,
    ...SPAN,
    column('limit', 'whole', two('Limit, km/h', 'Предел, км/ч')),
    column('topSpeed', 'whole', two('Greatest, km/h', 'Наибольшая, км/ч')),
    ...PLACE,
  ],
  geozones: [...VEHICLE, column('zoneName', 'text', two('Geozone', 'Геозона'), { wide: 2 }), ...SPAN],
  routes: [
    ...VEHICLE,
    column('routeName', 'text', two('Route', 'Маршрут'), { wide: 2.6 }),
    column('pointName', 'text', two('Control point', 'Контрольная точка'), { wide: 2.8 }),
    column('planned', 'instant', two('Planned', 'По плану'), { wide: 1.8 }),
    column('arrived', 'instant', two('Arrived', 'Прибытие'), { wide: 1.8 }),
    column('left', 'instant', two('Left', 'Убытие'), { wide: 1.8 }),
    column('late', 'number', two('Late, min', 'Опоздание, мин')),
    column('missed', 'flag', two('Missed', 'Пропущена')),
  ],
  tasks: [
    ...VEHICLE,
    column('newsId', 'whole', two('Task', 'Задача')),
    column('title', 'text', two('Title', 'Название'), { wide: 3 }),
    column('created', 'instant', two('Received', 'Поступила'), { wide: 1.8 }),
    column('assigned', 'instant', two('Assigned', 'Назначена'), { wide: 1.8 }),
    column('arrived', 'instant', two('On the spot', 'На месте'), { wide: 1.8 }),
    column('done', 'instant', two('Done', 'Выполнена'), { wide: 1.8 }),
    column('taken', 'span', two('Time taken', 'Затрачено')),
    column('overdue', 'flag', two('Overdue', 'Просрочена')),
  ],
};

/** Sums of the columns that have one. */
export class Totals {
  readonly #columns: readonly ReportColumn[];
  readonly #sums: Record<string, number> = {};

  constructor(kind: ReportKind) {
    this.#columns = COLUMNS[kind].filter(({ summed }) => summed);
  }

  add(row: ReportRow): void {
    for (const { name } of this.#columns)
      if (typeof row[name] === 'number') this.#sums[name] = (this.#sums[name] ?? 0) + (row[name] as number);
  }

  get sums(): Readonly<Record<string, number>> {
    return Object.fromEntries(Object.entries(this.#sums).map(([name, sum]) => [name, rounded(sum, 3)]));
  }
}

export function rounded(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}

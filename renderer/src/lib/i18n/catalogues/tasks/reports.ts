import type { Translation } from '../catalogue.ts';

export const en = {
  kind: 'Report',
  kinds: {
    mileage: 'Mileage',
    stops: 'Stops',
    fuel: 'Fuel',
    speeding: 'Speeding',
    geozones: 'Geozone visits',
    routes: 'Control points',
    tasks: 'Completed tasks',
  },
  allGroups: 'All groups',
  make: 'Create the report',
  again: 'Create it again',
  making: 'Creating the report',
  span: '{from} – {till}, {zone} ({offset})',
  workbook: 'Workbook (xlsx)',
  paper: 'PDF',
  none: 'Nothing to report in this period',
  rows: 'No rows | One row | {n} rows',
  first: 'Choose a report',
  firstText: 'Days and times are those of {zone}, and every report says so.',
};

export const ru: Translation<typeof en> = {
  kind: 'Отчёт',
  kinds: {
    mileage: 'Пробег',
    stops: 'Стоянки',
    fuel: 'Топливо',
    speeding: 'Превышения скорости',
    geozones: 'Посещения геозон',
    routes: 'Контрольные точки',
    tasks: 'Выполнение задач',
  },
  allGroups: 'Все группы',
  make: 'Составить отчёт',
  again: 'Составить снова',
  making: 'Составление отчёта',
  span: '{from} – {till}, {zone} ({offset})',
  workbook: 'Таблица (xlsx)',
  paper: 'На бумагу (pdf)',
  none: 'За этот период сообщать не о чем',
  rows: 'Строк нет | {n} строка | {n} строки | {n} строк',
  first: 'Выберите отчёт',
  firstText: 'Дни и время – по часам {zone}; это написано в каждом отчёте.',
};

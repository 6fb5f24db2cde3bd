import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Driver, Make, Organization, User, VehicleModel } from '../../../shared/records/index.ts';
import { ZonedTime } from '../../../shared/zoned-time.ts';
import type { Accounts } from '../../access/accounts/index.ts';
import type { Fleet, VehicleView } from '../../dispatch/fleet/index.ts';
import { workbook, WORKBOOK_TYPE, type SheetColumn, type Language } from '../../reporting/reports/index.ts';
import { vehicleFilterOf, CarFilter } from './vehicles.ts';
import { DriverFilter, passesDriver } from './drivers.ts';
import { textUpTo } from '../request/fields.ts';
import { ModelFilter, modelFilter } from './models.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

/** Query of every workbook: the language of the header and the time zone. */
export const WorkbookQuery = {
  lang: z
    .enum(['en', 'ru'])
    .optional()
    .meta({ description: 'Language of the header; that of `Accept-Language` when it is not given.' }),
  tz: textUpTo(100)
    .optional()
    .meta({ description: 'IANA name of the zone whose clock the times show; the station’s own when it is not given.' }),
};
/** The content type that older clients expect. */
const EXCEL = { type: 'application/vnd.ms-excel' } as const;
const OPEN_XML = { type: WORKBOOK_TYPE } as const;

/** Column heads and file names in both languages. */
const two = (en: string, ru: string): Record<Language, string> => ({ en, ru });

/**
 * B. Workbooks of the lists, with one row for each record of the list. Declared before the paths with an id.
 */
export function workbookRoutes(accounts: Accounts, fleet: Fleet): DeclaredRoute[] {
  return [
    route({
      method: 'GET',
      path: '/users.xlsx',
      cost: 10,
      family: 'B',
      access: 'admin',
      summary: 'Users as a workbook',
      query: z.object(WorkbookQuery),
      answer: OPEN_XML,
      run: ({ caller, query, request, response }) => {
        const roles = new Map(accounts.roles.all().map(({ id, name }) => [id, name]));
        return sendList(
          request,
          response,
          query,
          two('Users', 'Пользователи'),
          accounts.administration.usersSeen(caller),
          userColumns((id) => roles.get(id), organizationsOf(accounts)),
        );
      },
    }),
    route({
      method: 'GET',
      path: '/cars.xlsx',
      cost: 10,
      family: 'B',
      access: 'user',
      group: 'Vehicles',
      summary: 'Vehicles as a workbook',
      query: CarFilter.extend(WorkbookQuery),
      answer: EXCEL,
      description: 'With the filters of `/cars`.',
      run: ({ caller, query: { lang, tz, ...filter }, request, response }) =>
        sendList(
          request,
          response,
          { lang, tz },
          two('Vehicles', 'Машины'),
          fleet.list(caller, vehicleFilterOf(filter)),
          carColumns(organizationsOf(accounts)),
        ),
    }),
    route({
      method: 'GET',
      path: '/cars/models.xlsx',
      cost: 10,
      family: 'B',
      access: 'user',
      group: 'Vehicle models',
      summary: 'Models as a workbook',
      query: ModelFilter.extend(WorkbookQuery),
      answer: EXCEL,
      description: 'With the filters of `/cars/models`.',
      run: ({ caller, query: { lang, tz, ...filter }, request, response }) =>
        sendList(
          request,
          response,
          { lang, tz },
          two('Models', 'Модели'),
          fleet.models.list(caller).filter(modelFilter(filter)),
          modelColumns((id) => fleet.makes.mirror.get(id)),
        ),
    }),
    route({
      method: 'GET',
      path: '/drivers.xlsx',
      cost: 10,
      family: 'B',
      access: 'user',
      group: 'Drivers',
      summary: 'Drivers as a workbook',
      query: DriverFilter.extend(WorkbookQuery),
      answer: EXCEL,
      description: 'With the filters of `/drivers`.',
      run: ({ caller, query: { lang, tz, ...filter }, request, response }) =>
        sendList(
          request,
          response,
          { lang, tz },
          two('Drivers', 'Водители'),
          fleet.drivers.list(caller).filter(passesDriver(filter)),
          driverColumns(organizationsOf(accounts)),
        ),
    }),
  ];
}

/** The requested language, else the browser's first supported one. */
export function languageAsked(request: Request, lang: Language | undefined): Language {
  return lang ?? ((request.acceptsLanguages('en', 'ru') || 'en') as Language);
}

/** A column with its head in both languages. */
type BilingualColumn<Row> = Omit<SheetColumn<Row>, 'header'> & { readonly header: Record<Language, string> };

function sendList<Row>(
  request: Request,
  response: Response,
  { lang, tz }: { lang?: Language | undefined; tz?: string | undefined },
  name: Record<Language, string>,
  rows: Iterable<Row>,
  columns: readonly BilingualColumn<Row>[],
): Readable {
  const language = languageAsked(request, lang);
  const zone = tz === undefined ? ZonedTime.here() : new ZonedTime(tz);
  const headed = columns.map((column): SheetColumn<Row> => ({
    ...column,
    header: column.kind === 'instant' ? `${column.header[language]} (${zone.zone})` : column.header[language],
  }));
  attach(response, `${name.en.toLowerCase()}.xlsx`);
  return workbook([{ name: name[language], columns: headed, rows } as never], { language, zone });
}

/** Sets the name of the download. */
export function attach(response: Response, file: string): void {
  response.set('Content-Disposition', `attachment; filename="${file}"`);
}

function organizationsOf(accounts: Accounts): (id: number) => Organization | undefined {
  const all = new Map(accounts.organizations.all().map((organization) => [organization.id, organization]));
  return (id) => all.get(id);
}

const ID = two('Id', 'Ид.');
const NOTES = two('Notes', 'Примечания');
const PHONE = two('Phone', 'Телефон');
const ORGANIZATION = two('Organisation', 'Организация');

function userColumns(
  role: (id: number) => string | undefined,
  organization: (id: number) => Organization | undefined,
): BilingualColumn<User>[] {
  return [
    { header: ID, kind: 'whole', value: ({ id }) => id },
    { header: two('Login', 'Логин'), kind: 'text', value: ({ login }) => login },
    { header: two('Full name', 'ФИО'), kind: 'text', value: ({ name }) => name },
    { header: two('E-mail', 'Эл. почта'), kind: 'text', value: ({ email }) => email },
    { header: PHONE, kind: 'text', value: ({ phone }) => phone },
    { header: two('Extension', 'Внутренний номер'), kind: 'text', value: ({ extension = '' }) => extension },
    { header: two('Right', 'Роль'), kind: 'text', value: ({ roleId }) => role(roleId) },
    { header: ORGANIZATION, kind: 'text', value: ({ organizationId }) => organization(organizationId)?.name },
    { header: two('Enabled', 'Включён'), kind: 'flag', value: ({ enabled }) => enabled },
    { header: two('Monitors', 'Наблюдает'), kind: 'flag', value: ({ monitor }) => monitor },
    { header: two('Visible at start', 'Виден при запуске'), kind: 'flag', value: ({ visible }) => visible },
  ];
}

function carColumns(organization: (id: number) => Organization | undefined): BilingualColumn<VehicleView>[] {
  const known = (value: (view: VehicleView) => number) => (view: VehicleView) =>
    view.state.time > 0 ? value(view) : null;
  return [
    { header: ID, kind: 'whole', value: ({ vehicle }) => vehicle.id },
    { header: two('Name', 'Название'), kind: 'text', value: ({ vehicle }) => vehicle.name },
    { header: two('Plate', 'Гос. номер'), kind: 'text', value: ({ vehicle }) => vehicle.plate },
    { header: two('Unit number', 'Номер блока'), kind: 'whole', value: ({ vehicle }) => vehicle.glonassId },
    { header: two('IMEI', 'IMEI'), kind: 'text', value: ({ vehicle }) => vehicle.imei },
    { header: two('Unit phone', 'Телефон блока'), kind: 'text', value: ({ vehicle }) => vehicle.phone },
    { header: ORGANIZATION, kind: 'text', value: ({ vehicle }) => organization(vehicle.organizationId)?.name },
    { header: two('Group', 'Группа'), kind: 'text', value: ({ group }) => group?.name },
    { header: two('Maker', 'Марка'), kind: 'text', value: ({ make }) => make?.name },
    { header: two('Model', 'Модель'), kind: 'text', value: ({ model }) => model?.name },
    {
      header: two('Drivers', 'Водители'),
      kind: 'text',
      value: ({ drivers }) => drivers.map(({ name }) => name).join(', '),
    },
    { header: two('Kind', 'Вид'), kind: 'text', value: ({ kind }) => kind?.name },
    {
      header: two('Capabilities', 'Возможности'),
      kind: 'text',
      value: ({ capabilities }) => capabilities.map(({ name }) => name).join(', '),
    },
    { header: two('Tags', 'Метки'), kind: 'text', value: ({ tags }) => tags.map(({ name }) => name).join(', ') },
    { header: two('On maintenance', 'На обслуживании'), kind: 'flag', value: ({ vehicle }) => vehicle.onService },
    { header: two('Last record', 'Последняя запись'), kind: 'instant', value: known(({ state }) => state.time) },
    {
      header: two('Speed, km/h', 'Скорость, км/ч'),
      kind: 'number',
      value: known(({ state }) => Math.round(state.speed * 10) / 10),
    },
    { header: two('Latitude', 'Широта'), kind: 'number', value: known(({ state }) => state.lat) },
    { header: two('Longitude', 'Долгота'), kind: 'number', value: known(({ state }) => state.lon) },
    {
      header: two('Odometer, km', 'Пробег, км'),
      kind: 'number',
      value: ({ state }) => Math.round(state.odometer * 1000) / 1000,
    },
    { header: NOTES, kind: 'text', value: ({ vehicle }) => vehicle.notes },
  ];
}

function modelColumns(make: (id: number) => Make | undefined): BilingualColumn<VehicleModel>[] {
  return [
    { header: ID, kind: 'whole', value: ({ id }) => id },
    { header: two('Maker', 'Марка'), kind: 'text', value: ({ makeId }) => make(makeId)?.name },
    { header: two('Model', 'Модель'), kind: 'text', value: ({ name }) => name },
    {
      header: two('Fuel, l/100 km', 'Расход, л/100 км'),
      kind: 'number',
      value: ({ expenseOn100km }) => expenseOn100km,
    },
    { header: two('Tank, l', 'Бак, л'), kind: 'number', value: ({ maxTank }) => maxTank },
    {
      header: two('Engine hours, standing', 'Моточасы, стоянка'),
      kind: 'number',
      value: ({ engineHoursStop }) => engineHoursStop,
    },
    {
      header: two('Engine hours, moving', 'Моточасы, движение'),
      kind: 'number',
      value: ({ engineHoursMove }) => engineHoursMove,
    },
  ];
}

function driverColumns(organization: (id: number) => Organization | undefined): BilingualColumn<Driver>[] {
  return [
    { header: ID, kind: 'whole', value: ({ id }) => id },
    { header: two('Full name', 'ФИО'), kind: 'text', value: ({ name }) => name },
    { header: PHONE, kind: 'text', value: ({ phone }) => phone },
    { header: ORGANIZATION, kind: 'text', value: ({ organizationId }) => organization(organizationId)?.name },
    { header: two('Key', 'Ключ'), kind: 'text', value: ({ wire }) => wire },
    { header: two('External id', 'Внешний ид.'), kind: 'text', value: ({ extId }) => extId },
    { header: two('Photo', 'Фото'), kind: 'flag', value: ({ photo }) => photo !== null },
    { header: NOTES, kind: 'text', value: ({ notes }) => notes },
  ];
}

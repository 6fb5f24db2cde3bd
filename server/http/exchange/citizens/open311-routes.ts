import type { Request } from 'express';
import { z } from 'zod';
import type { CustomField } from '../../../../shared/records/index.ts';
import type { CitizenRequest, CitizenRequests } from '../../../dispatch/tasks/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { hostOf, usesTls } from '../../app/client.ts';
import { OPEN311_ENTRIES } from '../../app/open311-errors.ts';
import type { DeclaredRoute } from '../../app/route.ts';
import { xmlDocument, type XmlValue } from '../../app/write-xml.ts';
import { pathId } from '../../request/fields.ts';
import type { ApiKeys } from './api-keys.ts';
import { citizenFilterOf, reportOf, RequestBody, RequestQuery, serviceCode } from './open311-fields.ts';

const PATH = '/open311/v2';
const XML = 'text/xml';
/** When what the services offer last changed in form. */
const CHANGESET = '2026-11-27T00:00:00Z';
/** Most ids of one question. */
const MOST_IDS = 1000;

const Service = z
  .object({
    service_code: z.string(),
    service_name: z.string(),
    description: z.string(),
    metadata: z.boolean(),
    type: z.literal('realtime'),
    keywords: z.string(),
    group: z.string(),
  })
  .meta({ id: 'Open311Service' });
const Attribute = z.object({
  variable: z.literal(true),
  code: z.string(),
  datatype: z.enum(['string', 'number', 'datetime', 'text', 'singlevaluelist']),
  required: z.boolean(),
  datatype_description: z.string(),
  order: z.int(),
  description: z.string(),
  values: z.array(z.object({ key: z.string(), name: z.string() })).optional(),
});
const Definition = z
  .object({ service_code: z.string(), attributes: z.array(Attribute) })
  .meta({ id: 'Open311Definition' });
const Created = z.object({
  service_request_id: z.string(),
  service_notice: z.string(),
  account_id: z.string().nullable(),
});
const ServiceRequest = z
  .object({
    service_request_id: z.string(),
    status: z.enum(['open', 'closed']),
    status_notes: z.string().nullable(),
    service_name: z.string(),
    service_code: z.string(),
    description: z.string().nullable(),
    agency_responsible: z.string().nullable(),
    service_notice: z.string().nullable(),
    requested_datetime: z.string(),
    updated_datetime: z.string(),
    expected_datetime: z.string().nullable(),
    address: z.string().nullable(),
    address_id: z.string().nullable(),
    zipcode: z.string().nullable(),
    lat: z.number().nullable(),
    long: z.number().nullable(),
    media_url: z.string().nullable(),
  })
  .meta({ id: 'Open311Request' });
const Endpoint = z.object({
  specification: z.string(),
  url: z.string(),
  changeset: z.string(),
  type: z.string(),
  formats: z.array(z.string()),
});
const Discovery = z.object({
  changeset: z.string(),
  contact: z.string(),
  key_service: z.string(),
  endpoints: z.array(Endpoint),
});

interface Open311Rooms {
  readonly citizens: CitizenRequests;
  readonly keys: ApiKeys;
  readonly name: string;
  now(): number;
}

const common = { family: 'open311', access: 'open', group: 'Citizens (Open311)' } as const;

/** GeoReport v2 of Open311: citizens report to the control room, and follow the progress. */
export function open311Routes({ citizens, keys, name, now }: Open311Rooms): DeclaredRoute[] {
  return [
    ...inBothForms({
      method: 'GET',
      path: `${PATH}/discovery`,
      root: 'discovery',
      answer: Discovery,
      summary: 'Where the services are',
      run: ({ request }) => discoveryOf(request, name),
    }),
    ...inBothForms({
      method: 'GET',
      path: `${PATH}/services`,
      root: 'services',
      answer: z.array(Service),
      summary: 'What citizens may report',
      description: 'The types of tasks that the setting `citizens.types` opens.',
      run: () => citizens.types().map(({ id, name: title }) => presentService(citizens, id, title)),
    }),
    ...inBothForms({
      method: 'GET',
      path: `${PATH}/services/:code`,
      root: 'service_definition',
      answer: Definition,
      summary: 'The attributes of a service: custom fields of the type',
      params: z.object({ code: serviceCode }),
      run: ({ params }) => {
        const { id } = citizens.type(params.code);
        return { service_code: String(id), attributes: citizens.fieldsOf(id).map(presentField) };
      },
    }),
    ...inBothForms({
      method: 'GET',
      path: `${PATH}/requests`,
      root: 'service_requests',
      answer: z.array(ServiceRequest),
      summary: 'Requests of citizens, newest first',
      description:
        'At most 1,000, of 90 days. Answers hold the citizen’s own words, never names, telephones or what the control room wrote.',
      query: RequestQuery,
      cost: 8,
      run: async ({ query }) => {
        const ids = query.service_request_id;
        if (ids && ids.length > MOST_IDS)
          throw new Refusal('field.tooMany', { field: 'service_request_id', most: MOST_IDS });
        const found = await (ids ? citizens.withIds(ids) : citizens.list(citizenFilterOf(query, now())));
        return found.map(presentRequest);
      },
    }),
    ...inBothForms({
      method: 'GET',
      path: `${PATH}/requests/:id`,
      root: 'service_requests',
      answer: z.array(ServiceRequest),
      summary: 'One request of a citizen',
      params: z.object({ id: pathId }),
      cost: 1,
      run: ({ params }) => [presentRequest(citizens.get(params.id))],
    }),
    ...inBothForms({
      method: 'POST',
      path: `${PATH}/requests`,
      root: 'service_requests',
      answer: z.array(Created),
      summary: 'A citizen reports something',
      description:
        'A form. It becomes a task of the type `service_code`. Needs `api_key`, and `lat` and `long`, `address_string` or `address_id`. Too many of one address or key: 429.',
      body: RequestBody,
      bodyLimit: 262_144,
      cost: 10,
      run: async ({ body, request }) => {
        keys.require(request, body.api_key);
        const report = reportOf(body, citizens.type(body.service_code).id);
        if (!report.point && report.address === '' && report.addressId === '') throw new Refusal('citizens.noPlace');
        const values = Object.entries(body.attribute ?? {}).map(([slug, value]) => [slug, [value].flat()[0]]);
        const id = await citizens.report(report, Object.fromEntries(values));
        return [{ service_request_id: String(id), service_notice: '', account_id: null }];
      },
    }),
  ];
}

interface InBothForms<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> extends Pick<DeclaredRoute, 'method' | 'path' | 'summary' | 'description' | 'cost' | 'bodyLimit'> {
  /** The outermost element in XML. */
  readonly root: string;
  readonly answer: Answer;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly run: (asked: {
    readonly params: z.output<Params>;
    readonly query: z.output<Query>;
    readonly body: z.output<Body>;
    readonly request: Request;
  }) => z.input<Answer> | Promise<z.input<Answer>>;
}

/** The path twice: with `.json` and `.xml` at its end. */
function inBothForms<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>({ root, answer, run, path, ...rest }: InBothForms<Params, Query, Body, Answer>): DeclaredRoute[] {
  const json: DeclaredRoute = { ...common, ...rest, path: `${path}.json`, answer, run: (asked) => run(asked as never) };
  const xml: DeclaredRoute = {
    ...json,
    path: `${path}.xml`,
    answer: { type: XML },
    run: async (asked) => xmlDocument(root, (await run(asked as never)) as XmlValue, OPEN311_ENTRIES),
  };
  return [json, xml];
}

function discoveryOf(request: Request, name: string): z.input<typeof Discovery> {
  return {
    changeset: CHANGESET,
    contact: name,
    key_service: 'The administrator of the control room gives keys.',
    endpoints: [
      {
        specification: 'http://wiki.open311.org/GeoReport_v2',
        url: `${usesTls(request) ? 'https' : 'http'}://${hostOf(request)}${PATH}`,
        changeset: CHANGESET,
        type: 'production',
        formats: ['text/xml', 'application/json'],
      },
    ],
  };
}

function presentService(citizens: CitizenRequests, id: number, name: string): z.input<typeof Service> {
  return {
    service_code: String(id),
    service_name: name,
    description: name,
    metadata: citizens.fieldsOf(id).length > 0,
    type: 'realtime',
    keywords: '',
    group: '',
  };
}

const DATATYPES = {
  int: 'number',
  float: 'number',
  bool: 'singlevaluelist',
  list: 'singlevaluelist',
  date: 'datetime',
  string: 'string',
  text: 'text',
  geometry: 'text',
} as const satisfies Record<CustomField['format'], z.input<typeof Attribute>['datatype']>;

function presentField(field: CustomField, index: number): z.input<typeof Attribute> {
  const values = field.format === 'bool' ? ['true', 'false'] : field.possibleValues;
  return {
    variable: true,
    code: field.slug,
    datatype: DATATYPES[field.format],
    required: field.required,
    datatype_description: field.hint ?? '',
    order: index + 1,
    description: field.name,
    ...(values && { values: values.map((value) => ({ key: value, name: value })) }),
  };
}

function presentRequest({ id, report, ...request }: CitizenRequest): z.input<typeof ServiceRequest> {
  return {
    service_request_id: String(id),
    status: request.isOpen ? 'open' : 'closed',
    status_notes: null,
    service_name: request.typeName,
    service_code: String(report.typeId),
    description: report.description || null,
    agency_responsible: request.organization || null,
    service_notice: null,
    requested_datetime: timeOf(request.requestedAt),
    updated_datetime: timeOf(request.updatedAt),
    expected_datetime: null,
    address: report.address || null,
    address_id: report.addressId || null,
    zipcode: null,
    lat: report.point?.lat ?? null,
    long: report.point?.lon ?? null,
    media_url: report.mediaUrl || null,
  };
}

function timeOf(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Caller } from '../../../access/accounts/index.ts';
import { hostOf, usesTls } from '../../app/client.ts';
import { route, type DeclaredRoute } from '../../app/route.ts';
import { escapeXml } from '../../app/write-xml.ts';
import type { EntitySet, ValueKind } from './entity-set.ts';
import { entitySets, type ODataRooms } from './entity-sets.ts';
import { ODataQuery, requireKnownOptions, setQueryOf } from './query-options.ts';
import { countEntries, PAGE, readPage, type SetPage } from './read-set.ts';

const JSON_TYPE = 'application/json; odata.metadata=minimal; charset=utf-8';
const common = { family: 'odata', access: 'user', group: 'Tables (OData)', method: 'GET' } as const;
const CountQuery = ODataQuery.pick({ $filter: true });

/** OData 4.0, to be read: tables for Excel, Power BI and other programs. */
export function odataRoutes(rooms: ODataRooms): DeclaredRoute[] {
  const sets = entitySets(rooms);
  return [
    route({
      ...common,
      path: '/odata',
      summary: 'Tables for spreadsheets (OData 4.0)',
      description:
        'Excel and Power BI begin here. An access key of the scope `read` goes into the header `Authorization`.',
      answer: z.looseObject({
        value: z.array(z.object({ name: z.string(), kind: z.literal('EntitySet'), url: z.string() })),
      }),
      run: ({ request, response }) => {
        sayVersion(response, JSON_TYPE);
        return {
          '@odata.context': contextOf(request),
          'value': sets.map(({ name }) => ({ name, kind: 'EntitySet' as const, url: name })),
        };
      },
    }),
    route({
      ...common,
      path: '/odata/$metadata',
      summary: 'The columns of the tables (CSDL)',
      answer: { type: 'application/xml' },
      run: ({ response }) => {
        sayVersion(response, 'application/xml; charset=utf-8');
        return metadataOf(sets);
      },
    }),
    ...sets.flatMap(routesOf),
  ];
}

function routesOf(set: EntitySet): DeclaredRoute[] {
  return [
    route({
      ...common,
      path: `/odata/${set.name}`,
      summary: `The table ${set.name}`,
      description: `${set.description} \`$filter\` has \`eq\`, \`ne\`, \`gt\`, \`ge\`, \`lt\`, \`le\`, \`in\`, \`and\`, \`or\`, \`not\`, \`contains\`, \`startswith\`, \`endswith\`, \`tolower\` and \`toupper\`. An answer has at most ${PAGE} rows; there are more while it has \`@odata.nextLink\`.`,
      query: ODataQuery,
      cost: ({ query }) => (query['$orderby'] === undefined && query['$count'] === undefined ? 3 : 10),
      answer: z.looseObject({ value: z.array(rowSchema(set)) }),
      run: async ({ caller, query, request, response }) => {
        sayVersion(response, JSON_TYPE);
        const asked = setQueryOf(set, query, request);
        const page = await readPage(set, caller, asked);
        const fields = asked.isSelected ? `(${asked.columns.map(({ name }) => name).join(',')})` : '';
        return {
          '@odata.context': `${contextOf(request)}#${set.name}${fields}`,
          ...(asked.withCount && { '@odata.count': await countEntries(set, caller, asked) }),
          'value': page.rows,
          ...(page.next && { '@odata.nextLink': nextLink(request, page.next) }),
        };
      },
    }),
    route({
      ...common,
      path: `/odata/${set.name}/$count`,
      summary: `How many rows the table ${set.name} has`,
      query: CountQuery,
      cost: 10,
      answer: { type: 'text/plain' },
      run: async ({ caller, query, request, response }) => {
        sayVersion(response, 'text/plain; charset=utf-8');
        requireKnownOptions(request, Object.keys(CountQuery.shape));
        return String(await countEntries(set, caller as Caller, setQueryOf(set, query, request)));
      },
    }),
  ];
}

function sayVersion(response: Response, type: string): void {
  response.set({ 'OData-Version': '4.0', 'Content-Type': type });
}

function rowSchema({ columns }: EntitySet) {
  const fields = columns.map(({ name, kind, nullable }) => {
    const schema = SCHEMAS[kind];
    // Rows of a selection have only its columns.
    return [name, (nullable ? schema.nullable() : schema).optional()] as const;
  });
  return z.object(Object.fromEntries(fields));
}

const SCHEMAS = {
  text: z.string(),
  whole: z.int(),
  number: z.number(),
  flag: z.boolean(),
  time: z.string(),
} satisfies Record<ValueKind, z.ZodType>;

const TYPES = {
  text: 'Edm.String',
  whole: 'Edm.Int64',
  number: 'Edm.Double',
  flag: 'Edm.Boolean',
  time: 'Edm.DateTimeOffset',
} satisfies Record<ValueKind, string>;

function metadataOf(sets: readonly EntitySet[]): string {
  const types = sets.map(({ entity, key, columns }) => {
    const keys = key.map((name) => `<PropertyRef Name="${escapeXml(name)}"/>`).join('');
    const properties = columns.map(
      ({ name, kind, nullable }) =>
        `<Property Name="${escapeXml(name)}" Type="${TYPES[kind]}" Nullable="${nullable}"${kind === 'time' ? ' Precision="3"' : ''}/>`,
    );
    return `<EntityType Name="${escapeXml(entity)}"><Key>${keys}</Key>${properties.join('')}</EntityType>`;
  });
  const entries = sets.map(
    ({ name, entity }) => `<EntitySet Name="${escapeXml(name)}" EntityType="Waypost.${escapeXml(entity)}"/>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Waypost">
${types.join('\n')}
<EntityContainer Name="Station">${entries.join('')}</EntityContainer>
</Schema>
</edmx:DataServices></edmx:Edmx>
`;
}

function contextOf(request: Request): string {
  return `${rootOf(request)}/odata/$metadata`;
}

/** The same request, with the position where it continues. The count is the same on every page. */
function nextLink(request: Request, next: NonNullable<SetPage['next']>): string {
  // A client may write anything into `Host`, so it is not parsed.
  const { pathname, searchParams } = new URL(request.originalUrl, 'http://localhost');
  for (const name of ['$top', '$skip', '$skiptoken', '$count']) searchParams.delete(name);
  if (next.$top !== undefined) searchParams.set('$top', String(next.$top));
  if (next.$skip > 0) searchParams.set('$skip', String(next.$skip));
  if (next.$skiptoken !== undefined) searchParams.set('$skiptoken', next.$skiptoken);
  return `${rootOf(request)}${pathname}?${searchParams}`;
}

function rootOf(request: Request): string {
  return `${usesTls(request) ? 'https' : 'http'}://${hostOf(request)}`;
}

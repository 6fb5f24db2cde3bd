import type { Request } from 'express';
import { z } from 'zod';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Caller } from '../../../access/accounts/index.ts';
import { hostOf, usesTls } from '../../app/client.ts';
import { route, type DeclaredRoute } from '../../app/route.ts';
import { pathId } from '../../request/fields.ts';
import { ogcCollections, type OgcCollection, type OgcFeature, type OgcRooms } from './features.ts';
import { isAsked, OgcItemsQuery } from './ogc-query.ts';

const JSON_TYPE = 'application/json';
const GEOJSON_TYPE = 'application/geo+json';
const CRS = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
const CONFORMANCE = ['core', 'oas30', 'geojson'].map(
  (name) => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`,
);

const Link = z.object({ href: z.string(), rel: z.string(), type: z.string(), title: z.string() });
const links = z.array(Link);
const CollectionAnswer = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    itemType: z.literal('feature'),
    crs: z.array(z.string()),
    links,
  })
  .meta({ id: 'OgcCollection' });
const format = z.object({ f: z.string().max(20).optional() });
const params = z.object({ collectionId: z.string().max(40) });
const common = { family: 'station', access: 'user', group: 'Map layers', method: 'GET', query: format } as const;

/** OGC API Features, part 1: layers for QGIS and other map programs, to be read. */
export function ogcRoutes(rooms: OgcRooms, stationName: string): DeclaredRoute[] {
  const collections = ogcCollections(rooms);
  const collectionOf = (id: string): OgcCollection => {
    const collection = collections.find((each) => each.id === id);
    if (!collection) throw new Refusal('request.noCollection', { name: id });
    return collection;
  };
  return [
    route({
      ...common,
      path: '/ogc',
      summary: 'Layers for map programs (OGC API Features)',
      description: 'QGIS and GDAL begin here. An access key of the scope `read` goes into the header `Authorization`.',
      answer: z.object({ title: z.string(), description: z.string(), links }),
      run: ({ request }) => ({
        title: stationName,
        description: 'Tasks, vehicles, geozones, closures and own places of Waypost.',
        links: [
          link(request, '/ogc', 'self', JSON_TYPE, 'This page'),
          link(request, '/openapi.json', 'service-desc', 'application/vnd.oai.openapi+json;version=3.0', 'Interface'),
          link(request, '/ogc/conformance', 'conformance', JSON_TYPE, 'What is supported'),
          link(request, '/ogc/collections', 'data', JSON_TYPE, 'Layers'),
        ],
      }),
    }),
    route({
      ...common,
      path: '/ogc/conformance',
      summary: 'Which parts of OGC API Features are supported',
      answer: z.object({ conformsTo: z.array(z.string()) }),
      run: () => ({ conformsTo: CONFORMANCE }),
    }),
    route({
      ...common,
      path: '/ogc/collections',
      summary: 'The layers',
      answer: z.object({ collections: z.array(CollectionAnswer), links }),
      run: ({ request }) => ({
        collections: collections.map((collection) => presentCollection(request, collection)),
        links: [link(request, '/ogc/collections', 'self', JSON_TYPE, 'This list')],
      }),
    }),
    route({
      ...common,
      path: '/ogc/collections/:collectionId',
      summary: 'One layer',
      params,
      answer: CollectionAnswer,
      run: ({ request, params }) => presentCollection(request, collectionOf(params.collectionId)),
    }),
    route({
      ...common,
      path: '/ogc/collections/:collectionId/items',
      summary: 'Features of a layer',
      description:
        '`bbox` compares boxes around the geometries. `datetime` is a time or a period. A page may have fewer features than `limit`; there are more while it has a link `next`.',
      params,
      query: OgcItemsQuery,
      cost: 2,
      answer: { type: GEOJSON_TYPE },
      run: ({ caller, request, params, query }) =>
        answerItems(request, caller, collectionOf(params.collectionId), query),
    }),
    route({
      ...common,
      path: '/ogc/collections/:collectionId/items/:featureId',
      summary: 'One feature of a layer',
      params: params.extend({ featureId: pathId }),
      answer: { type: GEOJSON_TYPE },
      run: ({ caller, request, params: { collectionId, featureId } }) => {
        const feature = collectionOf(collectionId).get(caller, featureId);
        if (!feature) throw new Refusal('request.noFeature', { id: featureId });
        const path = `/ogc/collections/${collectionId}`;
        return JSON.stringify({
          ...presentFeature(feature),
          links: [
            link(request, `${path}/items/${featureId}`, 'self', GEOJSON_TYPE, 'This feature'),
            link(request, path, 'collection', JSON_TYPE, 'Its layer'),
          ],
        });
      },
    }),
  ];
}

async function answerItems(
  request: Request,
  caller: Caller,
  collection: OgcCollection,
  query: OgcItemsQuery,
): Promise<string> {
  const { offset, limit } = query;
  const takes = (feature: OgcFeature) => isAsked(feature, query);
  const { features, next } = await collection.read(caller, { offset, limit, takes });
  const path = `/ogc/collections/${collection.id}`;
  return JSON.stringify({
    type: 'FeatureCollection',
    timeStamp: new Date().toISOString(),
    numberReturned: features.length,
    features: features.map(presentFeature),
    links: [
      { href: hrefOf(request, request.originalUrl), rel: 'self', type: GEOJSON_TYPE, title: 'This page' },
      link(request, path, 'collection', JSON_TYPE, 'The layer'),
      ...(next === undefined
        ? []
        : [{ href: withOffset(request, next), rel: 'next', type: GEOJSON_TYPE, title: 'The next page' }]),
    ],
  });
}

function presentCollection(request: Request, { id, title, description }: OgcCollection) {
  const path = `/ogc/collections/${id}`;
  return {
    ...{ id, title, description },
    itemType: 'feature' as const,
    crs: [CRS],
    links: [
      link(request, path, 'self', JSON_TYPE, title),
      link(request, `${path}/items`, 'items', GEOJSON_TYPE, title),
    ],
  };
}

function presentFeature({ id, geometry, properties }: OgcFeature) {
  return { type: 'Feature', id, geometry, properties };
}

function link(request: Request, path: string, rel: string, type: string, title: string): z.input<typeof Link> {
  return { href: hrefOf(request, path), rel, type, title };
}

function hrefOf(request: Request, path: string): string {
  return `${usesTls(request) ? 'https' : 'http'}://${hostOf(request)}${path}`;
}

function withOffset(request: Request, offset: number): string {
  // A client may write anything into `Host`, so it is not parsed.
  const { pathname, searchParams } = new URL(request.originalUrl, 'http://localhost');
  searchParams.set('offset', String(offset));
  return hrefOf(request, `${pathname}?${searchParams}`);
}

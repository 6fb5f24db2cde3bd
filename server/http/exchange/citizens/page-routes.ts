import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { z } from 'zod';
import { Refusal } from '../../../../shared/refusal.ts';
import type { CustomField } from '../../../../shared/records/index.ts';
import type { Files } from '../../../dispatch/files/index.ts';
import type { Geocoder } from '../../../geo/geocoding/index.ts';
import type { MapTiles } from '../../../geo/map/index.ts';
import type { CitizenRequests } from '../../../dispatch/tasks/index.ts';
import type { Territory } from '../../../geo/territory/index.ts';
import { clientAddress } from '../../app/client.ts';
import { route, type DeclaredRoute } from '../../app/route.ts';
import { tileRoute } from '../../map/tiles.ts';
import { bodyNumber, instant, languageTag, pathId, queryLat, queryLon, textUpTo } from '../../request/fields.ts';
import type { Forms } from './forms.ts';
import { SenderLimits } from './sender-limits.ts';

const MOST_PHOTOS = 3;
/** Photos of one form that may be sent, including removed ones. */
const MOST_SENT = 2 * MOST_PHOTOS;
const LARGEST_PHOTO = 15_000_000;
/** The share of the reports of an hour that one address may send: nobody fills the page for the others. */
const OF_ADDRESS = 1 / 5;
const HOUR = 3_600;
/** Places that a search of the page answers with. */
const MOST_PLACES = 6;

const line = textUpTo(200);
const uuid = z.string().max(64);
const Point = z.object({ lat: bodyNumber(-90, 90), lon: bodyNumber(-180, 180) });
const Field = z.object({
  slug: z.string(),
  name: z.string(),
  hint: z.string(),
  format: z.enum(['int', 'float', 'bool', 'list', 'date', 'string', 'text']),
  required: z.boolean(),
  values: z.array(z.string()).nullable(),
});
const Form = z
  .object({
    token: z.string().meta({ description: 'For the photos and the report. It ends after four hours.' }),
    name: z.string().meta({ description: 'Of the station.' }),
    types: z.array(z.object({ id: z.int(), name: z.string(), photos: z.boolean(), fields: z.array(Field) })),
    mostPhotos: z.int(),
    bounds: z.array(z.number()).length(4).nullable().meta({ description: 'Degrees: west, south, east, north.' }),
    territory: z.string().meta({ description: 'For the address of tiles; empty: there is no map.' }),
  })
  .meta({ id: 'CitizensForm' });
const Found = z.object({ label: z.string(), lat: z.number(), lon: z.number() });
const Sent = z.object({ id: z.int(), code: z.string().meta({ description: 'Opens the state of the report.' }) });
const Followed = z
  .object({
    id: z.int(),
    typeName: z.string(),
    description: z.string(),
    address: z.string(),
    point: z.object({ lat: z.number(), lon: z.number() }).nullable(),
    sentAt: instant,
    step: z.enum(['received', 'underWay', 'done']),
    stepSince: instant,
  })
  .meta({ id: 'CitizensReport' });

interface PageRooms {
  readonly citizens: CitizenRequests;
  readonly forms: Forms;
  readonly limits: SenderLimits;
  readonly files: Files;
  readonly geocoder: Geocoder;
  readonly map: MapTiles;
  readonly territory: Territory;
  readonly name: string;
  readonly perMinute: number;
  readonly perHour: number;
}

const common = { family: 'station', access: 'open', group: 'Page of citizens' } as const;

/** The page on which citizens report without an account, and follow what became of their report. */
export function citizensPageRoutes(rooms: PageRooms): DeclaredRoute[] {
  const { citizens, forms, limits, files, geocoder, map, territory, name, perMinute, perHour } = rooms;
  const ofHour = new SenderLimits();
  const ofAll = new SenderLimits();
  /** Counts successes: a mistake in a field may be corrected and sent again. */
  async function withinHour<T>(address: string, work: () => Promise<T>): Promise<T> {
    const taken: (() => void)[] = [];
    try {
      ofHour.take(address, Math.max(1, Math.ceil(perHour * OF_ADDRESS)), HOUR);
      taken.push(() => ofHour.giveBack(address));
      ofAll.take('page', perHour, HOUR);
      taken.push(() => ofAll.giveBack('page'));
      return await work();
    } catch (error) {
      for (const giveBack of taken) giveBack();
      throw error;
    }
  }
  const count = (request: Request) => limits.take(`address:${clientAddress(request)}`, perMinute);
  return [
    route({
      ...common,
      method: 'GET',
      path: '/citizens/form',
      summary: 'What citizens may report, and a token to report it with',
      description: 'Needs the setting `citizens.page`.',
      cost: 1,
      answer: Form,
      run: () => {
        citizens.requirePage();
        return {
          token: forms.issue(),
          name,
          types: citizens.types().map(({ id, name: title }) => ({
            id,
            name: title,
            photos: citizens.author(id).mayAttach,
            fields: citizens.fieldsOf(id).map(presentField),
          })),
          mostPhotos: MOST_PHOTOS,
          bounds: territory.info ? [...territory.info.bounds] : null,
          territory: map.version,
        };
      },
    }),
    tileRoute(map, '/citizens/tiles/:z/:x/:y.mvt', 'open', () => citizens.requirePage()),
    route({
      ...common,
      method: 'GET',
      path: '/citizens/places',
      summary: 'Addresses and streets by their names',
      description: `Of the map alone, at most ${MOST_PLACES}: own places, vehicles and tasks are not searched.`,
      query: z.object({ query: line, lang: languageTag.optional() }),
      cost: 2,
      answer: z.array(Found),
      run: async ({ query: { query, lang } }) => {
        citizens.requirePage();
        const hits = await geocoder.search({ query, limit: MOST_PLACES, language: lang });
        return hits.map(({ label, lat, lon }) => ({ label, lat, lon }));
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/citizens/place',
      summary: 'The address nearest to a point',
      query: z.object({ lat: queryLat, lon: queryLon, lang: languageTag.optional() }),
      cost: 1,
      answer: Found,
      run: async ({ query: { lang, ...point } }) => {
        citizens.requirePage();
        const hit = await geocoder.reverse(point, lang);
        if (!hit) throw new Refusal('territory.noAddress');
        return { label: hit.label, ...point };
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/citizens/photos',
      summary: 'A photo for a report that is sent next',
      description: `A report takes ${MOST_PHOTOS}, each of at most ${LARGEST_PHOTO / 1_000_000} MB; ${MOST_SENT} may be sent for one form.`,
      query: z.object({ token: line, typeId: z.string().max(10), name: line }),
      upload: { type: 'application/octet-stream' },
      cost: 5,
      answer: z.object({ uuid }),
      run: async ({ query, request }) => {
        citizens.requirePage();
        count(request);
        const { userId, mayAttach } = citizens.author(citizens.type(query.typeId).id);
        if (!mayAttach) throw new Refusal('citizens.mayNotAttach');
        forms.countPhoto(query.token, MOST_SENT);
        const kept = await files.keep(request, userId, LARGEST_PHOTO);
        try {
          if (kept.kind.family !== 'photo' || !(await files.look(kept.sha256))) throw new Refusal('citizens.noPhoto');
          return { uuid: (await files.register(kept, { name: query.name, userId })).uuid };
        } finally {
          files.drop(kept);
        }
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/citizens/reports',
      summary: 'A citizen reports something on the page',
      description:
        'It becomes a task. A repeated request with the same token gives the same answer. Too many of one address, or of all together: 429.',
      declaredJson: true,
      body: z.object({
        token: line,
        typeId: z.int().min(1),
        description: textUpTo(4000),
        address: textUpTo(1000).default(''),
        point: Point.nullable().default(null),
        fields: z.record(z.string().max(200), z.union([textUpTo(100_000), z.number(), z.boolean()])).default({}),
        photos: z.array(uuid).max(MOST_PHOTOS).default([]),
        name: line.default(''),
        phone: line.default(''),
        email: line.default(''),
        website: z.string().max(2000).default('').meta({ description: 'People leave it empty: they do not see it.' }),
      }),
      bodyLimit: 262_144,
      cost: 10,
      answer: Sent,
      run: ({ body, request }) => {
        citizens.requirePage();
        count(request);
        const { token, typeId, fields, photos, name: fullName, phone, email, website } = body;
        if (website !== '') throw new Refusal('citizens.automatic');
        const [description, address] = [body.description.trim(), body.address.trim()];
        if (description === '') throw new Refusal('field.missing', { field: 'description' });
        if (!body.point && address === '') throw new Refusal('citizens.noPlace');
        const code = randomBytes(9).toString('base64url');
        const contact = { first_name: fullName.trim(), phone: phone.trim(), email: email.trim() };
        const report = { typeId, description, address, point: body.point, addressId: '', mediaUrl: '', contact, code };
        const attach = photos.map((photo) => ({ kind: 'photo', uuid: photo }) as const);
        return forms.once(token, () =>
          withinHour(clientAddress(request), async () => ({ id: await citizens.report(report, fields, attach), code })),
        );
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/citizens/reports/:id',
      summary: 'What became of a report of the page',
      description: 'For who has its code. Nothing that the control room writes is in it.',
      params: z.object({ id: pathId }),
      query: z.object({ code: line }),
      cost: 1,
      answer: Followed,
      run: ({ params, query }) => {
        citizens.requirePage();
        const { id, typeName, report, requestedAt, step, stepSince } = citizens.followed(params.id, query.code);
        const { description, address, point } = report;
        return { id, typeName, description, address, point, sentAt: requestedAt, step, stepSince };
      },
    }),
  ];
}

function presentField({ slug, name, hint, format, required, possibleValues }: CustomField): z.input<typeof Field> {
  const shown = format === 'geometry' ? 'text' : format;
  return { slug, name, hint: hint ?? '', format: shown, required, values: possibleValues ? [...possibleValues] : null };
}

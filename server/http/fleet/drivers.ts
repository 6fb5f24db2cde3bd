import { z } from 'zod';
import { among, containsText } from '../../../shared/filters.ts';
import type { Driver } from '../../../shared/records/index.ts';
import type { Files } from '../../dispatch/files/index.ts';
import type { DriverOrder, Fleet } from '../../dispatch/fleet/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { bodyId, pathId, queryFlag, queryIds, queryText, textUpTo } from '../request/fields.ts';
import { releasePicture, servePng, uploadedPicture } from '../files/pictures.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const DriverItem = z
  .object({ id: z.int(), fio: z.string(), phone: z.string(), notes: z.string(), hasPhoto: z.boolean(), orgId: z.int() })
  .meta({ id: 'DriverItem' });
const DriverDetail = DriverItem.extend({ wire: z.string(), extId: z.string() }).meta({ id: 'Driver' });
export const Done = z.object({ message: z.string(), status: z.int() }).meta({ id: 'Done' });

const short = textUpTo(100);
const Change = z.object({
  fio: short.optional(),
  phone: short.nullish(),
  notes: textUpTo(20_000).nullish(),
  orgId: bodyId.nullish(),
  wire: short.nullish(),
  extId: short.nullish(),
});
const Create = Change.extend({ fio: short });
const params = z.object({ id: pathId });
const inB = { family: 'B', group: 'Drivers' } as const;

export const DriverFilter = z.object({
  fio: queryText.optional(),
  phone: queryText.optional(),
  notes: queryText.optional(),
  wire: queryText.optional(),
  extId: queryText.optional(),
  hasPhoto: queryFlag.optional(),
  organizations: queryIds.optional(),
});

/** B. Drivers. Each belongs to one organization. */
export function driverRoutes({ drivers }: Fleet, files: Files): DeclaredRoute[] {
  return [
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/drivers',
      summary: 'Drivers',
      query: DriverFilter,
      answer: z.array(DriverItem),
      description:
        'All filters that are given must hold: parts of `fio`, `phone`, `notes`; `wire` and `extId` exactly; `hasPhoto`; `organizations`.',
      run: ({ caller, query }) => drivers.list(caller).filter(passesDriver(query)).map(presentItem),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/drivers/all',
      summary: 'All drivers, without filters',
      answer: z.array(DriverItem),
      run: ({ caller }) => drivers.list(caller).map(presentItem),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/drivers',
      summary: 'Make a driver',
      body: Create,
      answer: DriverItem,
      description: '`wire` is the identifier of the key that the driver holds to the reader; a key is one driver’s.',
      run: async ({ caller, body }) => presentItem(await drivers.create(caller, driverOrder(body))),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/drivers/:id',
      summary: 'One driver',
      params,
      answer: DriverDetail,
      run: ({ caller, params }) => presentDetail(drivers.get(caller, params.id)),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/drivers/:id',
      summary: 'Change a driver',
      params,
      body: Change,
      answer: DriverItem,
      description: 'What is not sent stays.',
      run: async ({ caller, params, body }) => presentItem(await drivers.change(caller, params.id, driverOrder(body))),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/drivers/:id',
      summary: 'Delete a driver',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => drivers.delete(caller, params.id),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/drivers/:id/photo',
      summary: 'The photo of a driver',
      params,
      answer: { type: 'image/png' },
      run: ({ caller, params, request, response }) => {
        const { name, photo } = drivers.get(caller, params.id);
        return servePng(request, response, files, photo, name, 'whole');
      },
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/drivers/:id/photo',
      summary: 'Set the photo of a driver',
      params,
      body: z.object({ fileName: short }),
      answer: Done,
      description: '`fileName` is the name of an upload (`/fileload`).',
      run: async ({ caller, params, body }) => {
        const { photo } = drivers.get(caller, params.id);
        const { sha256 } = await uploadedPicture(files, caller, body.fileName, 'fileName');
        await drivers.change(caller, params.id, { photo: sha256 });
        await releasePicture(files, photo, sha256);
        return { message: 'ok', status: 200 };
      },
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/drivers/:id/photo',
      summary: 'Take the photo of a driver away',
      params,
      answer: 'nothing',
      run: async ({ caller, params }) => {
        const { photo, name } = drivers.get(caller, params.id);
        if (photo === null) throw new Refusal('fleet.noPicture', { name });
        await drivers.change(caller, params.id, { photo: null });
        await releasePicture(files, photo, null);
      },
    }),
  ];
}

/** null counts as absent. */
function driverOrder({ fio, orgId, phone, notes, wire, extId }: z.output<typeof Change>): DriverOrder {
  return {
    name: fio,
    organizationId: orgId ?? undefined,
    phone: phone ?? undefined,
    notes: notes ?? undefined,
    wire: wire ?? undefined,
    extId: extId ?? undefined,
  };
}

/** Whether a driver matches every condition of the filter. */
export function passesDriver({
  fio,
  phone,
  notes,
  wire,
  extId,
  hasPhoto,
  organizations,
}: z.output<typeof DriverFilter>): (driver: Driver) => boolean {
  const isOfOrganizations = among(organizations);
  return (driver) =>
    containsText(driver.name, fio) &&
    containsText(driver.phone, phone) &&
    containsText(driver.notes, notes) &&
    (wire === undefined || driver.wire === wire) &&
    (extId === undefined || driver.extId === extId) &&
    (hasPhoto === undefined || (driver.photo !== null) === hasPhoto) &&
    isOfOrganizations(driver.organizationId);
}

function presentItem({ id, name, phone, notes, photo, organizationId }: Driver): z.input<typeof DriverItem> {
  return { id, fio: name, phone, notes, hasPhoto: photo !== null, orgId: organizationId };
}

function presentDetail(driver: Driver): z.input<typeof DriverDetail> {
  return { ...presentItem(driver), wire: driver.wire, extId: driver.extId };
}

import { z } from 'zod';
import { KIND_GLYPHS, KIND_SERVICES, type VehicleCapability, type VehicleKind } from '../../../shared/records/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { bodyId, pathId, textUpTo } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const ids = z.array(bodyId).max(1000);
const KindAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    glyph: z.enum(KIND_GLYPHS),
    service: z.enum(KIND_SERVICES),
    typeIds: z
      .array(z.int())
      .meta({ description: 'Types of message that it serves where no response plan applies; empty: all.' }),
  })
  .meta({ id: 'VehicleKind' });
const KindBody = z.object({
  name: textUpTo(100).optional(),
  glyph: z.enum(KIND_GLYPHS).optional(),
  service: z.enum(KIND_SERVICES).optional(),
  typeIds: ids.optional(),
});
const CapabilityAnswer = z.object({ id: z.int(), name: z.string() }).meta({ id: 'VehicleCapability' });
const CapabilityBody = z.object({ name: textUpTo(100) });
const params = z.object({ id: pathId });
const kindPaths = { family: 'B', group: 'Vehicle kinds' } as const;
const capabilityPaths = { family: 'B', group: 'Vehicle capabilities' } as const;

/** Kinds and capabilities of vehicles. Everybody reads them; superusers write them. */
export function vehicleKindRoutes({ kinds, capabilities }: Fleet): DeclaredRoute[] {
  return [
    route({
      ...kindPaths,
      access: 'user',
      method: 'GET',
      path: '/vehicle-kinds',
      summary: 'Kinds of vehicles',
      answer: z.array(KindAnswer),
      run: ({ caller }) => kinds.list(caller).map(presentKind),
    }),
    route({
      ...kindPaths,
      access: 'superuser',
      method: 'POST',
      path: '/vehicle-kinds',
      summary: 'Make a kind of vehicles',
      body: KindBody.extend({ name: textUpTo(100) }),
      answer: KindAnswer,
      run: async ({ caller, body }) => presentKind(await kinds.create(caller, body)),
    }),
    route({
      ...kindPaths,
      access: 'user',
      method: 'GET',
      path: '/vehicle-kinds/:id',
      summary: 'One kind of vehicles',
      params,
      answer: KindAnswer,
      run: ({ caller, params }) => presentKind(kinds.get(caller, params.id)),
    }),
    route({
      ...kindPaths,
      access: 'superuser',
      method: 'PUT',
      path: '/vehicle-kinds/:id',
      summary: 'Change a kind of vehicles',
      params,
      body: KindBody,
      answer: KindAnswer,
      description: 'What is not sent stays.',
      run: async ({ caller, params, body }) => presentKind(await kinds.change(caller, params.id, body)),
    }),
    route({
      ...kindPaths,
      access: 'superuser',
      method: 'DELETE',
      path: '/vehicle-kinds/:id',
      summary: 'Delete a kind of vehicles',
      params,
      answer: 'nothing',
      description: 'Vehicles that are of it stay so; plans still ask for it.',
      run: ({ caller, params }) => kinds.delete(caller, params.id),
    }),
    route({
      ...capabilityPaths,
      access: 'user',
      method: 'GET',
      path: '/capabilities',
      summary: 'Capabilities of vehicles',
      answer: z.array(CapabilityAnswer),
      run: ({ caller }) => capabilities.list(caller).map(presentCapability),
    }),
    route({
      ...capabilityPaths,
      access: 'superuser',
      method: 'POST',
      path: '/capabilities',
      summary: 'Make a capability',
      body: CapabilityBody,
      answer: CapabilityAnswer,
      run: async ({ caller, body }) => presentCapability(await capabilities.create(caller, body)),
    }),
    route({
      ...capabilityPaths,
      access: 'user',
      method: 'GET',
      path: '/capabilities/:id',
      summary: 'One capability',
      params,
      answer: CapabilityAnswer,
      run: ({ caller, params }) => presentCapability(capabilities.get(caller, params.id)),
    }),
    route({
      ...capabilityPaths,
      access: 'superuser',
      method: 'PUT',
      path: '/capabilities/:id',
      summary: 'Rename a capability',
      params,
      body: CapabilityBody,
      answer: CapabilityAnswer,
      run: async ({ caller, params, body }) => presentCapability(await capabilities.change(caller, params.id, body)),
    }),
    route({
      ...capabilityPaths,
      access: 'superuser',
      method: 'DELETE',
      path: '/capabilities/:id',
      summary: 'Delete a capability',
      params,
      answer: 'nothing',
      description: 'Vehicles that have it keep it; plans still ask for it.',
      run: ({ caller, params }) => capabilities.delete(caller, params.id),
    }),
  ];
}

function presentKind({ id, name, glyph, service, typeIds }: VehicleKind): z.input<typeof KindAnswer> {
  return { id, name, glyph, service, typeIds };
}

function presentCapability({ id, name }: VehicleCapability): z.input<typeof CapabilityAnswer> {
  return { id, name };
}

import { z } from 'zod';
import { among, containsText } from '../../../shared/filters.ts';
import type { Tag, VehicleGroup } from '../../../shared/records/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { bodyId, pathId, queryIds, queryText, textUpTo } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const GroupAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    notes: z.string(),
    extGroup: z.string(),
    view: z.boolean(),
    organizationId: z.int(),
  })
  .meta({ id: 'VehicleGroup' });
const TagAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    color: z.string(),
    organizationId: z.int().nullable().meta({ description: 'null: a tag of the whole station' }),
  })
  .meta({ id: 'VehicleTag' });

const name = textUpTo(100);
const GroupBody = z.object({
  name: name.optional(),
  notes: textUpTo(20_000).optional(),
  extGroup: name.optional(),
  view: z.boolean().optional(),
  organizationId: bodyId.optional(),
});
const TagBody = z.object({
  name: name.optional(),
  color: textUpTo(40).optional(),
  organizationId: bodyId
    .nullable()
    .transform((id) => id ?? 0)
    .optional(),
});
const params = z.object({ id: pathId });
const WHOSE_TAG =
  '`organizationId` null: a tag of the whole station, which those who administer every organisation write. Not sent by another administrator: a tag of their own organisation.';
const inB = { family: 'B', group: 'Vehicle groups and tags' } as const;

/**
 * B. Vehicle groups, of one organization each, and tags, of one organization or of the whole station.
 * Declared before `/cars/:id`.
 */
export function groupRoutes({ groups, tags }: Fleet): DeclaredRoute[] {
  return [
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/cars/groups',
      summary: 'Groups',
      query: z.object({ name: queryText.optional(), organizations: queryIds.optional() }),
      answer: z.array(GroupAnswer),
      run: ({ caller, query }) => {
        const isOfOrganizations = among(query.organizations);
        return groups
          .list(caller)
          .filter(({ name, organizationId }) => containsText(name, query.name) && isOfOrganizations(organizationId))
          .map(presentGroup);
      },
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/cars/groups',
      summary: 'Make a group',
      body: GroupBody.extend({ name }),
      answer: GroupAnswer,
      description: '`organizationId` is the caller’s own when it is not given.',
      run: async ({ caller, body }) => presentGroup(await groups.create(caller, body)),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/cars/groups/:id',
      summary: 'One group',
      params,
      answer: GroupAnswer,
      run: ({ caller, params }) => presentGroup(groups.get(caller, params.id)),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/cars/groups/:id',
      summary: 'Change a group',
      params,
      body: GroupBody,
      answer: GroupAnswer,
      run: async ({ caller, params, body }) => presentGroup(await groups.change(caller, params.id, body)),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/cars/groups/:id',
      summary: 'Delete a group',
      params,
      answer: 'nothing',
      description: 'Vehicles that are in it stay as they are.',
      run: ({ caller, params }) => groups.delete(caller, params.id),
    }),

    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/cars/tags',
      summary: 'Tags',
      answer: z.array(TagAnswer),
      run: ({ caller }) => tags.list(caller).map(presentTag),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/cars/tags',
      summary: 'Make a tag',
      body: TagBody.extend({ name }),
      answer: TagAnswer,
      description: WHOSE_TAG,
      run: async ({ caller, body }) => presentTag(await tags.create(caller, body)),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/cars/tags/:id',
      summary: 'One tag',
      params,
      answer: TagAnswer,
      run: ({ caller, params }) => presentTag(tags.get(caller, params.id)),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/cars/tags/:id',
      summary: 'Change a tag',
      params,
      body: TagBody,
      answer: TagAnswer,
      description: WHOSE_TAG,
      run: async ({ caller, params, body }) => presentTag(await tags.change(caller, params.id, body)),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/cars/tags/:id',
      summary: 'Delete a tag',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => tags.delete(caller, params.id),
    }),
  ];
}

function presentGroup({ id, name, notes, extGroup, view, organizationId }: VehicleGroup): z.input<typeof GroupAnswer> {
  return { id, name, notes, extGroup, view, organizationId };
}

function presentTag({ id, name, color, organizationId }: Tag): z.input<typeof TagAnswer> {
  return { id, name, color, organizationId: organizationId || null };
}

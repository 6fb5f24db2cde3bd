import { z } from 'zod';
import { PRESET_USES, type SharedPreset } from '../../../shared/records/index.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import type { Presets } from '../../access/accounts/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { bodyId, filledUpTo, pathId } from '../request/fields.ts';

/** Characters of the JSON of one content. */
const LONGEST = 60_000;

const PresetAnswer = z
  .object({
    id: z.int(),
    use: z.enum(PRESET_USES).meta({ description: 'An arrangement of the board, or a view of the queue' }),
    name: z.string(),
    organizationId: z.int().nullable().meta({ description: 'null: of all' }),
    ownerId: z.int(),
    content: z.record(z.string(), z.unknown()).meta({ description: 'Consoles alone read it' }),
    changedAt: z.int(),
  })
  .meta({ id: 'Preset' });
const content = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= LONGEST, fieldRule('field.longerThan', { most: LONGEST }));
const name = filledUpTo(60);
const params = z.object({ id: pathId });
const inStation = { family: 'station', group: 'Shared layouts and views', access: 'user' } as const;

/** Layouts and views that people share. Users with `presets` share; the owner changes and withdraws. */
export function presetRoutes(presets: Presets): DeclaredRoute[] {
  return [
    route({
      ...inStation,
      method: 'GET',
      path: '/presets',
      summary: 'The layouts and views that are shared with the caller',
      answer: z.array(PresetAnswer),
      run: ({ caller }) => presets.list(caller).map(presentPreset),
    }),
    route({
      ...inStation,
      method: 'POST',
      path: '/presets',
      summary: 'Share a layout or a view',
      description:
        'The caller becomes its owner. `organizationId` is the caller’s own when it is not given; null: all, for those who see every organisation.',
      body: z.object({
        use: z.enum(PRESET_USES),
        name,
        content,
        organizationId: bodyId
          .nullable()
          .transform((id) => id ?? 0)
          .optional(),
      }),
      bodyLimit: 262_144,
      answer: PresetAnswer,
      run: async ({ caller, body }) =>
        presentPreset(await presets.share(caller, { ...body, content: JSON.stringify(body.content) })),
    }),
    route({
      ...inStation,
      method: 'GET',
      path: '/presets/:id',
      summary: 'One shared layout or view',
      params,
      answer: PresetAnswer,
      run: ({ caller, params }) => presentPreset(presets.get(caller, params.id)),
    }),
    route({
      ...inStation,
      method: 'PUT',
      path: '/presets/:id',
      summary: 'Rename or change a shared layout or view',
      description: 'For its owner and for administrators. What is not sent stays. Those who have taken it get it.',
      params,
      body: z.object({ name: name.optional(), content: content.optional() }),
      bodyLimit: 262_144,
      answer: PresetAnswer,
      run: async ({ caller, params, body }) =>
        presentPreset(
          await presets.change(caller, params.id, {
            ...(body.name !== undefined && { name: body.name }),
            ...(body.content && { content: JSON.stringify(body.content) }),
          }),
        ),
    }),
    route({
      ...inStation,
      method: 'DELETE',
      path: '/presets/:id',
      summary: 'Withdraw a shared layout or view',
      description: 'For its owner and for administrators. Those who have taken it keep it as their own.',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => presets.delete(caller, params.id),
    }),
    route({
      ...inStation,
      method: 'POST',
      path: '/presets/:id/restore',
      summary: 'Share again what was withdrawn',
      params,
      answer: PresetAnswer,
      run: async ({ caller, params }) => presentPreset(await presets.restore(caller, params.id)),
    }),
  ];
}

function presentPreset(preset: SharedPreset): z.input<typeof PresetAnswer> {
  const { id, use, name, organizationId, ownerId, content, changedAt } = preset;
  return { id, use, name, organizationId: organizationId || null, ownerId, content: readContent(content), changedAt };
}

/** Another station may have sent what is no JSON. */
function readContent(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

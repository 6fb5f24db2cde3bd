import { z } from 'zod';
import { PREMISE_SUBJECTS, type PremiseNote } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Fleet, PremiseNoteOrder } from '../../dispatch/fleet/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { bodyId, instant, pathId, queryLat, queryLon, textUpTo } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const NoteAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    subject: z.enum(PREMISE_SUBJECTS),
    text: z.string(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    radius: z.number().meta({ description: 'metres around the point' }),
    geozoneId: z.int().nullable(),
    organizationId: z.int().nullable().meta({ description: 'null: for everybody' }),
    till: z.int().nullable().meta({ description: 'epoch ms; null: no end' }),
  })
  .meta({ id: 'PremiseNote' });

const bodyIdOrNone = bodyId.nullable().transform((id) => id ?? 0);
const NoteBody = z.object({
  name: textUpTo(100).optional(),
  subject: z.enum(PREMISE_SUBJECTS).optional(),
  text: textUpTo(20_000).optional(),
  lat: z.number().min(-90).max(90).nullish(),
  lon: z.number().min(-180).max(180).nullish(),
  radius: z.number().min(1).max(5_000).optional(),
  geozoneId: bodyIdOrNone.optional(),
  organizationId: bodyIdOrNone.optional(),
  till: instant.nullable().optional(),
});
const params = z.object({ id: pathId });
const inB = { family: 'B', group: 'Premise notes' } as const;

/** Notes about places for crews. Administrators write the notes of their organization, superusers all. */
export function premiseNoteRoutes(fleet: Fleet, tasks: Tasks): DeclaredRoute[] {
  const { premiseNotes } = fleet;
  return [
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/premise-notes',
      summary: 'Premise notes',
      query: z.object({ lat: queryLat.optional(), lon: queryLon.optional() }),
      answer: z.array(NoteAnswer),
      description: 'With `lat` and `lon` only those that hold at this place now, the nearest first.',
      run: ({ caller, query: { lat, lon } }) => {
        if ((lat === undefined) !== (lon === undefined))
          throw new Refusal('field.missing', { field: lat === undefined ? 'lat' : 'lon' });
        const notes =
          lat === undefined || lon === undefined
            ? premiseNotes.list(caller)
            : fleet.proposals.notesAt(caller, { lat, lon });
        return notes.map(presentNote);
      },
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/premise-notes',
      summary: 'Make a premise note',
      body: NoteBody.extend({ name: textUpTo(100) }),
      answer: NoteAnswer,
      description:
        'At `lat` and `lon`, or in `geozoneId`. `organizationId` is the caller’s own when it is not given; null: for everybody, which those who administer every organisation write.',
      run: async ({ caller, body }) => presentNote(await premiseNotes.create(caller, noteOrderOf(body))),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/premise-notes/:id',
      summary: 'One premise note',
      params,
      answer: NoteAnswer,
      run: ({ caller, params }) => presentNote(premiseNotes.get(caller, params.id)),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/premise-notes/:id',
      summary: 'Change a premise note',
      params,
      body: NoteBody,
      answer: NoteAnswer,
      description: 'What is not sent stays.',
      run: async ({ caller, params, body }) =>
        presentNote(await premiseNotes.change(caller, params.id, noteOrderOf(body))),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/premise-notes/:id',
      summary: 'Delete a premise note',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => premiseNotes.delete(caller, params.id),
    }),
    route({
      family: 'A',
      group: 'Messages',
      access: 'user',
      bare: true,
      method: 'GET',
      path: '/news/:id/premise-notes',
      summary: 'Premise notes of a message’s place',
      params,
      answer: z.array(NoteAnswer),
      description: 'Empty for a message without a point.',
      run: ({ caller, params }) => {
        const { point } = tasks.get(caller, params.id);
        return point ? fleet.proposals.notesAt(caller, point).map(presentNote) : [];
      },
    }),
  ];
}

function noteOrderOf({ lat, lon, till, ...same }: z.output<typeof NoteBody>): PremiseNoteOrder {
  const order: PremiseNoteOrder = { ...same, until: till };
  if (lat === undefined && lon === undefined) return order;
  if ((lat ?? null) === null && (lon ?? null) === null) return { ...order, point: null };
  if (typeof lat !== 'number' || typeof lon !== 'number')
    throw new Refusal('field.missing', { field: typeof lat === 'number' ? 'lon' : 'lat' });
  return { ...order, point: { lat, lon } };
}

function presentNote(note: PremiseNote): z.input<typeof NoteAnswer> {
  const { id, name, subject, text, point, radius, geozoneId, organizationId, until } = note;
  return {
    id,
    name,
    subject,
    text,
    lat: point?.lat ?? null,
    lon: point?.lon ?? null,
    radius,
    geozoneId: geozoneId || null,
    organizationId: organizationId || null,
    till: until,
  };
}

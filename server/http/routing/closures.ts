import { z } from 'zod';
import type { Closures } from '../../geo/closures/index.ts';
import type { RoadClosure } from '../../../shared/records/index.ts';
import { filledUpTo, instant, pathId, textUpTo } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const instantOrNull = instant.nullable();
const factor = z.number().min(0).max(1);
const geometry = z
  .looseObject({ type: z.enum(['Point', 'LineString', 'Polygon']), coordinates: z.array(z.unknown()) })
  .meta({ description: 'GeoJSON Point, LineString or Polygon; longitude before latitude.' });

const Body = z.object({
  name: filledUpTo(100).optional(),
  reason: textUpTo(20_000).nullish(),
  geometry: geometry.optional(),
  from: instantOrNull.optional(),
  till: instantOrNull.optional(),
  factor: factor.optional(),
});
const CreateBody = Body.required({ name: true, geometry: true });
const params = z.object({ id: pathId });

export const ClosureAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    reason: z.string(),
    geometry,
    from: instantOrNull.meta({ description: 'epoch ms; null: ever since' }),
    till: instantOrNull.meta({ description: 'epoch ms; null: until it is lifted' }),
    factor: factor.meta({ description: '0 closed; 0.3: driven at 30 % of the usual speed' }),
  })
  .meta({ id: 'Closure' });

const PreviewAnswer = z
  .object({
    length: z
      .number()
      .meta({ description: 'Metres of road that would be closed or slowed; 0: the drawing touches no road.' }),
    roads: z
      .array(z.object({ name: z.string(), length: z.number() }))
      .meta({ description: 'The longest first, 20 at most; nameless ones together.' }),
    lines: z
      .object({ type: z.literal('MultiLineString'), coordinates: z.array(z.array(z.array(z.number()))) })
      .meta({ description: 'These roads for drawing, 2,000 straight pieces at most.' }),
    allowed: z.boolean().meta({ description: 'Whether the caller may save a closure so drawn.' }),
    limit: z.number().meta({ description: 'Kilometres of road that one may close without the right `closures-wide`.' }),
  })
  .meta({ id: 'ClosurePreview' });

const common = { family: 'station', access: 'user', group: 'Closures' } as const;

/** Closed and slowed roads. */
export function closureRoutes(closures: Closures): DeclaredRoute[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: '/closures',
      summary: 'Closed and slowed roads',
      answer: z.array(ClosureAnswer),
      description: 'Those to come and those that are over among them, until they are deleted.',
      run: () => closures.list().map(presentClosure),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/closures',
      summary: 'Close or slow a road',
      body: CreateBody,
      answer: ClosureAnswer,
      description:
        'A point closes the road it lies on, a line the roads that it crosses or runs along (within 35° and 15 m), a polygon those that touch it. `POST /closures/preview` tells which these are. Every routing answer from the next request on obeys it. Takes the right to edit, and over more kilometres of road than the setting `closures.wideLimit` (20), closed or slowed, the right `closures-wide`. Without `from` and `till` it holds until it is deleted; `factor` is 0 when not given.',
      run: async ({ caller, body }) => presentClosure(await closures.create(caller, closureOrder(body))),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/closures/preview',
      onStandby: true,
      summary: 'The roads that a closure would lie on',
      body: z.object({ geometry }),
      answer: PreviewAnswer,
      description:
        'Stores nothing. Takes the right to edit. Of the kinds of vehicle, the one that has most roads there counts.',
      run: async ({ caller, body }) => presentPreview(await closures.preview(caller, body.geometry)),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/closures/:id',
      summary: 'One closure',
      params,
      answer: ClosureAnswer,
      run: ({ params }) => presentClosure(closures.get(params.id)),
    }),
    route({
      ...common,
      method: 'PUT',
      path: '/closures/:id',
      summary: 'Change a closure',
      params,
      body: Body,
      answer: ClosureAnswer,
      description:
        'What is not sent stays. What changes the effect of a closure takes the right to a closure so drawn.',
      run: async ({ caller, params, body }) =>
        presentClosure(await closures.change(caller, params.id, closureOrder(body))),
    }),
    route({
      ...common,
      method: 'DELETE',
      path: '/closures/:id',
      summary: 'Lift a closure',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => closures.delete(caller, params.id),
    }),
  ];
}

/** A closure in lists, and in feeds for programs. */
export function presentClosure({
  id,
  name,
  reason,
  geometry: { type, coordinates },
  from,
  until,
  factor,
}: RoadClosure): z.input<typeof ClosureAnswer> {
  return { id, name, reason, geometry: { type, coordinates: [...coordinates] }, from, till: until, factor };
}

function presentPreview({
  metres,
  names,
  lines,
  allowed,
  limit,
}: Awaited<ReturnType<Closures['preview']>>): z.input<typeof PreviewAnswer> {
  const whole = (length: number): number => Math.round(length * 10) / 10;
  return {
    length: whole(metres),
    roads: names.map(({ name, metres }) => ({ name, length: whole(metres) })),
    lines: { type: 'MultiLineString', coordinates: lines.map((line) => line.map((position) => [...position])) },
    allowed,
    limit,
  };
}

function closureOrder({ reason, till, ...body }: z.output<typeof Body>) {
  return { ...body, until: till, ...(reason !== undefined && { reason: reason ?? '' }) };
}

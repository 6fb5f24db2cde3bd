import { z } from 'zod';
import { among, containsText } from '../../../shared/filters.ts';
import type { Make, VehicleModel } from '../../../shared/records/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { bodyId, pathId, queryIds, queryNumber, queryText, textUpTo } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const Named = z.object({ id: z.int(), name: z.string() });
const number = z.number().nullable();
const ModelAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    expenseOn100km: number,
    maxTank: number,
    motohoursStop: number,
    motohoursMove: number,
    markId: z.int(),
  })
  .meta({ id: 'VehicleModel' });
const ModelWithMark = ModelAnswer.extend({ mark: Named.nullable() }).meta({ id: 'VehicleModelWithMark' });

const amount = z.number().min(0).max(1_000_000).nullish();
const Change = z.object({
  name: textUpTo(100).optional(),
  expenseOn100km: amount,
  maxTank: amount,
  motohoursStop: amount,
  motohoursMove: amount,
  markId: bodyId.optional(),
});
const Create = Change.extend({ name: textUpTo(100), markId: bodyId });
const MarkBody = z.object({ name: textUpTo(100) });
const params = z.object({ id: pathId });
const inB = { family: 'B', group: 'Vehicle models' } as const;

const exactly = queryNumber(0, 1_000_000).optional();
export const ModelFilter = z.object({
  name: queryText.optional(),
  mark: queryIds.optional(),
  expenseOn100km: exactly,
  maxTank: exactly,
  motohoursStop: exactly,
  motohoursMove: exactly,
});

/**
 * B. Vehicle makes and models. Everybody reads them, administrators write them. Declared before `/cars/:id`.
 */
export function modelRoutes(fleet: Fleet): DeclaredRoute[] {
  const { makes, models } = fleet;
  const whole = (model: VehicleModel): z.input<typeof ModelWithMark> => ({
    ...presentModel(model),
    mark: presentMake(makes.mirror.get(model.makeId)),
  });
  return [
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/cars/models',
      summary: 'Models',
      query: ModelFilter,
      answer: z.array(ModelAnswer),
      description: 'All filters that are given must hold; `mark` takes several ids, `name` a part.',
      run: ({ caller, query }) => models.list(caller).filter(modelFilter(query)).map(presentModel),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/cars/models',
      summary: 'Make a model',
      body: Create,
      answer: ModelWithMark,
      run: async ({ caller, body }) => whole(await models.create(caller, modelOrder(body))),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/cars/models/count',
      summary: 'How many models there are',
      query: ModelFilter,
      answer: { type: 'text/plain' },
      run: ({ caller, query }) => String(models.list(caller).filter(modelFilter(query)).length),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/cars/models/:id',
      summary: 'One model',
      params,
      answer: ModelWithMark,
      run: ({ caller, params }) => whole(models.get(caller, params.id)),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/cars/models/:id',
      summary: 'Change a model',
      params,
      body: Change,
      answer: ModelWithMark,
      description: 'What is not sent stays; null takes a number away.',
      run: async ({ caller, params, body }) => whole(await models.change(caller, params.id, modelOrder(body))),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/cars/models/:id',
      summary: 'Delete a model',
      params,
      answer: 'nothing',
      description: 'Vehicles that are of it stay so.',
      run: ({ caller, params }) => models.delete(caller, params.id),
    }),

    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/cars/marks',
      summary: 'Makers',
      query: z.object({ name: queryText.optional() }),
      answer: z.array(Named),
      run: ({ caller, query }) =>
        makes
          .list(caller)
          .filter(({ name }) => containsText(name, query.name))
          .map(({ id, name }) => ({ id, name })),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/cars/marks',
      summary: 'Make a maker',
      body: MarkBody,
      answer: Named,
      run: async ({ caller, body }) => presentMake(await makes.create(caller, body))!,
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/cars/marks/:id',
      summary: 'One maker',
      params,
      answer: Named,
      run: ({ caller, params }) => presentMake(makes.get(caller, params.id))!,
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/cars/marks/:id',
      summary: 'Rename a maker',
      params,
      body: MarkBody,
      answer: Named,
      run: async ({ caller, params, body }) => presentMake(await makes.change(caller, params.id, body))!,
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/cars/marks/:id',
      summary: 'Delete a maker that has no models',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => makes.delete(caller, params.id),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/cars/marks/:id/models',
      summary: 'Models of a maker',
      params,
      answer: z.array(ModelAnswer),
      run: ({ caller, params }) => {
        const { id } = makes.get(caller, params.id);
        return models
          .list(caller)
          .filter(({ makeId }) => makeId === id)
          .map(presentModel);
      },
    }),
  ];
}

function modelOrder<B extends z.output<typeof Change>>({ markId, motohoursStop, motohoursMove, ...same }: B) {
  return { ...same, makeId: markId, engineHoursStop: motohoursStop, engineHoursMove: motohoursMove };
}

function presentModel({
  id,
  name,
  expenseOn100km,
  maxTank,
  engineHoursStop,
  engineHoursMove,
  makeId,
}: VehicleModel): z.input<typeof ModelAnswer> {
  return {
    id,
    name,
    expenseOn100km,
    maxTank,
    motohoursStop: engineHoursStop,
    motohoursMove: engineHoursMove,
    markId: makeId,
  };
}

function presentMake(make: Make | undefined): z.input<typeof Named> | null {
  return make ? { id: make.id, name: make.name } : null;
}

/** Filters by their interface's name, with the field that each compares. */
const NUMBERS = [
  ['expenseOn100km', 'expenseOn100km'],
  ['maxTank', 'maxTank'],
  ['motohoursStop', 'engineHoursStop'],
  ['motohoursMove', 'engineHoursMove'],
] as const;

/** Whether a model matches every condition of the filter. */
export function modelFilter({ name, mark, ...exact }: z.output<typeof ModelFilter>): (model: VehicleModel) => boolean {
  const isOfMakes = among(mark);
  return (model) =>
    containsText(model.name, name) &&
    isOfMakes(model.makeId) &&
    NUMBERS.every(([asked, field]) => exact[asked] === undefined || model[field] === exact[asked]);
}

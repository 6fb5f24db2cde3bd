import { z } from 'zod';
import type { CallProtocol } from '../../../shared/records/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { bodyId, pathId, textUpTo } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { Need, NeedAnswer } from './response-plans.ts';

const idOrNone = z.int().nullable();
const ProtocolAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    typeIds: z.array(z.int()).meta({ description: 'Types of messages; empty: those without a protocol of their own.' }),
    questions: z.array(
      z.object({
        id: z.int(),
        text: z.string(),
        answers: z.array(
          z.object({
            text: z.string(),
            nextId: idOrNone.meta({ description: 'The question that follows; null: the protocol ends.' }),
            priority: z.int().nullable(),
            typeId: idOrNone.meta({ description: 'The type that the message then has; null: the same.' }),
            advice: z.string().meta({ description: 'What to say to the caller.' }),
            needs: z.array(NeedAnswer).meta({ description: 'Besides those of the response plan.' }),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'CallProtocol' });

/** A digit takes each answer. */
const MOST_ANSWERS = 9;
const MOST_QUESTIONS = 100;
const bodyIdOrNone = bodyId.nullable().transform((id) => id ?? 0);
const Answer = z.object({
  text: textUpTo(100),
  nextId: bodyIdOrNone.default(0),
  priority: z
    .int()
    .min(1)
    .max(4)
    .nullish()
    .transform((priority) => priority ?? 0),
  typeId: bodyIdOrNone.default(0),
  advice: textUpTo(2_000).default(''),
  needs: z.array(Need).max(10).default([]),
});
const Question = z.object({ id: bodyId, text: textUpTo(200), answers: z.array(Answer).max(MOST_ANSWERS) });
const ProtocolBody = z.object({
  name: textUpTo(100).optional(),
  typeIds: z.array(bodyId).max(1000).optional(),
  questions: z.array(Question).max(MOST_QUESTIONS).optional(),
});
const params = z.object({ id: pathId });
const inB = { family: 'B', group: 'Call protocols' } as const;

/** Questions for callers. Everybody reads protocols; superusers write them, because they serve every organization. */
export function protocolRoutes({ protocols }: Fleet): DeclaredRoute[] {
  return [
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/call-protocols',
      summary: 'Call protocols',
      answer: z.array(ProtocolAnswer),
      run: ({ caller }) => protocols.list(caller).map(present),
    }),
    route({
      ...inB,
      access: 'superuser',
      method: 'POST',
      path: '/call-protocols',
      summary: 'Make a call protocol',
      body: ProtocolBody.required({ questions: true }).extend({ name: textUpTo(100) }),
      answer: ProtocolAnswer,
      description:
        'The first question begins. Ids of questions are yours to choose, each once in the protocol. Questions that lead back to themselves are refused.',
      run: async ({ caller, body }) => present(await protocols.create(caller, body)),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/call-protocols/:id',
      summary: 'One call protocol',
      params,
      answer: ProtocolAnswer,
      run: ({ caller, params }) => present(protocols.get(caller, params.id)),
    }),
    route({
      ...inB,
      access: 'superuser',
      method: 'PUT',
      path: '/call-protocols/:id',
      summary: 'Change a call protocol',
      params,
      body: ProtocolBody,
      answer: ProtocolAnswer,
      description: 'What is not sent stays; `questions` is replaced as a whole.',
      run: async ({ caller, params, body }) => present(await protocols.change(caller, params.id, body)),
    }),
    route({
      ...inB,
      access: 'superuser',
      method: 'DELETE',
      path: '/call-protocols/:id',
      summary: 'Delete a call protocol',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => protocols.delete(caller, params.id),
    }),
  ];
}

function present({ id, name, typeIds, questions }: CallProtocol): z.input<typeof ProtocolAnswer> {
  return {
    id,
    name,
    typeIds,
    questions: questions.map((question) => ({
      ...question,
      answers: question.answers.map((answer) => ({
        ...answer,
        nextId: answer.nextId || null,
        priority: answer.priority || null,
        typeId: answer.typeId || null,
        needs: answer.needs.map((need) => ({ ...need, kindId: need.kindId || null })),
      })),
    })),
  };
}

import { z } from 'zod';
import { ROLE_CAPABILITIES, type StateRule } from '../../../shared/records/index.ts';
import { allowedTo } from '../../../shared/access.ts';
import { customFieldId } from '../../../shared/tasks/state-rules.ts';
import type { Tasks, Verdict } from '../../dispatch/tasks/index.ts';
import { capabilityId } from '../accounts/presenters.ts';
import { aFlag, aNumber, flagOf } from './values.ts';
import { bodyId, filledUpTo, pathId, textUpTo } from '../request/fields.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const SIGNS = ['=', '!=', '<', '>', '<=', '>=', 'in'] as const;
/** The value to compare with: a text, a number, a flag, or several of them for `in`. */
const Compared = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string(), z.number(), z.boolean()])),
  z.null(),
]);

const StateItem = z
  .object({
    id: aNumber,
    name: z.string(),
    field: z.string(),
    value: z.string().nullable(),
    sign: z.enum(SIGNS),
    field_from_session: z.string().nullable(),
  })
  .meta({ id: 'NewsState' });
const CapabilityItem = z.object({ id: aNumber, name: z.string() }).meta({ id: 'NewsCapability' });
const AccessItem = z
  .object({ id: aNumber, capability_id: aNumber, states: z.array(aNumber).nullable() })
  .meta({ id: 'NewsAccess' });
const VerdictItem = z
  .object({
    capability_id: aNumber,
    name: z.string(),
    allowed: aFlag,
    reason: z.enum(['administrator', 'any-state', 'state', 'other-department', 'not-listed', 'no-state', 'unseen']),
    access_id: aNumber.nullable().meta({ description: 'The access rule of the right that lists the capability.' }),
    states: z.array(StateItem).meta({
      description:
        '`state`: the state that the message is in. `no-state`: the states that the access rule wants, none of which the message is in. Otherwise empty.',
    }),
  })
  .meta({ id: 'NewsVerdict' });
const IssueState = z
  .object({
    id: z.int(),
    name: z.string(),
    field: z.string(),
    value: Compared,
    sign: z.enum(SIGNS).nullable(),
    currentUserField: z.string().nullable(),
  })
  .meta({ id: 'IssueState' });
const IssueCapability = z
  .object({ id: z.int(), name: z.string(), defaultValue: z.boolean() })
  .meta({ id: 'IssueCapability' });
const IssueAccess = z
  .object({ id: z.int(), capabilityId: z.int(), states: z.array(z.int()).nullable() })
  .meta({ id: 'IssueAccess' });

const value = z
  .union(
    [
      textUpTo(10_000),
      z.number(),
      z.boolean(),
      z.array(z.union([textUpTo(1000), z.number(), z.boolean()])).max(1000),
      z.null(),
    ],
    fieldRule('field.type', { expected: 'a text, a number, a flag or an array of them' }),
  )
  .meta({ type: 'string' });
const userField = z
  .union([z.null().transform(() => ''), textUpTo(100)], fieldRule('field.type', { expected: 'a text' }))
  .meta({ type: 'string' });
const ChangeState = z.object({
  name: filledUpTo(100).optional(),
  field: textUpTo(100).min(1).optional(),
  sign: z
    .union(
      [z.null().transform(() => '=' as const), z.literal('').transform(() => '=' as const), z.enum(SIGNS)],
      fieldRule('field.oneOf', { values: SIGNS.join(' ') }),
    )
    .meta({ type: 'string', enum: [...SIGNS] })
    .optional(),
  value: value.optional(),
  field_from_session: userField.optional(),
});
const CreateState = ChangeState.extend({ name: filledUpTo(100), field: textUpTo(100).min(1) });

const ALLOWED =
  'What is enforced for messages of the caller’s organisation: an administrator may do everything. What is not listed may not be done. `states` null: in any state.\n' +
  '`closures-wide` concerns no message: to close more kilometres of road than `closures.wideLimit`. ' +
  'An administrator of one organisation has it where it is listed. ' +
  '`own-places`: to make and change own places. `place-codes`: to read their access codes. ' +
  '`device-commands`: to send commands to trackers. `presets`: to share layouts and views with others.';
const STATES = `A message is in the state when its \`field\` compares by \`sign\` with \`value\`, or with the field \`field_from_session\` of the user who asks. \`in\` takes an array, or values separated by commas.
\`field\` is a field of a message by its name here, \`custom_fields.TRANSLIT\`, or \`point\` (with = or != null). Dates take \`YYYY-MM-DD HH:MM:SS+TZ\` or Unix time in seconds, custom dates \`YYYY-MM-DD\` too.
A blank \`value\` is refused, unless \`field_from_session\` is given. What a message does not have compares with nothing: it is neither less nor other than a value. To ask for what is not assigned or has no category, compare with 0.`;

const params = z.object({ id: pathId });
const inA = { family: 'A', group: 'Access' } as const;

/**
 * A. Access to tasks: capabilities, state rules, and the access rules of the caller's role. `/issues/…`
 * returns the same as bare JSON.
 */
export function accessRoutes(tasks: Tasks): DeclaredRoute[] {
  const { directories } = tasks;
  const fieldName = (field: string) => (customFieldId(field) === undefined ? field : tasks.fieldName(field));
  const presentState = (rule: StateRule) => presentNewsState({ ...rule, field: fieldName(rule.field) });
  return [
    route({
      ...inA,
      access: 'user',
      method: 'GET',
      path: '/news/states',
      summary: 'State rules',
      answer: z.object({ states: z.array(StateItem) }),
      run: () => ({ states: directories.stateRules().map(presentState) }),
    }),
    route({
      ...inA,
      access: 'superuser',
      method: 'POST',
      path: '/news/states',
      summary: 'Make a state rule',
      body: CreateState,
      answer: z.object({ state: StateItem }),
      description: STATES,
      run: async ({ body }) => ({
        state: presentState(await directories.createState({ ...stateOrder(body), name: body.name, field: body.field })),
      }),
    }),
    route({
      ...inA,
      access: 'superuser',
      method: 'PUT',
      path: '/news/states/:id',
      summary: 'Change a state rule',
      description: STATES,
      params,
      body: ChangeState,
      answer: z.object({ state: StateItem }),
      run: async ({ params, body }) => ({
        state: presentState(await directories.changeState(params.id, stateOrder(body))),
      }),
    }),
    route({
      ...inA,
      access: 'superuser',
      method: 'DELETE',
      path: '/news/states/:id',
      summary: 'Delete a state rule by which no right is limited',
      params,
      answer: 'nothing',
      run: async ({ params }) => void (await directories.deleteState(params.id)),
    }),
    route({
      ...inA,
      access: 'user',
      method: 'GET',
      path: '/news/capabilities',
      summary: 'What may be done with messages',
      answer: z.object({ capabilities: z.array(CapabilityItem) }),
      run: () => ({ capabilities: ROLE_CAPABILITIES.map((name) => ({ id: String(capabilityId(name)), name })) }),
    }),
    route({
      ...inA,
      access: 'user',
      method: 'GET',
      path: '/news/allowed',
      summary: 'What the caller may do',
      answer: z.object({ allowed: z.array(AccessItem) }),
      description: ALLOWED,
      run: ({ caller }) => ({
        allowed: allowedTo(caller, tasks.rules()).map(({ id, capability, stateIds }) => ({
          id: String(id),
          capability_id: String(capabilityId(capability)),
          states: stateIds && stateIds.map(String),
        })),
      }),
    }),
    route({
      ...inA,
      access: 'admin',
      method: 'POST',
      path: '/news/allowed/try',
      onStandby: true,
      summary: 'What a right may do with one message, and why',
      description: `Tries every capability by the rules that are enforced. \`user_id\` tries the right on that user; without it, on somebody of the right's organisation who neither wrote the message nor is assigned to it.
\`create\` says whether a message like this one might be made. Reasons: \`administrator\` of the message's department; listed in \`any-state\`; listed in a \`state\` that the message is in; a message of an \`other-department\`
that is not assigned here; \`not-listed\` in the right; in none of the listed states (\`no-state\`); listed, but the message may not be seen (\`unseen\`).`,
      body: z.object({ right_id: bodyId, news_id: bodyId, user_id: bodyId.nullish() }),
      answer: z.object({ capabilities: z.array(VerdictItem) }),
      run: ({ caller, body }) => ({
        capabilities: tasks
          .tryRole(caller, body.right_id, body.news_id, body.user_id ?? undefined)
          .map((verdict) => presentVerdict(verdict, presentState)),
      }),
    }),
    route({
      ...inA,
      bare: true,
      access: 'user',
      method: 'GET',
      path: '/issues/capabilities',
      summary: 'What may be done with tasks',
      description: '`defaultValue`: a new right has it.',
      answer: z.array(IssueCapability),
      run: () => ROLE_CAPABILITIES.map((name) => ({ id: capabilityId(name), name, defaultValue: name === 'view' })),
    }),
    route({
      ...inA,
      bare: true,
      access: 'user',
      method: 'GET',
      path: '/issues/states',
      summary: 'State rules',
      answer: z.array(IssueState),
      run: () => directories.stateRules().map((rule) => presentIssueState({ ...rule, field: fieldName(rule.field) })),
    }),
    route({
      ...inA,
      bare: true,
      access: 'user',
      method: 'GET',
      path: '/issues/accesses',
      summary: 'What the caller may do with tasks',
      description: ALLOWED,
      answer: z.array(IssueAccess),
      run: ({ caller }) =>
        allowedTo(caller, tasks.rules()).map(({ id, capability, stateIds }) => ({
          id,
          capabilityId: capabilityId(capability),
          states: stateIds && [...stateIds],
        })),
    }),
  ];
}

function stateOrder(body: z.output<typeof ChangeState>) {
  return { name: body.name, field: body.field, sign: body.sign, value: body.value, userField: body.field_from_session };
}

function presentNewsState({ id, name, field, value, sign, userField }: StateRule): z.input<typeof StateItem> {
  return {
    id: String(id),
    name,
    field,
    value: textOf(value),
    sign,
    field_from_session: userField === '' ? null : userField,
  };
}

function presentVerdict(
  { capability, decision, accessId }: Verdict,
  presentState: (rule: StateRule) => z.input<typeof StateItem>,
): z.input<typeof VerdictItem> {
  return {
    capability_id: String(capabilityId(capability)),
    name: capability,
    allowed: flagOf(decision.allowed),
    reason: decision.by,
    access_id: accessId === null ? null : String(accessId),
    states: statesOf(decision).map(presentState),
  };
}

function statesOf(decision: Verdict['decision']): readonly StateRule[] {
  switch (decision.by) {
    case 'state':
      return [decision.state];
    case 'no-state':
      return decision.asked;
    default:
      return [];
  }
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return Array.isArray(value) ? value.join(',') : String(value);
}

function presentIssueState({ id, name, field, value, sign, userField }: StateRule): z.input<typeof IssueState> {
  return {
    id,
    name,
    field,
    value: userField === '' ? ((value ?? null) as z.input<typeof Compared>) : null,
    sign,
    currentUserField: userField === '' ? null : userField,
  };
}

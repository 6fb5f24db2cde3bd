import { z } from 'zod';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import { mayDirectCrews } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Accounts } from '../../access/accounts/index.ts';
import {
  OUTGOING_REASONS,
  OUTGOING_STATES,
  type OutgoingCall,
  type Telephony,
} from '../../exchange/telephony/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { bodyFlag, bodyId, bodyInt, filledUpTo, instant, textUpTo } from '../request/fields.ts';

const line = {
  context: z.string().meta({ description: 'Of the dial plan, such as `from-trunk`.' }),
  extension: z.string().meta({ description: 'The number that was called; empty: any in the context.' }),
};
const SettingsAnswer = z
  .object({
    enabled: z.boolean(),
    host: z.string(),
    port: z.int(),
    login: z.string(),
    hasSecret: z.boolean().meta({ description: 'A secret is stored; it is never shown.' }),
    lines: z.array(z.object({ ...line, orgId: z.int() })).meta({ description: 'Whose calls come in where.' }),
    channel: z.string().meta({ description: 'The channel of a telephone; `{extension}` is the person’s own.' }),
    dialContext: z.string(),
    dialPrefix: z.string(),
    plus: z.string().meta({ description: 'Dialled in place of `+`.' }),
    connected: z.boolean(),
    problem: z.string().meta({ description: 'Why the exchange cannot be reached now.' }),
  })
  .meta({ id: 'ExchangeSettings' });

const written = (pattern: RegExp, most: number, expected: string) =>
  z
    .string()
    .trim()
    .max(most)
    .refine((text) => pattern.test(text), fieldRule('field.type', { expected }));
const word = written(/^[\w.@*#+-]*$/, 80, 'letters, digits and . - _ @ * # +');
const dialled = written(/^[\d*#+]*$/, 10, 'digits, * and #');
const Body = z.object({
  enabled: bodyFlag,
  host: textUpTo(255).optional(),
  port: bodyInt(1, 65_535).optional(),
  login: textUpTo(80).optional(),
  secret: textUpTo(200).nullish().meta({ description: 'Absent or null: the stored one stays.' }),
  lines: z
    .array(z.object({ context: word, extension: word, orgId: bodyId }))
    .max(100)
    .optional(),
  channel: written(/^[\w]+\/[\w.@/{}-]*\{extension\}[\w.@/-]*$/, 100, 'a channel such as PJSIP/{extension}').optional(),
  dialContext: word.optional(),
  dialPrefix: dialled.optional(),
  plus: dialled.optional(),
});
const OutgoingAnswer = z
  .object({
    number: z.string().meta({ description: 'As it was written.' }),
    dialled: z.string(),
    extension: z.string(),
    state: z.enum(OUTGOING_STATES).meta({
      description:
        '`lift`: the own telephone rings. `calling`: it was lifted. `ringing`: it rings at the other end. `lost`: the exchange went away.',
    }),
    reason: z.enum(OUTGOING_REASONS).meta({ description: 'Why it was refused; `desk`: the own telephone.' }),
    ...{ at: instant, answeredAt: instant.nullable(), endedAt: instant.nullable() },
  })
  .meta({ id: 'OutgoingCall' });
const Access = z.object({
  host: textUpTo(255),
  port: bodyInt(1, 65_535),
  login: textUpTo(80),
  secret: textUpTo(200).nullish().meta({ description: 'Absent or null: the stored one.' }),
});
const inCalls = { family: 'station', group: 'Calls' } as const;

/** The telephone exchange of the station, and calls through it. */
export function exchangeRoutes(telephony: Telephony, accounts: Accounts): DeclaredRoute[] {
  const present = (): z.input<typeof SettingsAnswer> => {
    const { secret, isOn, lines, ...settings } = telephony.settings;
    return {
      ...settings,
      enabled: isOn,
      lines: lines.map(({ organizationId, ...rest }) => ({ ...rest, orgId: organizationId })),
      hasSecret: secret !== '',
      connected: telephony.isConnected,
      problem: telephony.problem,
    };
  };
  const presentCall = ({ id: _id, userId: _userId, ...call }: OutgoingCall): z.input<typeof OutgoingAnswer> => call;
  return [
    route({
      ...inCalls,
      method: 'GET',
      path: '/telephony',
      access: 'user',
      summary: 'Whether the caller may telephone through the exchange, and from which telephone',
      answer: z
        .object({ enabled: z.boolean(), extension: z.string().meta({ description: 'Empty: none is set.' }) })
        .meta({ id: 'Telephony' }),
      run: ({ caller }) => ({
        enabled: telephony.settings.isOn && mayDirectCrews(caller),
        extension: caller.user.extension ?? '',
      }),
    }),
    route({
      ...inCalls,
      method: 'POST',
      path: '/telephony/dial',
      access: 'user',
      summary: 'Call a number: the caller’s own telephone rings, and then dials it',
      description:
        'For those who direct crews. Answered when the telephone rings, or after 2 s. It is an entry of the audit trail.',
      body: z.object({ number: filledUpTo(100) }),
      answer: OutgoingAnswer,
      run: async ({ caller, body }) => presentCall(await telephony.dial(caller, body.number)),
    }),
    route({
      ...inCalls,
      method: 'GET',
      path: '/telephony/call',
      access: 'user',
      summary: 'The last call that the caller asked for, and how far it is',
      answer: z.object({ call: OutgoingAnswer.nullable() }),
      run: ({ caller }) => {
        const call = telephony.callOf(caller);
        return { call: call ? presentCall(call) : null };
      },
    }),
    route({
      ...inCalls,
      method: 'PUT',
      path: '/telephony/extension',
      access: 'user',
      summary: 'Set the own telephone at the exchange',
      description: 'Empty: none. Administrators set those of others with `PUT /users/ID`.',
      body: z.object({ extension: textUpTo(100) }),
      answer: z.object({ extension: z.string() }),
      run: async ({ caller, body: { extension } }) => {
        await accounts.own.setExtension(caller, extension.trim());
        return { extension: extension.trim() };
      },
    }),
    route({
      ...inCalls,
      method: 'GET',
      path: '/telephony/settings',
      access: 'superuser',
      summary: 'The telephone exchange',
      answer: SettingsAnswer,
      run: present,
    }),
    route({
      ...inCalls,
      method: 'PUT',
      path: '/telephony/settings',
      access: 'superuser',
      summary: 'Set the telephone exchange up',
      description: 'What is absent stays. Asterisk, by its manager interface (AMI).',
      body: Body,
      answer: SettingsAnswer,
      run: async ({ body: { enabled, secret, lines, ...rest } }) => {
        const { settings } = telephony;
        for (const { orgId } of lines ?? [])
          if (accounts.organizations.get(orgId)?.isDeleted !== false)
            throw new Refusal('telephony.noOrganization', { id: orgId });
        const stated = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
        await telephony.change({
          ...settings,
          ...(stated as Partial<typeof settings>),
          isOn: enabled,
          secret: secret ?? settings.secret,
          lines: lines?.map(({ orgId, ...one }) => ({ ...one, organizationId: orgId })) ?? settings.lines,
        });
        return present();
      },
    }),
    route({
      ...inCalls,
      method: 'POST',
      path: '/telephony/test',
      access: 'superuser',
      summary: 'Try to sign in at an exchange, without changing the settings',
      body: Access,
      answer: z
        .object({
          greeting: z.string().meta({ description: 'How the manager interface names itself.' }),
          problem: z.string().meta({ description: 'Why it failed; empty: it did not.' }),
        })
        .meta({ id: 'ExchangeTest' }),
      run: ({ body: { secret, ...access } }) =>
        telephony.test({ ...access, secret: secret ?? telephony.settings.secret }),
    }),
  ];
}

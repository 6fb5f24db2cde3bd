import { z } from 'zod';
import {
  GATEWAYS,
  HOOK_FORMS,
  MESSAGES_BY_SMS,
  REPORT_IDS,
  type Sms,
  type SmsSettings,
} from '../../exchange/sms/index.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { bodyFlag, bodyInt, filledUpTo, textUpTo } from '../request/fields.ts';
import { presentSms, SmsAnswer } from './sms-desk.ts';

const shown = {
  gateway: z.enum(GATEWAYS).meta({ description: '`off`: no texts are sent.' }),
  login: z.string(),
  hasSecret: z.boolean().meta({ description: 'A password or token is stored; it is never shown.' }),
  http: z.object({
    method: z.enum(['POST', 'PUT', 'GET']),
    url: z.string(),
    headers: z.string(),
    body: z.string(),
    idField: z.string(),
    answerContains: z.string(),
    hookForm: z.enum(HOOK_FORMS),
  }),
  smpp: z.object({
    host: z.string(),
    port: z.int(),
    tls: z.boolean(),
    systemType: z.string(),
    source: z.string(),
    reportIds: z.enum(REPORT_IDS),
  }),
  perMinute: z.int(),
  hours: z.int(),
  countryCode: z.string(),
  trunkPrefix: z.string(),
  messages: z.enum(MESSAGES_BY_SMS),
  language: z.enum(['en', 'ru']),
  problem: z.string().meta({ description: 'Why the gateway cannot be reached now; empty: nothing is known.' }),
  queued: z.int().meta({ description: 'Texts that are not sent yet.' }),
};
const SettingsAnswer = z.object(shown).meta({ id: 'SmsSettings' });

const digits = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => /^\d*$/.test(text), fieldRule('field.type', { expected: 'digits' }));
const Body = z.object({
  gateway: z.enum(GATEWAYS),
  login: textUpTo(200).optional(),
  secret: textUpTo(500).nullish().meta({ description: 'Absent or null: the stored one stays.' }),
  http: z
    .object({
      method: z.enum(['POST', 'PUT', 'GET']),
      url: textUpTo(2_000).refine(
        (text) => text === '' || (/^https?:\/\//i.test(text) && URL.canParse(text.replaceAll(/[{}]/g, ''))),
        fieldRule('field.type', { expected: 'an address that begins with https:// or http://' }),
      ),
      headers: textUpTo(4_000),
      body: textUpTo(8_000),
      idField: textUpTo(200),
      answerContains: textUpTo(200),
      hookForm: z.enum(HOOK_FORMS),
    })
    .optional(),
  smpp: z
    .object({
      host: textUpTo(255),
      port: bodyInt(1, 65_535),
      tls: bodyFlag,
      systemType: textUpTo(12),
      source: textUpTo(20),
      reportIds: z.enum(REPORT_IDS),
    })
    .optional(),
  perMinute: bodyInt(1, 6_000).optional(),
  hours: bodyInt(1, 72).optional(),
  countryCode: digits(3).optional(),
  trunkPrefix: digits(3).optional(),
  messages: z.enum(MESSAGES_BY_SMS).optional(),
  language: z.enum(['en', 'ru']).optional(),
});
const inSms = { family: 'station', group: 'SMS' } as const;

/** How the station sends and takes texts. It acts on every organization, so superusers decide. */
export function smsSettingRoutes(sms: Sms): DeclaredRoute[] {
  const present = (): z.input<typeof SettingsAnswer> => {
    const { hookKey: _, secret, ...settings } = sms.settings;
    return { ...settings, hasSecret: secret !== '', problem: sms.problem, queued: sms.outbox.queued };
  };
  return [
    route({
      ...inSms,
      method: 'GET',
      path: '/sms/settings',
      access: 'superuser',
      summary: 'The SMS gateway',
      answer: SettingsAnswer,
      run: present,
    }),
    route({
      ...inSms,
      method: 'PUT',
      path: '/sms/settings',
      access: 'superuser',
      summary: 'Set the SMS gateway up',
      description:
        'What is absent stays. In the address, the headers and the body of `http` stand `{to}`, `{text}`, `{id}`, `{login}`, `{secret}` and `{basic}` (login and secret as basic authentication wants them); each is encoded for its place.',
      body: Body,
      answer: SettingsAnswer,
      run: async ({ body }) => {
        const { secret, ...rest } = body;
        const stated = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
        await sms.change({
          ...sms.settings,
          ...(stated as Partial<SmsSettings>),
          secret: secret ?? sms.settings.secret,
        });
        return present();
      },
    }),
    route({
      ...inSms,
      method: 'POST',
      path: '/sms/key',
      access: 'superuser',
      summary: 'Make a new key with which the gateway posts to `/sms/hook`',
      answer: z.object({ key: z.string().meta({ description: 'Shown only here.' }), path: z.string() }),
      run: async () => ({ key: await sms.renewHookKey(), path: '/sms/hook' }),
    }),
    route({
      ...inSms,
      method: 'POST',
      path: '/sms/test',
      access: 'superuser',
      summary: 'Send a test text',
      body: z.object({ to: filledUpTo(40) }),
      answer: SmsAnswer,
      run: async ({ caller, body }) => presentSms(await sms.test(caller, body.to)),
    }),
  ];
}

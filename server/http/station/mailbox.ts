import { isIP } from 'node:net';
import { z } from 'zod';
import {
  MAILBOX_SECURITY,
  RECEIVED_MAIL_STATES,
  type Mailbox,
  type MailboxSettings,
  type MailPreview,
  type ReceivedMail,
} from '../../exchange/mailbox/index.ts';
import { areNetworks } from '../../platform/networks.ts';
import { beginning } from '../../../shared/text/characters.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { bodyFlag, bodyId, bodyInt, filledUpTo, queryInt, queryLimit, textUpTo } from '../request/fields.ts';

const PATTERN = 'Found anywhere in the text, whatever its case; `*` stands for any characters. Empty: everything fits.';
const Rule = z.object({
  name: filledUpTo(100),
  from: textUpTo(200).default('').meta({ description: PATTERN }),
  to: textUpTo(200).default(''),
  subject: textUpTo(200).default(''),
  takesAutomatic: bodyFlag.default(false).meta({ description: 'It takes mail that a program wrote, too.' }),
  newsTypeId: bodyId,
  categoryId: bodyInt(0, 2_147_483_647).default(0).meta({ description: '0: none.' }),
  orgId: bodyInt(0, 2_147_483_647).default(0).meta({ description: '0: that of the user of the mailbox.' }),
  priority: bodyInt(0, 4).default(0).meta({ description: '0: as the category says.' }),
});
const Receiver = z.object({
  enabled: bodyFlag,
  host: filledUpTo(50)
    .refine((text) => isIP(text) !== 0, fieldRule('field.type', { expected: 'an IP address' }))
    .meta({ description: 'IP address of this machine that it listens on.' }),
  port: bodyInt(1, 65_535),
  recipients: z
    .array(filledUpTo(200))
    .max(50)
    .meta({ description: 'Addresses that it takes mail for, as patterns; none: all.' }),
  networks: z
    .array(filledUpTo(50))
    .max(50)
    .refine(areNetworks, fieldRule('field.type', { expected: 'addresses or networks' }))
    .meta({ description: 'Addresses and networks that it takes mail from.' }),
});
const fields = {
  enabled: bodyFlag,
  host: textUpTo(255),
  port: bodyInt(1, 65_535),
  security: z.enum(MAILBOX_SECURITY),
  login: textUpTo(200),
  folder: filledUpTo(200),
  userId: bodyInt(0, 2_147_483_647).meta({ description: 'In whose name tasks and comments are written.' }),
  senderPerHour: bodyInt(1, 10_000).meta({ description: 'Mails of one sender that are taken within an hour.' }),
  perHour: bodyInt(1, 100_000),
};
const Body = z.object({
  ...z.object(fields).partial().shape,
  secret: textUpTo(500).nullish().meta({ description: 'Absent or null: the stored one stays.' }),
  receiver: Receiver.partial()
    .optional()
    .meta({ description: "The station's own receiver of mail by SMTP. What is absent stays." }),
  rules: z.array(Rule).max(50).optional().meta({ description: 'The first that fits decides.' }),
});
const SettingsAnswer = z
  .object({
    enabled: z.boolean(),
    host: z.string(),
    port: z.int(),
    security: z.enum(MAILBOX_SECURITY),
    login: z.string(),
    hasSecret: z.boolean().meta({ description: 'A password is stored; it is never shown.' }),
    folder: z.string(),
    userId: z.int(),
    senderPerHour: z.int(),
    perHour: z.int(),
    receiver: z.object({
      enabled: z.boolean(),
      host: z.string(),
      port: z.int(),
      recipients: z.array(z.string()),
      networks: z.array(z.string()),
    }),
    rules: z.array(
      z.object({
        name: z.string(),
        from: z.string(),
        to: z.string(),
        subject: z.string(),
        takesAutomatic: z.boolean(),
        newsTypeId: z.int(),
        categoryId: z.int(),
        orgId: z.int(),
        priority: z.int(),
      }),
    ),
    problems: z.array(z.string()).meta({ description: 'Why mail is not taken now.' }),
  })
  .meta({ id: 'MailboxSettings' });
const state = z.enum(RECEIVED_MAIL_STATES).meta({
  description:
    '`task`, `comment`, or nothing: a program answers (`answering`), the station wrote it (`own`), a program wrote it and no rule takes that (`automatic`), or `noRule` fits.',
});
const PreviewAnswer = z
  .object({
    from: z.string(),
    subject: z.string(),
    state,
    rule: z.string().meta({ description: 'Name of the rule that makes a task of it.' }),
    newsId: z.int().nullable().meta({ description: 'The task on which it is a comment.' }),
    title: z.string(),
    text: z.string(),
    files: z.array(z.string()),
    known: z.boolean().meta({ description: 'It was taken before: it does nothing again.' }),
  })
  .meta({ id: 'MailPreview' });
const ReceivedAnswer = z
  .object({
    id: z.int(),
    at: z.int(),
    from: z.string(),
    subject: z.string(),
    state,
    newsId: z.int().nullable(),
  })
  .meta({ id: 'ReceivedMail' });

const inMailbox = { family: 'station', access: 'superuser', group: 'Mailbox' } as const;
/** Characters of a mail that somebody pastes, and of a text in a preview. */
const LONGEST_PASTED = 2_000_000;
const LONGEST_SHOWN = 2_000;
const PAGE = 100;

/** The mail that becomes tasks. It acts on every organization, so superusers decide. */
export function mailboxRoutes(mailbox: Mailbox): DeclaredRoute[] {
  const present = () => presentSettings(mailbox);
  return [
    route({
      ...inMailbox,
      method: 'GET',
      path: '/mailbox/settings',
      summary: 'The mailbox and the receiver whose mail becomes tasks',
      answer: SettingsAnswer,
      run: present,
    }),
    route({
      ...inMailbox,
      method: 'PUT',
      path: '/mailbox/settings',
      summary: 'Set the mailbox up',
      description:
        'What is absent stays. The station follows the folder by IMAP: an unread mail becomes a task or a comment, and is marked as read when that is on disk. With `receiver` it takes mail by SMTP itself, and confirms a mail when what it became is on disk.',
      body: Body,
      answer: SettingsAnswer,
      run: async ({ body }) => {
        await mailbox.change(settingsOf(body, mailbox.settings));
        return present();
      },
    }),
    route({
      ...inMailbox,
      method: 'POST',
      path: '/mailbox/preview',
      summary: 'What would become of the unread mails, or of one mail',
      description: 'Writes nothing and marks nothing. Without `mail`: the first 20 unread ones in the mailbox.',
      body: z.object({
        mail: textUpTo(LONGEST_PASTED).optional().meta({ description: 'A whole mail, with headers.' }),
      }),
      bodyLimit: 8_000_000,
      cost: 20,
      answer: z.array(PreviewAnswer),
      run: async ({ body: { mail } }) =>
        (mail === undefined ? await mailbox.preview() : [await mailbox.previewOf(Buffer.from(mail))]).map(
          presentPreview,
        ),
    }),
    route({
      ...inMailbox,
      method: 'GET',
      path: '/mailbox/mails',
      summary: 'Mails that were taken, newest first',
      query: z.object({ before: queryInt(1, 2 ** 50).optional(), limit: queryLimit(1000).optional() }),
      answer: z.array(ReceivedAnswer),
      run: ({ query: { before, limit = PAGE } }) => mailbox.received.list(before, limit).map(presentReceived),
    }),
  ];
}

function settingsOf(body: z.output<typeof Body>, stored: MailboxSettings): MailboxSettings {
  const { secret, rules, receiver = {}, ...rest } = body;
  return {
    ...stored,
    ...(stated(rest) as Partial<MailboxSettings>),
    receiver: { ...stored.receiver, ...(stated(receiver) as Partial<MailboxSettings['receiver']>) },
    secret: secret ?? stored.secret,
    rules:
      rules?.map(({ newsTypeId, orgId, ...rule }) => ({ ...rule, typeId: newsTypeId, organizationId: orgId })) ??
      stored.rules,
  };
}

const stated = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function presentSettings(mailbox: Mailbox): z.input<typeof SettingsAnswer> {
  const { secret, rules, receiver, ...settings } = mailbox.settings;
  return {
    ...settings,
    receiver: { ...receiver, recipients: [...receiver.recipients], networks: [...receiver.networks] },
    hasSecret: secret !== '',
    rules: rules.map(({ typeId, organizationId, ...rule }) => ({ ...rule, newsTypeId: typeId, orgId: organizationId })),
    problems: mailbox.problems().map(({ text }) => text),
  };
}

function presentPreview({ mail, taskId, isKnown, ...preview }: MailPreview): z.input<typeof PreviewAnswer> {
  const { state, rule, title, text } = preview;
  return {
    ...{ state, rule, title, from: mail.from, subject: mail.subject },
    newsId: taskId || null,
    text: beginning(text, LONGEST_SHOWN),
    files: mail.files.map(({ name }) => name),
    known: isKnown,
  };
}

function presentReceived({ taskId, ...mail }: ReceivedMail): z.input<typeof ReceivedAnswer> {
  return { ...mail, newsId: taskId || null };
}

import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import type { Accounts } from '../../access/accounts/index.ts';
import {
  SEVERITIES,
  type FeedPreview,
  type WarningFeed,
  type WarningFeedOrder,
  type Warnings,
} from '../../exchange/warnings/index.ts';
import { Deleted, DELETED } from '../app/common-answers.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { bodyFlag, bodyId, bodyInt, filledUpTo, pathId, textUpTo } from '../request/fields.ts';
import { presentRead, readWarningFields } from './warnings.ts';

const severity = z.enum(SEVERITIES);
const address = filledUpTo(1000).refine(
  (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).username === '',
  fieldRule('field.type', { expected: 'an address of the web without a password' }),
);
const FORMATS = ['cap', 'atom', 'rss', 'datex'] as const;

const fields = {
  name: filledUpTo(100),
  url: address,
  enabled: bodyFlag,
  seconds: bodyInt(15, 86_400).meta({ description: 'Seconds between two looks.' }),
  login: textUpTo(200),
  onlyTerritory: bodyFlag.meta({ description: 'Only what touches the territory of the station.' }),
  places: z
    .array(filledUpTo(100))
    .max(200)
    .meta({ description: 'Codes (`DE123`, `EMMA_ID=DE123`) and names of areas that concern the station, too.' }),
  leastSeverity: severity,
  alarmFrom: severity.nullable().meta({ description: 'From which severity on a new warning raises an alarm.' }),
  orgId: bodyId.meta({ description: 'Who gets the alarms.' }),
  keepsUnlisted: bodyFlag.meta({
    description: 'The feed lists only the newest: what has an end holds until then, also when it is no longer listed.',
  }),
};
const secret = textUpTo(500).nullish().meta({ description: 'Absent or null: the stored one stays.' });
const CreateBody = z.object({ ...z.object(fields).partial().shape, name: fields.name, url: fields.url, secret });
const ChangeBody = z.object({ ...z.object(fields).partial().shape, secret });
const PreviewBody = z.object({
  ...z.object(fields).partial().shape,
  url: fields.url,
  secret,
  id: bodyId.optional().meta({ description: 'The feed whose stored secret is used.' }),
});

const FeedAnswer = z
  .object({
    ...{ id: z.int(), name: z.string(), url: z.string(), enabled: z.boolean(), seconds: z.int(), login: z.string() },
    hasSecret: z.boolean().meta({ description: 'A password is stored; it is never shown.' }),
    ...{ onlyTerritory: z.boolean(), places: z.array(z.string()), leastSeverity: severity },
    ...{ alarmFrom: severity.nullable(), orgId: z.int(), keepsUnlisted: z.boolean() },
    readAt: z.int().nullable().meta({ description: 'When it was last read; null: not since the start.' }),
    format: z.enum(FORMATS).nullable(),
    unreachable: z.boolean(),
    problems: z.array(z.string()).meta({ description: 'Why it cannot be read, or what in it cannot.' }),
    current: z.int().meta({ description: 'Its warnings that hold or will hold.' }),
  })
  .meta({ id: 'WarningFeed' });

const PreviewAnswer = z
  .object({
    format: z.enum(FORMATS),
    ignored: z.int().meta({ description: 'Exercises, tests, and entries that are no warnings.' }),
    elsewhere: z.int().meta({ description: 'Warnings for other places, or less severe.' }),
    problems: z.array(z.string()),
    warnings: z.array(z.object(readWarningFields)).meta({ description: 'The first 100.' }),
  })
  .meta({ id: 'WarningFeedPreview' });

const common = { family: 'station', access: 'superuser', group: 'Warnings' } as const;
const params = z.object({ id: pathId });

/** Feeds of warnings. What they bring concerns every organization, so superusers decide. */
export function warningFeedRoutes(warnings: Warnings, accounts: Accounts): DeclaredRoute[] {
  const present = (feed: WarningFeed) => presentFeed(warnings, feed);
  const requireOrganization = (id: number | undefined) => {
    const organization = id === undefined ? undefined : accounts.organizations.get(id);
    if (id !== undefined && (!organization || organization.isDeleted))
      throw new Refusal('field.unknown', { field: 'orgId', id });
  };
  return [
    route({
      ...common,
      method: 'GET',
      path: '/warning-feeds',
      summary: 'Feeds of warnings that the station follows',
      answer: z.array(FeedAnswer),
      run: () => warnings.feeds().map(present),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/warning-feeds',
      summary: 'Follow a feed of warnings',
      description:
        'CAP 1.2 messages, Atom or RSS that names or carries them or has places by GeoRSS, and situations of DATEX II 2 and 3. The station looks every `seconds` (60), with the validators of HTTP.',
      body: CreateBody,
      answer: FeedAnswer,
      run: async ({ caller, body }) => {
        requireOrganization(body.orgId);
        return present(await warnings.createFeed(orderOf(body, blankFeed(caller.user.organizationId))));
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/warning-feeds/preview',
      summary: 'Read a feed and see what the station would take',
      description: 'Writes nothing.',
      body: PreviewBody,
      cost: 50,
      answer: PreviewAnswer,
      run: async ({ caller, body: { id, ...body } }) => {
        const stored = id === undefined ? blankFeed(caller.user.organizationId) : withoutId(warnings.feed(id));
        // Another host must not get the password of the stored one.
        const isSameHost = id !== undefined && new URL(stored.url).origin === new URL(body.url).origin;
        return presentPreview(
          await warnings.preview(orderOf({ name: '', ...body }, isSameHost ? stored : { ...stored, secret: '' })),
        );
      },
    }),
    route({
      ...common,
      method: 'PUT',
      path: '/warning-feeds/:id',
      summary: 'Change a feed of warnings',
      description: 'What is absent stays. With another address, and when it is off, the warnings that it brought end.',
      params,
      body: ChangeBody,
      answer: FeedAnswer,
      run: async ({ params: { id }, body }) => {
        requireOrganization(body.orgId);
        return present(await warnings.changeFeed(id, orderOf(body, withoutId(warnings.feed(id)))));
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/warning-feeds/:id/look',
      summary: 'Look at a feed now',
      params,
      answer: FeedAnswer,
      run: ({ params: { id } }) => {
        warnings.lookAt(id);
        return present(warnings.feed(id));
      },
    }),
    route({
      ...common,
      method: 'DELETE',
      path: '/warning-feeds/:id',
      summary: 'Follow a feed of warnings no longer',
      description: 'The warnings that it brought end. Closures that were made of them stay.',
      params,
      answer: Deleted,
      run: async ({ params: { id } }) => {
        await warnings.deleteFeed(id);
        return DELETED;
      },
    }),
  ];
}

function blankFeed(organizationId: number): WarningFeedOrder {
  return {
    ...{ name: '', url: '', enabled: true, seconds: 60, login: '', secret: '', onlyTerritory: true, places: [] },
    ...{ leastSeverity: 'unknown', alarmFrom: 'severe', organizationId, keepsUnlisted: false },
  };
}

function orderOf({ orgId, secret, ...body }: z.output<typeof ChangeBody>, stored: WarningFeedOrder): WarningFeedOrder {
  const stated = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  return { ...stored, ...stated, secret: secret ?? stored.secret, organizationId: orgId ?? stored.organizationId };
}

function withoutId({ id: _, ...order }: WarningFeed): WarningFeedOrder {
  return order;
}

function presentFeed(warnings: Warnings, feed: WarningFeed): z.input<typeof FeedAnswer> {
  const { secret, organizationId, places, ...rest } = feed;
  const state = warnings.stateOf(feed.id);
  return {
    ...{ ...rest, places: [...places], orgId: organizationId, hasSecret: secret !== '' },
    ...{ readAt: state?.readAt ?? null, format: state?.format ?? null, unreachable: state?.isUnreachable ?? false },
    problems: [...(state?.problems ?? [])],
    current: warnings.current().filter(({ feedId }) => feedId === feed.id).length,
  };
}

function presentPreview({ format, ignored, elsewhere, problems, warnings }: FeedPreview) {
  return { format, ignored, elsewhere, problems: [...problems], warnings: warnings.map(presentRead) };
}

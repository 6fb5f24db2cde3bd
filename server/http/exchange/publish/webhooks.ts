import { z } from 'zod';
import { seesOrganization, type Actor } from '../../../../shared/access.ts';
import { CHANGE_TYPES } from '../../../../shared/change-types.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Delivery, Webhook, WebhookFields, Webhooks } from '../../../exchange/publish/index.ts';
import type { Tasks } from '../../../dispatch/tasks/index.ts';
import { fieldRule } from '../../../../shared/refusals/field-rules.ts';
import { route, type DeclaredRoute } from '../../app/route.ts';
import { bodyId, filledUpTo, instant, pathId, queryInt, queryLimit } from '../../request/fields.ts';

const STATES = ['blocked', 'waiting', 'sent', 'failed'] as const;
const webhookFields = {
  id: z.int(),
  name: z.string(),
  url: z.string(),
  hasPassword: z.boolean().meta({ description: 'A password for the broker is set. It is never shown.' }),
  types: z.array(z.enum(CHANGE_TYPES)),
  orgIds: z.array(z.int()),
  newsTypeIds: z.array(z.int()),
  enabled: z.boolean(),
  gone: z.boolean().meta({ description: 'The receiver answered 410, which switched the webhook off.' }),
  ownerId: z.int().meta({ description: 'What this user may see is sent.' }),
  createdAt: instant,
  waiting: z.int().meta({ description: 'Deliveries that are not finished.' }),
  failed: z.int().meta({ description: 'Deliveries that were given up, in the last 30 days.' }),
};
const WebhookAnswer = z.object(webhookFields).meta({ id: 'Webhook' });
const WebhookWithSecret = z
  .object({ ...webhookFields, secret: z.string().meta({ description: 'Shown only here.' }) })
  .meta({ id: 'WebhookWithSecret' });
const DeliveryAnswer = z
  .object({
    id: z.int(),
    messageId: z.string(),
    type: z.string(),
    record: z.string(),
    body: z.string(),
    at: instant,
    state: z.enum(STATES),
    attempts: z.int(),
    nextAt: instant.nullable().meta({ description: 'When the next attempt is due; null: none is.' }),
    sentAt: instant.nullable(),
    status: z.int().nullable().meta({ description: 'HTTP status of the last answer; null: none came.' }),
    error: z.string(),
  })
  .meta({ id: 'WebhookDelivery' });

const url = filledUpTo(2_000).refine(
  isReceiverAddress,
  fieldRule('field.type', {
    expected: 'an address that begins with https, http, mqtts, mqtt, tls or nats, without a password',
  }),
);
const ids = z.array(bodyId).max(1_000).nullish();
const Body = z.object({
  name: filledUpTo(100),
  url,
  password: z
    .string()
    .max(1_000)
    .nullish()
    .meta({ description: 'For a user of a broker. Without it the one that is set stays, while user and host do.' }),
  types: z.array(z.enum(CHANGE_TYPES)).min(1).max(CHANGE_TYPES.length),
  orgIds: ids,
  newsTypeIds: ids,
  enabled: z.boolean().nullish(),
});
const params = z.object({ id: pathId });
const inStation = { family: 'station', access: 'admin', group: 'Webhooks' } as const;
/** Deliveries of one page. */
const PAGE = 50;
const MOST = 200;

/** Webhooks and the outcome of their deliveries. */
export function webhookRoutes(webhooks: Webhooks, tasks: Tasks): DeclaredRoute[] {
  const fieldsOf = (by: Actor, body: z.output<typeof Body>, known?: Webhook): WebhookFields => {
    const organizationIds = [...new Set(body.orgIds ?? [])];
    for (const id of organizationIds)
      if (!tasks.organizations.get(id) || !seesOrganization(by, id))
        throw new Refusal('field.unknown', { field: 'orgIds', id });
    const taskTypeIds = [...new Set(body.newsTypeIds ?? [])];
    for (const id of taskTypeIds)
      if (!tasks.types.get(id)) throw new Refusal('field.unknown', { field: 'newsTypeIds', id });
    return {
      name: body.name,
      url: withPassword(body.url, body.password ?? passwordFor(body.url, known)),
      types: [...new Set(body.types)],
      organizationIds,
      taskTypeIds,
      isEnabled: body.enabled ?? true,
    };
  };
  const present = (webhook: Webhook): z.input<typeof WebhookAnswer> => {
    const { blocked, waiting, failed } = webhooks.counts(webhook);
    return {
      id: webhook.id,
      name: webhook.name,
      url: webhook.url.replace(PASSWORD, '$1@'),
      hasPassword: PASSWORD.test(webhook.url),
      types: [...webhook.types],
      orgIds: [...webhook.organizationIds],
      newsTypeIds: [...webhook.taskTypeIds],
      enabled: webhook.isEnabled,
      gone: webhook.isGone,
      ownerId: webhook.ownerId,
      createdAt: webhook.createdAt,
      waiting: blocked + waiting,
      failed,
    };
  };
  const withSecret = (webhook: Webhook) => ({ ...present(webhook), secret: webhook.secret });
  return [
    route({
      ...inStation,
      method: 'GET',
      path: '/webhooks',
      summary: 'Webhooks of this station',
      description: 'A superuser sees all; other administrators those of people of their organisation.',
      answer: z.array(WebhookAnswer),
      run: ({ caller }) => webhooks.list(caller).map(present),
    }),
    route({
      ...inStation,
      method: 'POST',
      path: '/webhooks',
      summary: 'Post changes to an address',
      description:
        'An address of `mqtt://`, `mqtts://`, `nats://` or `tls://` publishes them to a broker: PATH/TYPE is the topic (QoS 1), PATH.TYPE the subject; `?jetstream` waits until a stream stored it. Messages follow Standard Webhooks: `webhook-id` is the same in every attempt, `webhook-signature` is HMAC-SHA256 over id, timestamp and body. Messages about one record arrive in order. An attempt that is not answered with 2xx within 15 s is repeated after 1, 5 and 30 s, 2, 10 and 30 min, then for three days; 410 switches the webhook off. The caller becomes the owner: only what they may see is sent.',
      body: Body,
      answer: WebhookWithSecret,
      run: async ({ caller, body }) => withSecret(await webhooks.create(caller, fieldsOf(caller, body))),
    }),
    route({
      ...inStation,
      method: 'GET',
      path: '/webhooks/:id',
      summary: 'One webhook',
      params,
      answer: WebhookAnswer,
      run: ({ caller, params }) => present(webhooks.get(caller, params.id)),
    }),
    route({
      ...inStation,
      method: 'PUT',
      path: '/webhooks/:id',
      summary: 'Change a webhook',
      params,
      body: Body,
      answer: WebhookAnswer,
      run: async ({ caller, params, body }) =>
        present(await webhooks.change(caller, params.id, fieldsOf(caller, body, webhooks.get(caller, params.id)))),
    }),
    route({
      ...inStation,
      method: 'DELETE',
      path: '/webhooks/:id',
      summary: 'Delete a webhook and what waits for it',
      params,
      answer: 'nothing',
      run: async ({ caller, params }) => void (await webhooks.remove(caller, params.id)),
    }),
    route({
      ...inStation,
      method: 'POST',
      path: '/webhooks/:id/secret',
      summary: 'Give a webhook another secret',
      params,
      answer: WebhookWithSecret,
      run: async ({ caller, params }) => withSecret(await webhooks.renewSecret(caller, params.id)),
    }),
    route({
      ...inStation,
      method: 'POST',
      path: '/webhooks/:id/test',
      summary: 'Send a message of the type `webhook.test`',
      params,
      answer: DeliveryAnswer,
      run: async ({ caller, params }) => presentDelivery(await webhooks.test(caller, params.id)),
    }),
    route({
      ...inStation,
      method: 'GET',
      path: '/webhooks/:id/deliveries',
      summary: 'Deliveries of a webhook, newest first',
      description:
        '`blocked`: an earlier delivery about the same record is not finished. `before` is a delivery’s id: older ones follow. Sent ones are kept for 7 days, failed ones for 30.',
      params,
      query: z.object({
        state: z.enum(STATES).optional(),
        before: queryInt(1, Number.MAX_SAFE_INTEGER).optional(),
        limit: queryLimit(1_000_000),
      }),
      answer: z.array(DeliveryAnswer),
      run: ({ caller, params, query: { limit = PAGE, ...filter } }) =>
        webhooks.deliveries(caller, params.id, { ...filter, limit: Math.min(limit, MOST) }).map(presentDelivery),
    }),
    route({
      ...inStation,
      method: 'POST',
      path: '/webhooks/:id/deliveries/:deliveryId/send',
      summary: 'Send a delivery again, or at once if it waits',
      params: z.object({ id: pathId, deliveryId: pathId }),
      answer: DeliveryAnswer,
      run: async ({ caller, params }) =>
        presentDelivery(await webhooks.sendAgain(caller, params.id, params.deliveryId)),
    }),
  ];
}

function presentDelivery(delivery: Delivery): z.input<typeof DeliveryAnswer> {
  const { id, publicId, type, record, body, at, state, attempts, nextAt, sentAt, status, error } = delivery;
  return {
    ...{ id, messageId: publicId, type, record, body, at, state, attempts, sentAt, error },
    nextAt: state === 'waiting' ? nextAt : null,
    status: status === 0 ? null : status,
  };
}

/** The password in the address of a broker. */
const PASSWORD = /^([a-z]+:\/\/[^/:@]+):[^/@]*@/i;

function isReceiverAddress(text: string): boolean {
  if (!/^(https?|mqtts?|nats|tls):\/\//i.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password, hostname, pathname } = new URL(text);
  if (hostname === '' || password !== '' || !isPlainText(pathname) || decoded(username) === undefined) return false;
  return username === '' || !protocol.startsWith('http');
}

/** Whether a path can be decoded, and names one topic or subject. */
function isPlainText(path: string): boolean {
  const text = decoded(path);
  return text !== undefined && !/[\0-\x20+#*>]/.test(text);
}

/** undefined: it is not percent-encoded text. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function withPassword(url: string, password: string): string {
  if (password === '') return url;
  const address = new URL(url);
  if (address.username === '') throw new Refusal('publish.passwordWithoutUser');
  // The setter leaves a percent sign as it is.
  address.password = encodeURIComponent(password);
  return address.href;
}

/** The password that was set for the same user of the same broker. */
function passwordFor(url: string, known: Webhook | undefined): string {
  if (!known) return '';
  const [before, now] = [new URL(known.url), new URL(url)];
  const isSame = before.host === now.host && before.username === now.username && before.protocol === now.protocol;
  return isSame ? decodeURIComponent(before.password) : '';
}

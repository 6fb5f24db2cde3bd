import { z } from 'zod';
import { SMS_PROBLEMS, SMS_STATES } from '../../../shared/records/index.ts';
import type { CrewTelephone, ReceivedSms, SentSms, Sms } from '../../exchange/sms/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { bodyId, instant, pathId, queryInt, queryLimit, textUpTo } from '../request/fields.ts';
import { readBodyBytes } from '../request/read-body-bytes.ts';

export const SmsAnswer = z
  .object({
    id: z.int(),
    at: instant,
    purpose: z.enum(['crew', 'reply', 'sending', 'notice', 'test']),
    number: z.string(),
    name: z.string(),
    text: z.string(),
    carId: z.int().nullable(),
    state: z.enum(SMS_STATES),
    attempts: z.int(),
    nextAt: instant.nullable().meta({ description: 'When the next attempt is due.' }),
    sentAt: instant.nullable(),
    deliveredAt: instant.nullable(),
    problem: z.enum(SMS_PROBLEMS).nullable(),
    error: z.string().meta({ description: 'What the gateway said.' }),
  })
  .meta({ id: 'Sms' });
const Received = z
  .object({ id: z.int(), at: instant, number: z.string(), text: z.string() })
  .meta({ id: 'ReceivedSms' });
const Telephone = z
  .object({
    carId: z.int(),
    carName: z.string(),
    phone: z.string().meta({ description: 'The crew’s own telephone; empty: it has none.' }),
    number: z.string().meta({ description: 'Where texts go: there, or to a driver; empty: nobody knows a number.' }),
  })
  .meta({ id: 'CrewTelephone' });

/** Bytes of a post of the gateway. */
const HOOK_LIMIT = 65_536;
const PAGE = 50;
const MOST = 200;
const params = z.object({ id: pathId });
const inSms = { family: 'station', access: 'user', group: 'SMS' } as const;

/** Texts for dispatchers, and posts of gateways. */
export function smsRoutes(sms: Sms): DeclaredRoute[] {
  return [
    route({
      ...inSms,
      method: 'GET',
      path: '/sms/sent',
      summary: 'Texts that were sent or wait, newest first',
      description:
        'For those who direct crews: of their organisation; a superuser sees all. `before` is a text’s id: older ones follow. They are kept for 90 days.',
      query: z.object({
        state: z.enum(SMS_STATES).optional(),
        before: queryInt(1, Number.MAX_SAFE_INTEGER).optional(),
        limit: queryLimit(1_000_000),
      }),
      answer: z.array(SmsAnswer),
      run: ({ caller, query: { limit = PAGE, ...filter } }) =>
        sms.list(caller, { ...filter, limit: Math.min(limit, MOST) }).map(presentSms),
    }),
    route({
      ...inSms,
      method: 'POST',
      path: '/sms/sent/:id/again',
      summary: 'Send a text again that failed',
      params,
      answer: SmsAnswer,
      run: async ({ caller, params }) => presentSms(await sms.sendAgain(caller, params.id)),
    }),
    route({
      ...inSms,
      method: 'GET',
      path: '/sms/phones',
      summary: 'Where texts for crews go',
      answer: z.array(Telephone),
      run: ({ caller }) => sms.phones(caller).map(presentTelephone),
    }),
    route({
      ...inSms,
      method: 'PUT',
      path: '/sms/phones/:id',
      summary: 'Note the telephone that travels with the crew of a vehicle',
      params,
      body: z.object({ phone: textUpTo(40) }),
      answer: Telephone,
      run: async ({ caller, params, body }) =>
        presentTelephone(await sms.setPhone(caller, params.id, body.phone.trim())),
    }),
    route({
      ...inSms,
      method: 'GET',
      path: '/sms/unknown',
      summary: 'Texts from numbers that nobody knows, newest first',
      query: z.object({ limit: queryLimit(500).optional() }),
      answer: z.array(Received),
      run: ({ caller, query: { limit = PAGE } }) => sms.receiver.unknown(caller, limit).map(presentReceived),
    }),
    route({
      ...inSms,
      method: 'POST',
      path: '/sms/unknown/:id/car',
      summary: 'The crew of this vehicle wrote it: it becomes its message',
      params,
      body: z.object({ carId: bodyId }),
      answer: 'nothing',
      run: ({ caller, params, body }) => sms.receiver.assign(caller, params.id, body.carId),
    }),
    route({
      ...inSms,
      method: 'DELETE',
      path: '/sms/unknown/:id',
      summary: 'Somebody has dealt with it',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => sms.receiver.dismiss(caller, params.id),
    }),
    route({
      ...inSms,
      method: 'POST',
      path: '/sms/hook',
      access: 'open',
      summary: 'A text came in, or was delivered: for SMS gateways',
      description:
        'The key of `POST /sms/key` proves the gateway: as a bearer token, as the password of basic authentication, or by the headers `X-Signature` (HMAC-SHA256 over body and time, in hexadecimal digits) and `X-Timestamp`. The body is JSON or a form: `from`, `text` and perhaps `id`; or `id`, `state` (`delivered`, `failed`) and `error`; or what SMS Gateway for Android posts. Of one `id` only the first counts.',
      upload: { type: 'application/json' },
      answer: 'nothing',
      run: async ({ request }) => {
        const body = await readBodyBytes(request, HOOK_LIMIT);
        await sms.hook({ body, type: request.headers['content-type'] ?? '', headers: request.headers });
      },
    }),
  ];
}

export function presentSms(sms: SentSms): z.input<typeof SmsAnswer> {
  const { id, at, purpose, number, name, text, vehicleId, state, attempts, nextAt, sentAt, deliveredAt, error } = sms;
  return {
    ...{ id, at, purpose, number, name, text, state, attempts, sentAt, deliveredAt, error },
    carId: vehicleId || null,
    nextAt: state === 'queued' ? nextAt : null,
    problem: sms.problem || null,
  };
}

function presentTelephone({ vehicle, phone, number }: CrewTelephone): z.input<typeof Telephone> {
  return { carId: vehicle.id, carName: vehicle.name, phone, number };
}

function presentReceived({ id, at, number, text }: ReceivedSms): z.input<typeof Received> {
  return { id, at, number, text };
}

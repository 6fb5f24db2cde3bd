import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../../shared/refusal.ts';
import type { DeliveryReport, IncomingText } from './gateway.ts';
import type { HttpGatewaySettings } from './settings.ts';

/** Body that an HTTP gateway posts to the station. */
export interface HookRequest {
  readonly body: Buffer;
  readonly type: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export type HookWord =
  | { readonly kind: 'received'; readonly text: IncomingText }
  | { readonly kind: 'reported'; readonly report: DeliveryReport }
  /** It says nothing that matters here. */
  | { readonly kind: 'nothing' };

/** Seconds that a signed request may have been on its way, or its clock be wrong. */
const LONGEST_AGE = 300;

/**
 * Whether the sender of the request knows the key: as a bearer token, as the password of basic
 * authentication, or by the signature of the Android gateway (HMAC-SHA256 over body and time, in hexadecimal
 * digits).
 */
export function provesKey({ body, headers }: HookRequest, key: string, now: number): boolean {
  const authorization = textOf(headers['authorization']);
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return isEqual(value, key);
  if (scheme !== '')
    return isEqual(
      Buffer.from(value, 'base64')
        .toString()
        .replace(/^[^:]*:/, ''),
      key,
    );
  const [signature, time] = [textOf(headers['x-signature']), textOf(headers['x-timestamp'])];
  if (!/^\d{1,12}$/.test(time) || Math.abs(now / 1000 - Number(time)) > LONGEST_AGE) return false;
  return isEqual(signature.toLowerCase(), createHmac('sha256', key).update(body).update(time).digest('hex'));
}

/** Reads a post of the gateway. Refuses a body that is neither JSON nor a form, or lacks a required field. */
export function readHook(form: HttpGatewaySettings['hookForm'], { body, type }: HookRequest): HookWord {
  const fields = fieldsOf(body, type);
  return form === 'android' ? readAndroid(fields) : readPlain(fields);
}

type Fields = Readonly<Record<string, unknown>>;

function readAndroid(fields: Fields): HookWord {
  const payload = fields['payload'];
  const said = (typeof payload === 'object' && payload !== null ? payload : {}) as Fields;
  const id = plain(said['messageId']);
  switch (fields['event']) {
    case 'sms:received': {
      // Its id is derived from the content, so two equal texts differ only in their times.
      const gatewayId = id && `${id}/${plain(said['receivedAt'])}`;
      return received(plain(said['sender']) || plain(said['phoneNumber']), plain(said['message']), gatewayId);
    }
    case 'sms:delivered':
      return { kind: 'reported', report: { gatewayId: id, state: 'delivered', error: '' } };
    case 'sms:failed':
      return {
        kind: 'reported',
        report: { gatewayId: id, state: 'failed', error: plain(said['reason']).slice(0, 300) },
      };
    default:
      return { kind: 'nothing' };
  }
}

/** `from`, `text` and perhaps `id`; or `id` and `state`. */
function readPlain(fields: Fields): HookWord {
  const [id, state] = [plain(fields['id']), plain(fields['state']).toLowerCase()];
  if (state === '') return received(plain(fields['from']), plain(fields['text']), id);
  if (id === '') throw new Refusal('field.missing', { field: 'id' });
  if (state === 'delivered' || state === 'failed')
    return { kind: 'reported', report: { gatewayId: id, state, error: plain(fields['error']).slice(0, 300) } };
  return { kind: 'nothing' };
}

function received(number: string, text: string, gatewayId: string): HookWord {
  if (number === '') throw new Refusal('field.missing', { field: 'from' });
  if (text === '') throw new Refusal('field.missing', { field: 'text' });
  return { kind: 'received', text: { number: number.slice(0, 40), text, gatewayId: gatewayId.slice(0, 200) } };
}

function fieldsOf(body: Buffer, type: string): Fields {
  const text = body.toString('utf8');
  if (/form-urlencoded/i.test(type)) return Object.fromEntries(new URLSearchParams(text));
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null) return value as Fields;
  } catch {
    // The caller reports it below.
  }
  throw new Refusal('sms.notRead');
}

/** Text of a value, without characters that no text may hold. */
function plain(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  return String(value).toWellFormed().replaceAll('\0', '').trim();
}

const textOf = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? (value[0] ?? '') : (value ?? '');

function isEqual(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

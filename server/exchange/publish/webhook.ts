import { createHmac, randomBytes } from 'node:crypto';
import type { ChangeType } from '../../../shared/change-types.ts';

/** Changes of a station that are posted to an address. */
export interface Webhook {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  /** `whsec_` and the key in base64 (Standard Webhooks). */
  readonly secret: string;
  readonly types: readonly ChangeType[];
  /** Only tasks, vehicles and alarms of these organizations; empty: of all that the owner sees. */
  readonly organizationIds: readonly number[];
  /** Only tasks, units and comments of these types of tasks; empty: of all. */
  readonly taskTypeIds: readonly number[];
  /** Whose rights decide what is sent. */
  readonly ownerId: number;
  readonly isEnabled: boolean;
  /** The receiver said that the address is gone for good. */
  readonly isGone: boolean;
  /** Epoch ms. */
  readonly createdAt: number;
}

export type WebhookFields = Pick<Webhook, 'name' | 'url' | 'types' | 'organizationIds' | 'taskTypeIds' | 'isEnabled'>;

/** Bytes of a new key; Standard Webhooks asks for 24 to 64. */
const KEY_BYTES = 32;

export function newSecret(): string {
  return `whsec_${randomBytes(KEY_BYTES).toString('base64')}`;
}

/** Headers that prove sender and content (Standard Webhooks 1.0, symmetric signature). */
export function signedHeaders(secret: string, id: string, at: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

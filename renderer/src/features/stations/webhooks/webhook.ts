import type { ChangeType } from '../../../../../shared/change-types.ts';

/** A webhook as `/webhooks` gives it. */
export interface WebhookItem {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly types: readonly ChangeType[];
  readonly orgIds: readonly number[];
  readonly newsTypeIds: readonly number[];
  readonly enabled: boolean;
  readonly gone: boolean;
  /** Deliveries that are not finished, and that were given up. */
  readonly waiting: number;
  readonly failed: number;
}

export interface DeliveryItem {
  readonly id: number;
  readonly type: string;
  readonly record: string;
  readonly body: string;
  /** Epoch ms, as the others. */
  readonly at: number;
  readonly state: 'blocked' | 'waiting' | 'sent' | 'failed';
  readonly attempts: number;
  readonly nextAt: number | null;
  readonly sentAt: number | null;
  readonly error: string;
}

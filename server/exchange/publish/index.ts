export type { RecordChange } from './change.ts';
export type { Delivery, DeliveryState } from './deliveries.ts';
export { ChangeOutbox, type ChangeEntry } from './change-outbox.ts';
export type { PresentChange, Presented } from './types.ts';
export type { Webhook, WebhookFields } from './webhook.ts';
export { Webhooks } from './webhooks.ts';

export { Sms, type CrewTelephone } from './sms.ts';
export { RECEIVED_STATES, type ReceivedSms } from './inbox.ts';
export type { SentSms } from './outbox.ts';
export { charactersOfSms } from './segments.ts';
export {
  BLANK,
  GATEWAYS,
  HOOK_FORMS,
  MESSAGES_BY_SMS,
  REPORT_IDS,
  type SmsSettings,
  type StoredSettings,
} from './settings.ts';

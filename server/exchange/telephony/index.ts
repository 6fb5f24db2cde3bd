export { Telephony } from './telephony.ts';
export { OUTGOING_REASONS, OUTGOING_STATES } from './outgoing-calls.ts';
export type { OutgoingCall } from './outgoing-calls.ts';
export type { ExchangeLine, ExchangeSettings } from './settings.ts';

export { Telephony } from './telephony.ts';
export type { ExchangeLine, ExchangeSettings } from './settings.ts';

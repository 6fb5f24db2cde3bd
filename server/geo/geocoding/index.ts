export type { AddressQuestion, Geocoder, Hit, HitKind } from './types.ts';
export { startGeocoder } from './geocoder.ts';

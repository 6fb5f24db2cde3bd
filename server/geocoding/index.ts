export type { Geocoder, Hit, HitKind } from './types.ts';
export { startGeocoder } from './geocoder.ts';

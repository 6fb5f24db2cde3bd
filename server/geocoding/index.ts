export type { Geocoder, Hit, HitKind } from './door.ts';
export { startGeocoder } from './geocoder.ts';

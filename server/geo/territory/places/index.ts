export { makePlaces } from './make-places.ts';
export { PLACES_VERSION } from './schema.ts';

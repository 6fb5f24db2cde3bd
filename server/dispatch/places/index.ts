export { OwnPlaces, type FoundPlace, type OwnPlacesOptions, type PlaceBatch } from './own-places.ts';
export type { OwnPlaceOrder } from './place-order.ts';

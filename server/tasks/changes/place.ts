import type { Task } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';

export interface TaskPosition {
  lon: number;
  lat: number;
}

/** Default zoom: streets and house numbers are legible. */
const DEFAULT_ZOOM = 16;

/** @param zoom null or undefined: the default */
export function checkPlace({ lon, lat }: TaskPosition, zoom: number | null | undefined): NonNullable<Task['point']> {
  if (!(lon >= -180 && lon <= 180)) throw new Refusal('invalid', 'point: the longitude is not between -180 and 180.');
  if (!(lat >= -90 && lat <= 90)) throw new Refusal('invalid', 'point: the latitude is not between -90 and 90.');
  return { lon, lat, zoom: zoom ?? DEFAULT_ZOOM };
}

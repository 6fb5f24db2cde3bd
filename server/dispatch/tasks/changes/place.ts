import type { Task } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';

export interface TaskPosition {
  lon: number;
  lat: number;
}

/** Default zoom: streets and house numbers are legible. */
const DEFAULT_ZOOM = 16;

/** @param zoom null or undefined: the default */
export function checkPlace({ lon, lat }: TaskPosition, zoom: number | null | undefined): NonNullable<Task['point']> {
  if (!(lon >= -180 && lon <= 180)) throw new Refusal('tasks.noLongitude', { field: 'point' });
  if (!(lat >= -90 && lat <= 90)) throw new Refusal('tasks.noLatitude', { field: 'point' });
  return { lon, lat, zoom: zoom ?? DEFAULT_ZOOM };
}

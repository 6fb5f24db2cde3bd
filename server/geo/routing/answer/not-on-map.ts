import type { OffMapPoint } from '../types.ts';

/** Message of area C for a point off the map. */
export function notOnMap({ point, limit }: OffMapPoint): string {
  const within = limit < 1000 ? `${limit} m` : `${Math.round(limit / 100) / 10} km`;
  return `Point ${point + 1} is not on this map: there is no road within ${within} of it.`;
}

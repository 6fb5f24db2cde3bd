import type { ArchiveInfo } from './raster-archive.ts';

/** Where Web Mercator ends. */
const MOST_LAT = 85.0511287798;
const LONGEST_WORDS = 300;

/** Text without tags and entities: a file's description of itself may be HTML, and is shown as text. */
export function plainText(html: string | undefined): string {
  return (html ?? '')
    .slice(0, 10_000)
    .replace(/<[^<>]*>/g, '')
    .replace(/&copy;/g, '©')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&nbsp;|[\s\p{Cc}]+/gu, ' ')
    .replace(/&amp;/g, '&')
    .trim()
    .slice(0, LONGEST_WORDS);
}

/** Degrees as a file gives them; undefined when they are no box of the world. */
export function boundsOf(degrees: readonly number[]): ArchiveInfo['bounds'] | undefined {
  const [west, south, east, north] = degrees;
  if (degrees.length !== 4 || !degrees.every(Number.isFinite)) return undefined;
  if (west! < -180 || east! > 180 || south! < -90 || north! > 90 || west! >= east! || south! >= north!)
    return undefined;
  return [west!, Math.max(south!, -MOST_LAT), east!, Math.min(north!, MOST_LAT)];
}

/** The box around tiles, whose rows count from the north. */
export function boundsOfTiles(
  z: number,
  tiles: { readonly west: number; readonly north: number; readonly east: number; readonly south: number },
): ArchiveInfo['bounds'] {
  const lon = (column: number) => (column / 2 ** z) * 360 - 180;
  const lat = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** z))) * 180) / Math.PI;
  return [lon(tiles.west), lat(tiles.south + 1), lon(tiles.east + 1), lat(tiles.north)];
}

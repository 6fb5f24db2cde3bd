import { airDistance } from '../../../../../shared/geo/geometry.ts';
import type { LonLat } from '../../../../../shared/geo/shapes.ts';
import type { Client } from '../../../lib/api/client.ts';
import type { Drawing } from '../../../map/draw/draw-geometry.ts';
import { fetchDrive } from '../options/drive.ts';

/** A road between two clicks is at most this much longer than the straight line; a longer one is a detour. */
const LONGEST_DETOUR = 2.5;
/**
 * A road between two clicks is at least this share of the straight line; a shorter one only crosses it, as a
 * roadblock is drawn.
 */
const MIN_OF_AIR = 0.5;
/** metres; a click that is as near to a road as this is meant for it, however near one looks */
const NEAR = 40;

/**
 * A line whose last edge follows the road between its ends, in the shorter direction, because a one-way
 * street is closed in any case. A click snaps to the road within `reach` metres. Undefined: no road between
 * them; the straight line is used.
 */
export async function followRoad(client: Client, drawing: Drawing, reach = NEAR): Promise<Drawing | undefined> {
  const [from, to] = drawing.vertices.slice(-2);
  if (drawing.kind !== 'line' || !from || !to) return undefined;
  const ways = await Promise.all([
    road(client, from, to, reach),
    road(client, to, from, reach).then((way) => way?.toReversed()),
  ]);
  const way = ways.filter((one) => one !== undefined).sort((one, other) => lengthOf(one) - lengthOf(other))[0];
  if (!way) return undefined;
  const share = lengthOf(way) / metres(from, to);
  if (!(share >= MIN_OF_AIR && share <= LONGEST_DETOUR)) return undefined;
  return { ...drawing, vertices: [...drawing.vertices.slice(0, -2), ...way] };
}

async function road(client: Client, from: LonLat, to: LonLat, reach: number): Promise<LonLat[] | undefined> {
  const places = [from, to].map(([lon, lat]) => ({ lat, lon, label: '' }));
  const { drives, offRoad } = await fetchDrive(client, { places, profile: '' });
  if (!drives[0] || offRoad.some(({ metres: off }) => off > Math.max(NEAR, reach))) return undefined;
  return drives[0].points.map(([lat, lon]): LonLat => [lon, lat]);
}

const metres = ([lon, lat]: LonLat, [otherLon, otherLat]: LonLat) =>
  airDistance({ lat, lon }, { lat: otherLat, lon: otherLon });
const lengthOf = (way: readonly LonLat[]) => way.slice(1).reduce((sum, at, index) => sum + metres(way[index]!, at), 0);

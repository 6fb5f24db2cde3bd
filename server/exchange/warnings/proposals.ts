import type { Geometry, LineString, Point, Polygon, Position } from 'geojson';
import type { Actor } from '../../../shared/access.ts';
import type { RoadClosure } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { shortened } from '../../../shared/text/characters.ts';
import type { Closures } from '../../geo/closures/index.ts';
import type { Warning } from './warning-table.ts';
import type { WarningText } from './reading/read-warning.ts';

/** The closure that a warning proposes. */
export interface RoadProposal {
  /** Share of the usual speed; 0: closed. */
  readonly factor: number;
  /** `accepted` while one of its closures stands. */
  readonly state: 'open' | 'accepted' | 'declined';
  readonly closureIds: readonly number[];
  /** The closures stand, but the warning has ended. */
  readonly isOver: boolean;
  /** The closures stand, and the warning says another time. */
  readonly isChanged: boolean;
}

const MOST_CLOSURES = 20;
const LONGEST_NAME = 100;
const LONGEST_REASON = 5_000;
/** Positions of a closure. */
const MOST_POSITIONS = 1_000;

/** The proposal of a warning; null: it says nothing about roads, or not where they are. */
export function proposalOf(warning: Warning, closures: Pick<Closures, 'find'>): RoadProposal | null {
  const { factor, geometry, decision, endedAt, until } = warning;
  if (factor === null || geometry === null) return null;
  const standing = standingClosures(warning, closures);
  const isAccepted = standing.length > 0;
  return {
    factor: standing[0]?.factor ?? factor,
    state: isAccepted ? 'accepted' : decision?.state === 'declined' ? 'declined' : 'open',
    closureIds: standing.map(({ id }) => id),
    isOver: isAccepted && endedAt !== null,
    isChanged: isAccepted && endedAt === null && standing.some((closure) => closure.until !== until),
  };
}

/** The closures that were made of the warning and are not lifted. */
export function standingClosures({ decision }: Warning, closures: Pick<Closures, 'find'>): RoadClosure[] {
  return (decision?.closureIds ?? [])
    .map((id) => closures.find(id))
    .filter((closure): closure is RoadClosure => closure?.isDeleted === false);
}

/** The parts of a warning's geometry that a closure can have each. */
export function closureParts(geometry: Geometry): (Point | LineString | Polygon)[] {
  const parts = simpleParts(geometry);
  const largest = Math.max(0, ...parts.map(({ coordinates }) => coordinates.flat(2).length / 2));
  if (parts.length > MOST_CLOSURES || largest > MOST_POSITIONS)
    throw new Refusal('warnings.tooDetailed', { most: MOST_CLOSURES });
  return parts;
}

function simpleParts(geometry: Geometry): (Point | LineString | Polygon)[] {
  switch (geometry.type) {
    case 'Point':
    case 'LineString':
    case 'Polygon':
      return [geometry];
    case 'MultiPoint':
      return geometry.coordinates.map((coordinates) => ({ type: 'Point', coordinates }));
    case 'MultiLineString':
      return geometry.coordinates.map((coordinates) => ({ type: 'LineString', coordinates }));
    case 'MultiPolygon':
      return geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }));
    case 'GeometryCollection':
      return geometry.geometries.flatMap(simpleParts);
  }
}

/** Finds the road between the points of a line; undefined: there is none, or a long way round. */
export type FindRoad = (line: readonly Position[]) => Promise<Position[] | undefined>;

/** The geometry with the roads between the ends that a message gives. */
export async function withRoads({ geometry, hasEndsOnly }: Warning, findRoad: FindRoad): Promise<Geometry> {
  if (!hasEndsOnly || !geometry) return geometry!;
  if (geometry.type === 'LineString')
    return { ...geometry, coordinates: (await findRoad(geometry.coordinates)) ?? geometry.coordinates };
  if (geometry.type !== 'MultiLineString') return geometry;
  const lines: Position[][] = [];
  for (const line of geometry.coordinates) lines.push((await findRoad(line)) ?? line);
  return { ...geometry, coordinates: lines };
}

/** Name, reason and times of the closures of a warning. */
export function orderOf(warning: Warning, text: WarningText, factor: number) {
  const lines = [text.description, text.area, [warning.sender, warning.link].filter(Boolean).join(' ')];
  return {
    name: shortened(text.headline || warning.sender || warning.key, LONGEST_NAME),
    reason: shortened(lines.filter(Boolean).join('\n'), LONGEST_REASON),
    from: warning.from,
    until: warning.until,
    factor,
  };
}

/** Creates, changes and lifts closures until they are those of the warning. Returns their ids, taken before. */
export async function writeClosures(
  closures: Closures,
  actor: Actor,
  standing: readonly RoadClosure[],
  ids: readonly number[],
  order: ReturnType<typeof orderOf>,
  parts: readonly (Point | LineString | Polygon)[],
): Promise<void> {
  for (const [index, geometry] of parts.entries()) {
    const id = ids[index]!;
    if (standing.some((closure) => closure.id === id)) await closures.change(actor, id, { ...order, geometry });
    else await closures.create(actor, { ...order, geometry }, id);
  }
  for (const { id } of standing) if (!ids.includes(id)) await closures.delete(actor, id);
}

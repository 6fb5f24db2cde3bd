import { depthOf, type LonLat } from '../../../../shared/geo/shapes.ts';
import type { Bounds } from '../../../../shared/geo/bounds.ts';
import { fold } from '../../../../shared/text/fold.ts';
import { allPositions } from './areas.ts';
import { SEVERITIES, type ReadWarning, type Severity } from './read-warning.ts';
import type { Geometry, Position } from 'geojson';

/** Which warnings of a feed a station takes. */
export interface Relevance {
  /** West, south, east, north; null: wherever they are. */
  readonly bounds: Bounds | null;
  /** Codes (`EMMA_ID=DE123`, `DE123`) and names of areas. A warning with one of them is taken wherever it is. */
  readonly places: readonly string[];
  readonly leastSeverity: Severity;
}

/**
 * Whether a warning concerns the station. One that only names its area does when the name or a code is listed, or when
 * no places are listed and so nobody can tell.
 */
export function isRelevant(warning: ReadWarning, { bounds, places, leastSeverity }: Relevance): boolean {
  if (SEVERITIES.indexOf(warning.severity) < SEVERITIES.indexOf(leastSeverity)) return false;
  if (bounds === null && places.length === 0) return true;
  if (places.some((place) => names(warning, place))) return true;
  if (bounds === null) return false;
  return warning.geometry === null ? places.length === 0 : touches(warning.geometry, bounds);
}

function names({ codes, texts }: ReadWarning, place: string): boolean {
  const wanted = place.trim().toLowerCase();
  if (codes.some((code) => [code.toLowerCase(), code.slice(code.indexOf('=') + 1).toLowerCase()].includes(wanted)))
    return true;
  const words = ` ${fold(wanted)} `;
  return texts.some(({ area, headline }) =>
    [area, headline].some((text) => ` ${fold(text).replace(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(words)),
  );
}

/** Whether a geometry and a box have a place in common. */
export function touches(geometry: Geometry, [west, south, east, north]: Bounds): boolean {
  const positions = lonLats(allPositions(geometry));
  if (positions.some(([lon, lat]) => lon >= west && lon <= east && lat >= south && lat <= north)) return true;
  const rings = ringsOf(geometry);
  const centre: LonLat = [(west + east) / 2, (south + north) / 2];
  const corners: LonLat[] = [centre, [west, south], [east, south], [east, north], [west, north]];
  if (rings.some((ring) => corners.some((corner) => depthOf({ kind: 'polygon', rings: [ring] }, corner) <= 0)))
    return true;
  return [...rings, ...linesOf(geometry)].some((line) => crosses(line, [west, south, east, north]));
}

function ringsOf(geometry: Geometry): LonLat[][] {
  if (geometry.type === 'Polygon') return geometry.coordinates.map(lonLats);
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat().map(lonLats) : [];
}

function linesOf(geometry: Geometry): LonLat[][] {
  if (geometry.type === 'LineString') return [lonLats(geometry.coordinates)];
  return geometry.type === 'MultiLineString' ? geometry.coordinates.map(lonLats) : [];
}

const lonLats = (positions: readonly Position[]): LonLat[] => positions.map(([lon, lat]) => [lon!, lat!]);

/** Whether a piece of the line goes through the box (Liang and Barsky, 1984). */
function crosses(line: readonly LonLat[], [west, south, east, north]: Bounds): boolean {
  return line.some((to, index) => {
    const from = line[index - 1];
    if (!from) return false;
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let [enter, leave] = [0, 1];
    for (const [step, distance] of [
      [-dx, from[0] - west],
      [dx, east - from[0]],
      [-dy, from[1] - south],
      [dy, north - from[1]],
    ] as const) {
      if (step === 0 && distance < 0) return false;
      if (step < 0) enter = Math.max(enter, distance / step);
      if (step > 0) leave = Math.min(leave, distance / step);
    }
    return enter <= leave;
  });
}

/** Degrees. */
export interface Position {
  readonly lat: number;
  readonly lon: number;
}

const METRES_PER_DEGREE = 111_195;

/** Course from `a` to `b`, degrees clockwise from north, on the plane that the few metres between them lie in. */
export function bearing(a: Position, b: Position): number {
  const east = (b.lon - a.lon) * Math.cos((a.lat * Math.PI) / 180);
  return ((Math.atan2(east, b.lat - a.lat) * 180) / Math.PI + 360) % 360;
}

export function moved({ lat, lon }: Position, metresEast: number, metresNorth: number): Position {
  return { lat: lat + metresNorth / METRES_PER_DEGREE, lon: lon + metresEast / (METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180)) };
}

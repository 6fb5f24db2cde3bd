/** Degrees. */
export interface Position {
  readonly lat: number;
  readonly lon: number;
}

const METRES_PER_DEGREE = 111_195;

export function moved({ lat, lon }: Position, metresEast: number, metresNorth: number): Position {
  return {
    lat: lat + metresNorth / METRES_PER_DEGREE,
    lon: lon + metresEast / (METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180)),
  };
}

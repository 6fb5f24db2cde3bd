/** Degrees. */
export interface GroundPosition {
  readonly lat: number;
  readonly lon: number;
}

const METRES_PER_DEGREE = 111_195;

export function movedByMetres({ lat, lon }: GroundPosition, metresEast: number, metresNorth: number): GroundPosition {
  return {
    lat: lat + metresNorth / METRES_PER_DEGREE,
    lon: lon + metresEast / (METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180)),
  };
}

/** A point as stored; `marks` are bits of `POSITION_MARKS`. */
export interface StoredPoint {
  vehicle: number;
  time: number;
  storedAt: number;
  lat: number;
  lon: number;
  speed: number;
  direction: number;
  height: number;
  gpsCount: number | null;
  glonassCount: number | null;
  inputs: number;
  marks: number;
  /** JSON of `adc` and `params`; empty when the device sent neither. */
  extra: string;
  /** 1: the device sent no speed, so it was computed. */
  speedDerived: number;
  /** 0 or 1; null: no ignition was connected. */
  engine: number | null;
}

export const POINT_COLUMNS =
  'vehicle, time, storedAt, lat, lon, speed, direction, height, gpsCount, glonassCount, inputs, marks, extra, speedDerived, engine';

import type { PositionRecord } from '../api/types.ts';

/** A vehicle on its way from where it was drawn to where it was last seen. */
export interface Motion {
  readonly glonassId: number;
  readonly fix: PositionRecord;
  readonly fromLat: number;
  readonly fromLon: number;
  readonly fromDirection: number;
  /** ms, on the clock that `placeAt` is asked with */
  readonly began: number;
  /** ms */
  readonly lasts: number;
}

export interface VehiclePlace {
  lat: number;
  lon: number;
  /** degrees clockwise from north */
  direction: number;
}

const LONGEST_MS = 3_000;
const SHORTEST_MS = 200;
/** Degrees; further than this is not driven but found again elsewhere. */
const JUMP = 0.02;

/**
 * The next leg after a new fix: from where the vehicle is shown now, over the interval between fixes, so that
 * it moves evenly and arrives with the next fix. Nothing is extrapolated.
 */
export function nextLeg(before: Motion | undefined, fix: PositionRecord, now: number): Motion {
  const { lat, lon, direction, glonassId } = fix;
  if (!before) return { glonassId, fix, fromLat: lat, fromLon: lon, fromDirection: direction, began: now, lasts: 0 };
  const shown = placeAt(before, now);
  const jumped = Math.abs(lat - shown.lat) > JUMP || Math.abs(lon - shown.lon) > JUMP;
  const lasts = jumped ? 0 : Math.min(LONGEST_MS, Math.max(SHORTEST_MS, now - before.began));
  return {
    glonassId,
    fix,
    fromLat: jumped ? lat : shown.lat,
    fromLon: jumped ? lon : shown.lon,
    fromDirection: shown.direction,
    began: now,
    lasts,
  };
}

/**
 * Where to draw the vehicle at `now`; written into `place` when given, to spare a frame of thousands the
 * garbage.
 */
export function placeAt(
  leg: Motion,
  now: number,
  place: VehiclePlace = { lat: 0, lon: 0, direction: 0 },
): VehiclePlace {
  const share = leg.lasts <= 0 ? 1 : Math.min(1, Math.max(0, (now - leg.began) / leg.lasts));
  place.lat = leg.fromLat + (leg.fix.lat - leg.fromLat) * share;
  place.lon = leg.fromLon + (leg.fix.lon - leg.fromLon) * share;
  // Turns are faster than movement: the heading is reached after a third of the leg, by the shorter side.
  const turn = ((leg.fix.direction - leg.fromDirection + 540) % 360) - 180;
  place.direction = (leg.fromDirection + turn * Math.min(1, share * 3) + 360) % 360;
  return place;
}

export function isMoving(leg: Motion, now: number): boolean {
  return now - leg.began < leg.lasts;
}

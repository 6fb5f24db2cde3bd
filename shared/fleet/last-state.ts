import type { VehicleState } from '../records/fleet.ts';

/**
 * Last known state of a vehicle; `id` is the vehicle's. `time` 0: no position is known. `unitStatusSince` 0:
 * no status is known.
 */
export type LastState = Omit<VehicleState, 'hlc' | 'key'>;

/** The state of a vehicle that never reported. */
export function unknownState(vehicleId: number): LastState {
  return {
    id: vehicleId,
    time: 0,
    storedAt: 0,
    lat: 0,
    lon: 0,
    speed: 0,
    direction: 0,
    height: 0,
    gpsCount: 0,
    glonassCount: 0,
    odometer: 0,
    engineStop: 0,
    engineMove: 0,
    engineOn: null,
    stopped: false,
    stoppedSince: 0,
    unitStatus: 0,
    unitStatusSince: 0,
  };
}

/**
 * Merges the states of two sources: the position of the later fix, the crew status set last. Returns `a`
 * itself when `b` adds nothing.
 * Device and dispatcher both set the status; a linked station may know a later position. For the same fix,
 * the one stored later wins: a late record corrects the sums, also downwards.
 */
export function mergeStates(a: LastState, b: LastState): LastState {
  const laterFix = isLater(b, a);
  const laterStatus = b.unitStatusSince > a.unitStatusSince;
  if (!laterFix && !laterStatus) return a;
  const status = laterStatus ? b : a;
  return { ...(laterFix ? b : a), unitStatus: status.unitStatus, unitStatusSince: status.unitStatusSince };
}

/** The state with the fix and sums of another one, and the crew status set last. */
export function withFixOf(known: LastState, state: LastState): LastState {
  return mergeStates({ ...known, time: -1 }, state);
}

/** Orders two states. The sums break ties, so that all stations choose the same of two stored at one time. */
const FIX = [
  'time',
  'storedAt',
  'odometer',
  'engineMove',
  'engineStop',
] as const satisfies readonly (keyof LastState)[];

function isLater(a: LastState, b: LastState): boolean {
  for (const field of FIX) if (a[field] !== b[field]) return a[field] > b[field];
  return false;
}

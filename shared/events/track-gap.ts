/**
 * ms. In a longer gap between two positions the vehicle's movement is unknown: track cards and reports count
 * it neither as driving nor as standing.
 */
export const TRACK_GAP_MS = 5 * 60_000;

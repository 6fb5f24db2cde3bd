import type { EventSettings } from '../records/events.ts';

/** The usual thresholds. */
export const DEFAULT_EVENT_SETTINGS: EventSettings = {
  standingSpeed: 3,
  stopAfter: 3 * 60_000,
  parkingAfter: 15 * 60_000,
  lostAfter: 10 * 60_000,
  turnAngle: 30,
  turnSpeed: 10,
  noFixAfter: 10 * 60_000,
  speedLimit: 0,
  speedPersistence: 5_000,
  zoneMargin: 20,
  zonePersistence: 10_000,
  sensorDebounce: 2_000,
  driverGrace: 60_000,
  fuelShare: 0.08,
  fuelLitres: 10,
  fuelWithin: 5 * 60_000,
  requestRadius: 100,
  requestPersistence: 30_000,
  corridor: 100,
  longStopAfter: 10 * 60_000,
};

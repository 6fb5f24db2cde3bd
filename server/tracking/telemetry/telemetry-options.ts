import type { LastState } from '../../../shared/fleet/last-state.ts';
import type { Readings } from '../../../shared/fleet/sensors.ts';
import type { HistorianOptions } from './historian/index.ts';
import type { QuarantineBounds } from './quarantine/quarantine.ts';
import type { FindVehicle } from './records/fix.ts';
import type { NewPoints } from './tracks/unprocessed-spans.ts';
import type { MonthLimits } from './writing/month-keeper.ts';

export interface TelemetryOptions {
  /** The data directory, which holds `tracks.db`. */
  directory: string;
  now(): number;
  /** The vehicle that carries a device; undefined: unknown device. */
  findVehicle: FindVehicle;
  /** Called after each commit with the new last states, each vehicle once; at the start with all. */
  publish(states: readonly LastState[]): void;
  /** Called after each commit with the spans of tracks that have new points. */
  tracksChanged?(spans: readonly NewPoints[]): void;
  /** The organization of a vehicle, including deleted ones; it decides how long the track is kept. */
  organizationOf?(vehicleId: number): number | undefined;
  /** Whether the engine of a vehicle ran, by its device's record; null: no ignition is connected. */
  engineOn?(vehicleId: number, fix: Readings & { readonly time: number }): boolean | null;
  log?(level: 'WARN' | 'ERROR', message: string): void;
  /** Seconds that the clock of a device may be ahead; default 300. */
  futureLimit?: number;
  /** Quarantine entries per device and address and hour; default 1,000. */
  quarantineLimit?: number;
  quarantine?: QuarantineBounds;
  /** When positions move into the files of their months. */
  monthLimits?: MonthLimits;
  /** PostgreSQL for old months, how many full ones stay here, and ms between two checks. */
  historian?: { readonly server: HistorianOptions; readonly keepMonths: number; readonly every?: number } | undefined;
  /** Another script for the writer thread, for tests. */
  writerScript?: URL;
}

export { openTelemetry, type Telemetry } from './telemetry.ts';
export type { TelemetryOptions } from './telemetry-options.ts';
export type { IngestResult } from './ingest/ingest-result.ts';
export { Device, Fix, TelemetryRecord, type FindVehicle } from './records/fix.ts';
export { senderAt } from './quarantine/quarantine-quota.ts';
export type { QuarantineEntry } from './quarantine/quarantine.ts';
export type { CurrentValue, SensorOverTime, TrackQuery } from './reading/track-answers.ts';
export { TRACK_FORMATS, type TrackFormat } from './reading/track-formats.ts';
export * from './tracks/index.ts';
export { openDeviceListeners, type DevicePorts, type DeviceListeners } from './device-listeners.ts';
export {
  readGpsLogger,
  readOwnTracks,
  readTraccar,
  readTraccarReport,
  type ForwardedRecord,
  type TraccarReport,
} from './forwarded/index.ts';
export { BrokerIntake } from './broker/broker-intake.ts';

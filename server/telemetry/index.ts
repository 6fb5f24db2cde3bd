export { openTelemetry, type FindVehicle, type Intake, type Telemetry, type TelemetryOptions } from './telemetry.ts';
export { Device, Fix, TelemetryRecord } from './fix.ts';
export { STANDING_SPEED } from './state.ts';
export type { Quarantined } from './quarantine.ts';
export type { TrackSpan } from './unsettled.ts';
export type { SensorThen, TrackQuestion } from './track-answers.ts';
export { TrackFile } from './track-file.ts';
export type { RecordedPoint, TrackEntry } from './tracks.ts';
export { openDeviceWays, type DevicePorts, type DeviceWays } from './device-ways.ts';

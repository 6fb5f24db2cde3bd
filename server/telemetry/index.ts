export { openTelemetry, type FindVehicle, type Intake, type Telemetry, type TelemetryOptions } from './telemetry.ts';
export { Device, Fix, TelemetryRecord } from './fix.ts';
export { legBetween, STANDING_SPEED, type Leg } from './state.ts';
export type { Quarantined } from './quarantine.ts';
export type { NewPoints, TrackSpan } from './unsettled.ts';
export type { CurrentValue, SensorThen, TrackQuestion } from './track-answers.ts';
export { TrackFile } from './track-file.ts';
export { readingsOf, type RecordedPoint, type StoredPoint, type TrackEntry } from './tracks.ts';
export { openDeviceWays, type DevicePorts, type DeviceWays } from './device-ways.ts';

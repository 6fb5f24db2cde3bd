export { openTelemetry, type FindVehicle, type Intake, type Telemetry, type TelemetryOptions, type TrackEntry } from './telemetry.ts';
export { Device, Fix, TelemetryRecord } from './fix.ts';
export { STANDING_SPEED } from './state.ts';
export type { Quarantined } from './quarantine.ts';
export type { TrackSpan } from './unsettled.ts';
export { type RecordedPoint } from './telemetry.ts';
export { openDeviceWays, type DevicePorts, type DeviceWays } from './device-ways.ts';

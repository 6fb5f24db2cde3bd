import type { ValidRecord } from './fix.ts';

const LATEST = 9_007_199_254_740_990;
const GREATEST_UNIT = 2_147_483_647;
const GREATEST_MASK = 0xffff_ffff;

/**
 * Whether `TelemetryRecord` accepts a record, by plain comparisons: the schema takes twenty times as long and
 * is asked only when this says no. It says no to a few valid records (parameter names that mean something to
 * JavaScript), never yes to invalid ones.
 */
export function isValidRecord(record: unknown): record is ValidRecord {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return false;
  const { glonassId, imei, time, lat, lon, speed, direction, height, gpsCount, glonassCount, inputs, adc, params } =
    record as Partial<Record<keyof ValidRecord, unknown>>;
  return (
    (glonassId === undefined ? imei !== undefined : isIntegerUpTo(glonassId, GREATEST_UNIT)) &&
    (imei === undefined || (typeof imei === 'string' && imei.length >= 1 && imei.length <= 32)) &&
    isIntegerUpTo(time, LATEST) &&
    ((isBetween(lat, -90, 90) && isBetween(lon, -180, 180)) || isUnplaced(record)) &&
    (speed === undefined || isBetween(speed, 0, Number.MAX_VALUE)) &&
    (direction === undefined || finite(direction)) &&
    (height === undefined || finite(height)) &&
    (gpsCount === undefined || isIntegerUpTo(gpsCount, 1000)) &&
    (glonassCount === undefined || isIntegerUpTo(glonassCount, 1000)) &&
    (inputs === undefined || isIntegerUpTo(inputs, GREATEST_MASK)) &&
    (adc === undefined || isValidAdc(adc)) &&
    (params === undefined || areValidParams(params))
  );
}

/** JSON has no NaN, so nobody sends this. */
export function isUnplaced(record: unknown): record is object {
  if (typeof record !== 'object' || record === null) return false;
  const { lat, lon } = record as Partial<Record<keyof ValidRecord, unknown>>;
  return Number.isNaN(lat) && Number.isNaN(lon);
}

function finite(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function isBetween(value: unknown, least: number, greatest: number): boolean {
  return typeof value === 'number' && value >= least && value <= greatest;
}

function isIntegerUpTo(value: unknown, greatest: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= greatest;
}

/** Whether these are stored readings of a record: `adc` and `params`, and nothing else. */
export function areValidReadings(
  readings: unknown,
): readings is { adc: number[]; params: Record<string, number | string | boolean> } {
  if (typeof readings !== 'object' || readings === null) return false;
  const { adc, params, ...others } = readings as Record<string, unknown>;
  return isValidAdc(adc) && areValidParams(params) && Object.keys(others).length === 0;
}

function isValidAdc(adc: unknown): boolean {
  return Array.isArray(adc) && adc.length <= 64 && adc.every(finite);
}

function areValidParams(params: unknown): boolean {
  if (typeof params !== 'object' || params === null || Object.getPrototypeOf(params) !== Object.prototype) return false;
  for (const name in params) {
    const value = (params as Record<string, unknown>)[name];
    if (name.length > 64 || name === '__proto__') return false;
    if (typeof value === 'string' ? value.length > 1344 : typeof value !== 'boolean' && !finite(value)) return false;
  }
  return true;
}

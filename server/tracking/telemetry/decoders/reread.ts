import type { ValidRecord } from '../records/fix.ts';
import { ProtocolError, type DeviceRecord } from './decoder.ts';
import { DECODERS } from './index.ts';

/**
 * Decodes quarantined bytes again, because the decoder may have improved. Undefined if any of it still cannot
 * be decoded. Older versions stored records without a position as JSON.
 */
export function reread(
  source: string,
  raw: Uint8Array,
  now: () => number,
): { device: string | undefined; records: readonly DeviceRecord[] } | undefined {
  const decoder = DECODERS.find(({ name }) => name === source);
  const kept = keptRecord(raw);
  if (kept) return { device: undefined, records: [kept] };
  if (decoder?.transport !== 'tcp') return undefined;
  try {
    const items = decoder.reread(raw, now);
    const read = items.filter((item) => item.kind === 'records');
    if (
      read.length === 0 ||
      items.some((item) => item.kind === 'fault') ||
      read.some(({ faults }) => faults.length > 0)
    )
      return undefined;
    return {
      device: read.find(({ device }) => device !== undefined)?.device,
      records: read.flatMap(({ records }) => records),
    };
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

/** A record that an older version decoded, but quarantined because its vehicle had no position yet. */
function keptRecord(raw: Uint8Array): DeviceRecord | undefined {
  if (raw[0] !== 0x7b) return undefined; // {
  try {
    const record = JSON.parse(Buffer.from(raw).toString()) as Partial<DeviceRecord>;
    return Array.isArray(record.adc) &&
      typeof record.params === 'object' &&
      !('glonassId' in record) &&
      !('lat' in record)
      ? (record as DeviceRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

const NO_POSITION = { lat: NaN, lon: NaN };

/**
 * A record with its vehicle. Without a position it has NaN, and the writer fills in the vehicle's last one.
 * It is always stored, because it may be an emergency.
 */
export function completeRecord(record: DeviceRecord, glonassId: number, now: number): ValidRecord {
  // Field by field: destructuring and copying the object cost more than all checks.
  const { time, position, speed, direction, height, glonassCount, inputs, adc, params } = record;
  const { lat, lon } = position ?? NO_POSITION;
  const gpsCount = position ? record.gpsCount : 0;
  return {
    glonassId,
    time: time ?? now,
    lat,
    lon,
    speed,
    direction,
    height,
    gpsCount,
    glonassCount,
    inputs,
    adc,
    params,
  };
}

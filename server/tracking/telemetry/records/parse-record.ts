import type { ZodError } from 'zod';
import { TelemetryRecord, type ValidRecord } from './fix.ts';
import { isUnplaced } from './valid-record.ts';

/**
 * Parses by the schema, for its error texts. Accepts records without a position, which only decoders make.
 */
export function parseRecord(record: unknown): { data?: ValidRecord | undefined; error?: ZodError | undefined } {
  if (!isUnplaced(record)) return TelemetryRecord.safeParse(record);
  const { data, error } = TelemetryRecord.safeParse({ ...record, lat: 0, lon: 0 });
  return { error, data: data && { ...data, lat: NaN, lon: NaN } };
}

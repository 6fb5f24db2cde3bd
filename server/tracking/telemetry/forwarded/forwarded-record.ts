import type { ValidRecord } from '../records/fix.ts';

/**
 * A record as another program forwarded it, with that program's fields. Completeness and plausibility are
 * checked at intake; faulty records go to the quarantine with the reason.
 */
export type ForwardedRecord = Partial<ValidRecord>;

type Values = NonNullable<ForwardedRecord['params']>;

const LONGEST_DEVICE = 32;
const LONGEST_NAME = 64;
const LONGEST_VALUE = 1344;
const MOST_VALUES = 100;

/** The fields of an object; of anything else none. */
export function forwardedFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The id of a device, which its vehicle has in place of an IMEI. */
export function deviceOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return String(value).trim().slice(0, LONGEST_DEVICE) || undefined;
}

/** Epoch ms of an ISO time or of seconds. */
export function forwardedTime(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.round(value * 1000);
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,12}(\.\d+)?$/.test(value)) return Math.round(Number(value) * 1000);
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

/** Further values of a device that a record can hold. */
export function forwardedValues(
  fields: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string> = new Set(),
): Values {
  const values: Values = {};
  for (const [name, value] of Object.entries(fields)) {
    if (known.has(name) || name === '__proto__' || Object.keys(values).length >= MOST_VALUES) continue;
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
      values[name.slice(0, LONGEST_NAME)] = value;
    else if (typeof value === 'string') values[name.slice(0, LONGEST_NAME)] = value.slice(0, LONGEST_VALUE);
  }
  return values;
}

/** Without the fields that are undefined. */
export function forwardedRecord(record: {
  readonly [F in keyof ForwardedRecord]: ForwardedRecord[F] | undefined;
}): ForwardedRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as ForwardedRecord;
}

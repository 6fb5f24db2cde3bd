import { hash } from 'node:crypto';
import { z } from 'zod';
import { keyOf, kindKeyOf } from '../../../../shared/ids.ts';
import { isStamp, millisecondsOf, MAX_AHEAD } from '../../../../shared/merge/stamps.ts';
import type { Stamps } from '../../../../shared/records/index.ts';
import type { CollectionName } from '../../../store/types.ts';
import { hasKinds, recordSchemaOf } from './collections.ts';

/** The most characters of a record as JSON. */
export const LARGEST_RECORD = 1_000_000;

/** A record as it came from a linked station. */
export interface ReceivedRecord {
  readonly record: Record<string, unknown> & { readonly key: string; readonly id: number; readonly hlc: Stamps };
  readonly deleted: boolean;
}

/** Why a record is not taken in. */
export interface RecordFault {
  /** Of a record without a readable key `?` and a hash. */
  readonly key: string;
  readonly reason: string;
}

/** Whether a record may be taken in; `text` is its JSON. */
export function checkRecord(
  collection: CollectionName,
  text: string,
  deleted: boolean,
  now: number,
): ReceivedRecord | RecordFault {
  if (text.length > LARGEST_RECORD)
    return {
      key: /"key":"([^"]{1,60})"/.exec(text)?.[1] ?? withoutKey(text),
      reason: `It has ${text.length} characters; at most ${LARGEST_RECORD} are taken.`,
    };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { key: withoutKey(text), reason: 'It cannot be read as JSON.' };
  }
  if (typeof parsed !== 'object' || parsed === null || typeof (parsed as { key?: unknown }).key !== 'string')
    return { key: withoutKey(text), reason: 'It has no key.' };
  const record = parsed as ReceivedRecord['record'];
  const key = record.key.slice(0, 60);
  const schema = recordSchemaOf(collection, record);
  if (!schema) return { key, reason: `This program does not know the kind “${String(record['kind']).slice(0, 40)}”.` };
  const checked = schema.safeParse(record);
  if (!checked.success) return { key, reason: wordsOf(checked.error) };
  const expected = hasKinds(collection) ? kindKeyOf(String(record['kind']), record.id) : keyOf(record.id);
  if (key !== expected) return { key, reason: `Its key is not that of its id ${record.id}.` };
  return stampFault(key, record.hlc, now) ?? { record, deleted };
}

function withoutKey(text: string): string {
  return `?${hash('sha256', text, 'hex').slice(0, 16)}`;
}

function stampFault(key: string, { base, fields }: Stamps, now: number): RecordFault | undefined {
  for (const stamps of [base, ...Object.values(fields)]) {
    for (const stamp of stamps === '' ? [] : stamps.split(',')) {
      if (!isStamp(stamp)) return { key, reason: `“${String(stamp).slice(0, 60)}” is not a stamp.` };
      const ahead = millisecondsOf(stamp) - now;
      if (ahead > MAX_AHEAD)
        return {
          key,
          reason: `It was written at ${new Date(millisecondsOf(stamp)).toISOString()}, which is ahead of the clock of this station.`,
        };
    }
  }
  return undefined;
}

function wordsOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'record'}: ${message}`)
    .join('; ');
}

export function isFault(checked: ReceivedRecord | RecordFault): checked is RecordFault {
  return 'reason' in checked;
}

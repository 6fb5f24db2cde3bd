import { z } from 'zod';
import { parsedJson } from '../../../platform/parsing/parsed-json.ts';

/** Content of one packet at a gateway: records of a vehicle, or bytes that could not be read. */
export type PositionEntry =
  | {
      readonly kind: 'records';
      readonly source: string;
      readonly sender: string;
      readonly records: readonly Record<string, unknown>[];
    }
  | {
      readonly kind: 'faults';
      readonly source: string;
      readonly sender: string;
      readonly device: string;
      readonly faults: readonly { readonly reason: string; readonly raw: Uint8Array }[];
    };

const Common = { source: z.string().max(40), sender: z.string().max(100) };
const Entry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('records'), ...Common, records: z.array(z.record(z.string(), z.unknown())).max(10_000) }),
  z.object({
    kind: z.literal('faults'),
    ...Common,
    device: z.string().max(200),
    faults: z.array(z.object({ reason: z.string(), raw: z.base64() })).max(10_000),
  }),
]);

export function packPositions(entry: PositionEntry): string {
  if (entry.kind === 'records') return JSON.stringify(entry);
  const faults = entry.faults.map(({ reason, raw }) => ({ reason, raw: Buffer.from(raw).toString('base64') }));
  return JSON.stringify({ ...entry, faults });
}

/** undefined: it is no such entry. */
export function unpackPositions(bytes: Uint8Array): PositionEntry | undefined {
  const { data } = Entry.safeParse(parsedJson(Buffer.from(bytes).toString('utf8')));
  if (!data) return undefined;
  if (data.kind === 'faults')
    return { ...data, faults: data.faults.map(({ reason, raw }) => ({ reason, raw: Buffer.from(raw, 'base64') })) };
  return { ...data, records: data.records.map(withoutPosition) };
}

/** A record without a position has NaN, which JSON writes as null. */
function withoutPosition(record: Record<string, unknown>): Record<string, unknown> {
  return record['lat'] === null && record['lon'] === null ? { ...record, lat: NaN, lon: NaN } : record;
}

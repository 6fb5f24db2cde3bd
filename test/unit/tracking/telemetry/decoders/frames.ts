import type { Decoder, DeviceRecord, Item } from '../../../../../server/tracking/telemetry/decoders/decoder.ts';

export const NOW = Date.UTC(2026, 10, 20, 12);

/** What a connection says that sends these bytes. */
export function hear(decoder: Decoder, ...chunks: (string | Uint8Array)[]): Item[] {
  const conversation = decoder.converse(() => NOW);
  return chunks.flatMap((chunk) => conversation.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
}

export const text = (bytes: Uint8Array | undefined) =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString('latin1');

export function records(items: readonly Item[]): DeviceRecord[] {
  return items.flatMap((item) => (item.kind === 'records' ? item.records : []));
}

export function faults(items: readonly Item[]): string[] {
  return items.flatMap((item) =>
    item.kind === 'records'
      ? item.faults.map(({ reason }) => reason)
      : item.kind === 'fault'
        ? [item.fault.reason]
        : [],
  );
}

/** What a device hears when every record is stored, or only so many. */
export function answers(items: readonly Item[], stored?: number): (string | undefined)[] {
  return items.map((item) =>
    text(
      item.kind === 'records'
        ? item.answer(stored ?? item.records.length, item.faults.length)
        : item.kind === 'login'
          ? item.answer('accepted')
          : item.kind === 'message'
            ? item.answer(true)
            : item.kind === 'answer'
              ? undefined
              : item.answer(),
    ),
  );
}

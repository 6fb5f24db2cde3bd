import {
  forwardedFields,
  readMeshtastic,
  readOwnTracks,
  readTraccar,
  readTraccarReport,
  type ForwardedRecord,
  type TraccarReport,
} from '../forwarded/index.ts';

/** An MQTT publication: a position, something else that such programs send, or bytes that cannot be read. */
export type Publication =
  | { readonly kind: 'position'; readonly record: ForwardedRecord; readonly traccar?: TraccarReport | undefined }
  | { readonly kind: 'other'; readonly traccar?: TraccarReport | undefined }
  | { readonly kind: 'unreadable'; readonly device: string; readonly reason: string };

const LONGEST = 64 * 1024;

/** Reads a publication of OwnTracks, of Traccar's forwarding, or of a Meshtastic gateway. The content tells which. */
export function readPublication(topic: string, payload: Uint8Array): Publication {
  const device = topic.split('/').at(-1)!.slice(0, 100);
  if (payload.length === 0) return { kind: 'other' }; // a retained publication was cleared
  if (payload.length > LONGEST) return { kind: 'unreadable', device, reason: 'a publication of more than 64 KB' };
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(payload).toString('utf8'));
  } catch {
    return { kind: 'unreadable', device, reason: 'the publication is not JSON' };
  }
  const fields = forwardedFields(body);
  if (fields['_type'] === 'encrypted')
    return { kind: 'unreadable', device, reason: 'the publication is encrypted, and the station has no key' };
  const known =
    '_type' in fields
      ? readOwnTracks(body, topic.split('/')[2])
      : 'device' in fields
        ? readTraccar(body)
        : 'from' in fields && 'type' in fields
          ? readMeshtastic(body)
          : 'unknown';
  if (known === 'unknown') return { kind: 'unreadable', device, reason: 'the publication is of no known program' };
  const isTraccar = !('_type' in fields) && 'device' in fields;
  const traccar = isTraccar ? readTraccarReport(body) : undefined;
  return known ? { kind: 'position', record: known, traccar } : { kind: 'other', traccar };
}

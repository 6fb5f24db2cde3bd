import { z } from 'zod';
import { Refusal } from '../../../../../shared/refusal.ts';

/** Bytes of a complete message with all its parts. */
export const LARGEST_MESSAGE = 4 * 1024 * 1024;
/** Messages with more bytes travel in parts. */
export const LARGEST_PART = 64 * 1024;

const id = z.int().min(0);
const kind = z.string().min(1).max(60);

/** Frames between two linked stations. README, *Frames*. */
const Frame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('request'), id, kind, body: z.unknown(), urgent: z.boolean().optional() }),
  z.object({ type: z.literal('cancel'), id }),
  z.object({ type: z.literal('answer'), id, body: z.unknown() }),
  z.object({ type: z.literal('failure'), id, message: z.string().max(2000), refusal: z.unknown().optional() }),
  z.object({ type: z.literal('notice'), kind, body: z.unknown() }),
  /** A part of a message that is too long for one frame. `text`: the whole is JSON without bytes. */
  z.object({ type: z.literal('part'), id, last: z.boolean(), text: z.boolean() }),
  /** So many bytes of parts have arrived. */
  z.object({ type: z.literal('received'), bytes: z.int().min(1) }),
]);
export type Frame = z.output<typeof Frame>;

/** A frame as it travels: JSON, or a header of JSON with bytes behind it. */
export interface EncodedFrame {
  readonly data: Buffer;
  readonly text: boolean;
}

/** `urgent` frames go at once, `file`s after everything else and uncompressed. */
export type Priority = 'urgent' | 'normal' | 'file';

/** With bytes: the length of the JSON in 4 bytes (big endian), the JSON, the bytes. */
export function encodeFrame(frame: Frame, bytes?: Uint8Array): EncodedFrame {
  const json = Buffer.from(JSON.stringify(frame));
  if (!bytes) return { data: json, text: true };
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return { data: Buffer.concat([length, json, bytes]), text: false };
}

/** Throws a Refusal when the data is no frame. */
export function decodeFrame(data: Buffer, text: boolean): { frame: Frame; bytes: Buffer | undefined } {
  if (text) return { frame: parseHeader(data), bytes: undefined };
  const length = data.length < 4 ? Infinity : data.readUInt32BE();
  if (4 + length > data.length) throw new Refusal('sync.frameIncomplete');
  return { frame: parseHeader(data.subarray(4, 4 + length)), bytes: data.subarray(4 + length) };
}

function parseHeader(json: Buffer): Frame {
  let value: unknown;
  try {
    value = JSON.parse(json.toString());
  } catch {
    throw new Refusal('sync.frameNotJson');
  }
  const { data, error } = Frame.safeParse(value);
  if (error) throw new Refusal('sync.frameForm');
  return data;
}

import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { MsgHdrs } from '@nats-io/transport-node';
import { headers } from '@nats-io/transport-node';

/** The last state of a record, as an entry of the stream holds it. */
export interface RecordEntry {
  readonly key: string;
  /** JSON. */
  readonly text: string;
  readonly isDeleted: boolean;
  /** Of the entry in the stream. */
  readonly sequence: number;
}

/** Bytes from which an entry is compressed. */
const COMPRESSED_FROM = 4_096;
/** The most bytes of an entry after inflating: a million characters, each of at most three bytes. */
const LARGEST = 3_000_000;

const DELETED = 'Waypost-Deleted';
const COMPRESSED = 'Waypost-Compressed';
/** Which run of a program published it. */
const RUN = 'Waypost-Run';

const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);

export interface PackedEntry {
  readonly headers: MsgHdrs;
  readonly bytes: Uint8Array;
}

export async function packEntry(text: string, isDeleted: boolean, run: string): Promise<PackedEntry> {
  const plain = Buffer.from(text);
  const packed = headers();
  packed.set(RUN, run);
  if (isDeleted) packed.set(DELETED, '1');
  if (plain.length < COMPRESSED_FROM) return { headers: packed, bytes: plain };
  packed.set(COMPRESSED, 'deflate-raw');
  return { headers: packed, bytes: await pack(plain) };
}

interface StoredEntry {
  readonly seq: number;
  readonly headers?: MsgHdrs | undefined;
  readonly data: Uint8Array;
}

/** Bytes that cannot be inflated give an entry whose text is not JSON: it is refused like every such record. */
export async function unpackEntry(key: string, { seq, headers: packed, data }: StoredEntry): Promise<RecordEntry> {
  const bytes = packed?.has(COMPRESSED)
    ? await unpack(data, { maxOutputLength: LARGEST }).catch(() => Buffer.alloc(0))
    : data;
  return {
    key,
    text: Buffer.from(bytes).toString('utf8'),
    isDeleted: packed?.get(DELETED) === '1',
    sequence: seq,
  };
}

export function isOfRun(packed: MsgHdrs | undefined, run: string): boolean {
  return packed?.get(RUN) === run;
}

import { crc32 } from 'node:zlib';
import type { Roads } from '../../territory/roads/reading.ts';
import type { RoadPoint } from './snapper.ts';

const BYTES = 24;

/** Encodes a road point as an opaque, URL-safe token with a checksum; valid only for the same roads. */
export function encodeHint(place: RoadPoint, roads: Roads): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt32LE(place.segment, 0);
  bytes.writeUInt32LE(place.piece, 4);
  bytes.writeFloatLE(place.ratio, 8);
  bytes.writeInt32LE(place.lat, 12);
  bytes.writeInt32LE(place.lon, 16);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, BYTES - 4), roads.checksum), BYTES - 4);
  return bytes.toString('base64url');
}

/** Decodes a hint; undefined unless it is valid for these roads. */
export function decodeHint(hint: string, roads: Roads): RoadPoint | undefined {
  if (hint.length !== (BYTES / 3) * 4 || !/^[\w-]+$/.test(hint)) return undefined;
  const bytes = Buffer.from(hint, 'base64url');
  if (bytes.length !== BYTES || bytes.readUInt32LE(BYTES - 4) !== crc32(bytes.subarray(0, BYTES - 4), roads.checksum))
    return undefined;
  const segment = bytes.readUInt32LE(0);
  const piece = bytes.readUInt32LE(4);
  const ratio = bytes.readFloatLE(8);
  const { segmentFirst } = roads.columns;
  if (
    segment >= roads.segments ||
    piece < segmentFirst[segment]! ||
    piece + 1 >= segmentFirst[segment + 1]! ||
    !(ratio >= 0 && ratio <= 1)
  )
    return undefined;
  const lat = bytes.readInt32LE(12);
  const lon = bytes.readInt32LE(16);
  if (Math.abs(lat) > 90e6 || Math.abs(lon) > 180e6) return undefined;
  return { segment, piece, ratio, lat, lon, distance: 0 };
}

/** The properties of a file of pictures, as it states them. */
export interface ArchiveInfo {
  readonly format: 'mbtiles' | 'pmtiles';
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Degrees: west, south, east, north. */
  readonly bounds: readonly [number, number, number, number];
  /** Empty: the file has none. */
  readonly name: string;
  readonly attribution: string;
}

/** A file of pictures that is read by ranges. Synchronous: for threads. */
export interface RasterArchive {
  readonly info: ArchiveInfo;
  /** Undefined where the file has none; rows count from the north. */
  tile(z: number, x: number, y: number): Uint8Array | undefined;
  close(): void;
}

/** Beyond these zooms the console draws nothing. */
export const GREATEST_ZOOM = 22;
/** Bytes of one picture; larger ones are left out. */
export const LARGEST_TILE = 4 * 1024 * 1024;

/** The content type of a picture that consoles show; undefined: not such a picture. */
export function pictureType(bytes: Uint8Array): 'image/png' | 'image/jpeg' | 'image/webp' | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12));
  if (head.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg';
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

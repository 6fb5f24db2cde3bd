import { fileTypeFromBuffer } from 'file-type';

/** The real kind of a file, by its bytes and never by its name. */
export interface FileKind {
  /** MIME type under which it may be served. */
  type: string;
  /** Extension without dot, lower case. */
  extension: string;
  family: 'photo' | 'video' | 'sound' | 'file';
}

/** Bytes from which the kind is recognized; archives with long headers (office documents) need the most. */
export const KIND_BYTES = 64 * 1024;

const PHOTOS = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/heic',
  'image/heif',
]);
/** Text that a browser would run if it were served under its own type. */
const ACTIVE_TEXT = /^\s*(?:<!doctype|<html|<svg|<\?xml|<script|<!--)/i;

/**
 * Recognizes the kind of a file by its first bytes. An unknown kind is plain text when it reads as text, else
 * bytes. SVG and HTML can hold scripts, so they are downloads and never photos.
 */
export async function kindOf(head: Uint8Array): Promise<FileKind> {
  const found = head.length === 0 ? undefined : await fileTypeFromBuffer(head).catch(() => undefined);
  if (found && found.mime !== 'application/xml') {
    const family = PHOTOS.has(found.mime)
      ? 'photo'
      : found.mime.startsWith('video/')
        ? 'video'
        : found.mime.startsWith('audio/')
          ? 'sound'
          : 'file';
    return { type: found.mime, extension: found.ext, family };
  }
  const text = readsAsText(head);
  if (text === undefined) return { type: 'application/octet-stream', extension: 'bin', family: 'file' };
  return ACTIVE_TEXT.test(text)
    ? { type: 'application/octet-stream', extension: 'bin', family: 'file' }
    : { type: 'text/plain; charset=utf-8', extension: 'txt', family: 'file' };
}

function readsAsText(head: Uint8Array): string | undefined {
  if (head.includes(0)) return undefined;
  try {
    // `stream`: the last character may be cut off by the end of the sample.
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return undefined;
  }
}

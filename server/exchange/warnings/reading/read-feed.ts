import { gunzipSync } from 'node:zlib';
import { readAlert } from './cap.ts';
import { readSituation } from './datex.ts';
import { broken, readElements, type XmlElement } from './elements.ts';
import { readEntry } from './entries.ts';
import { FeedContent, type ReadFeed, type ReadWarning } from './read-warning.ts';

const PUBLICATIONS = ['d2LogicalModel', 'payloadPublication', 'payload', 'situationPublication'];
/** Bytes of an unpacked document, and of a piece of it that is read at once. */
const LARGEST = 256_000_000;
const PIECE = 1_000_000;
const WANTED = new Set(['alert', 'situation', 'entry', 'item']);

/**
 * Reads a document with warnings; its elements tell the format: CAP, also in an envelope such as EDXL-DE; Atom or RSS;
 * DATEX II, also in SOAP. Refuses other documents.
 * @param bytes also packed with gzip, as some authorities publish their files
 * @param url of the document, which relative addresses in it refer to
 * @param isWanted which warnings are kept
 */
export function readFeed(
  bytes: Uint8Array,
  url: string,
  isWanted: (warning: ReadWarning) => boolean = () => true,
): ReadFeed {
  const content = new FeedContent(isWanted);
  let format: ReadFeed['format'] | undefined;
  const take: Record<string, { readonly format: ReadFeed['format']; read(element: XmlElement): void }> = {
    alert: { format: 'cap', read: (element) => readAlert(element, url, content) },
    situation: { format: 'datex', read: (element) => readSituation(element, content) },
    entry: { format: 'atom', read: (element) => readEntry(element, url, content) },
    item: { format: 'rss', read: (element) => readEntry(element, url, content) },
  };
  const root = readElements(textOf(unpacked(bytes)), WANTED, (element) => {
    const reader = take[element.name]!;
    // An alert may be inside an entry; the entry is then its envelope.
    if (format === 'cap') {
      if (element.name === 'alert') reader.read(element);
      return;
    }
    format ??= reader.format;
    if (format === reader.format) reader.read(element);
  });
  format ??= formatOfRoot(root);
  const { warnings, ended, links, ignored, elsewhere, problems } = content;
  return { format, warnings, ended, links, ignored, elsewhere, problems };
}

/** An empty feed has nothing in it that tells its format. */
function formatOfRoot(root: XmlElement): ReadFeed['format'] {
  if (root.name === 'feed') return 'atom';
  if (root.name === 'rss' || root.name === 'RDF') return 'rss';
  if (isPublication(root)) return 'datex';
  throw broken(`The document has neither alerts, entries nor situations: it is \`${root.name.slice(0, 60)}\`.`);
}

function isPublication({ name, children }: XmlElement): boolean {
  return PUBLICATIONS.includes(name) || children.some(isPublication);
}

function unpacked(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGEST });
  } catch (error) {
    throw broken(`It cannot be unpacked: ${(error as Error).message}`, error);
  }
}

/** The text of a document in its declared encoding, in pieces. */
function* textOf(bytes: Uint8Array): Generator<string> {
  const decoder = decoderOf(bytes);
  for (let at = 0; at < bytes.length; at += PIECE)
    yield decoder.decode(bytes.subarray(at, at + PIECE), { stream: true });
  yield decoder.decode();
}

function decoderOf(bytes: Uint8Array) {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isWide) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be');
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const label = /^\s*<\?xml[^>]*\sencoding=["']([\w.-]{1,40})["']/.exec(head.replace(/^ï»¿/, ''))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label);
  } catch (error) {
    throw broken(`The encoding ${label} is not known.`, error);
  }
}

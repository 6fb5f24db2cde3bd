import { readFile, stat } from 'node:fs/promises';
import { Refusal } from '../../../../shared/refusal.ts';
import { readCsv, decodedText } from './csv.ts';
import { readGeoJson } from './geojson.ts';
import { readGpx } from './gpx.ts';
import { readKml } from './kml.ts';
import { MOST_BYTES, type ReadRows, type SourceTable, type TableRow } from './table.ts';
import { Unzipped } from './unzip.ts';
import { isWorkbook, readXlsx } from './xlsx.ts';

/** Rows of a chunk, and characters after which it ends: the main thread parses it in a ms. */
const CHUNK_ROWS = 200;
const CHUNK_CHARACTERS = 64_000;
/** The beginning of a compound file, which is what Excel wrote before 2007. */
const OLD_EXCEL = 'd0cf11e0a1b11ae1';

/** Reads a file whose format its bytes tell. */
export async function readTable(path: string): Promise<SourceTable> {
  if ((await stat(path)).size > MOST_BYTES) throw new Refusal('imports.largeFile', { most: MOST_BYTES / 1_000_000 });
  const bytes = await readFile(path);
  const { format, heads, geometry, rows } = await readBytes(bytes);
  return { format, heads, geometry, rows: rows.length, ...chunksOf(rows) };
}

function chunksOf(rows: readonly TableRow[]): Pick<SourceTable, 'chunks' | 'firstRows'> {
  const encoder = new TextEncoder();
  const chunks: Uint8Array[] = [];
  const firstRows: number[] = [];
  let texts: string[] = [];
  let characters = 0;
  const finish = () => {
    if (texts.length > 0) chunks.push(encoder.encode(`[${texts.join(',')}]`));
    [texts, characters] = [[], 0];
  };
  for (const [index, row] of rows.entries()) {
    if (texts.length === 0) firstRows.push(index);
    const text = JSON.stringify(row);
    texts.push(text);
    characters += text.length;
    if (texts.length >= CHUNK_ROWS || characters >= CHUNK_CHARACTERS) finish();
  }
  finish();
  return { chunks, firstRows };
}

async function readBytes(bytes: Buffer): Promise<ReadRows> {
  if (bytes.toString('latin1', 0, 4) === 'PK\x03\x04') return readZip(bytes);
  if (bytes.toString('hex', 0, 8) === OLD_EXCEL) throw new Refusal('imports.oldExcel');
  const text = decodedText(bytes);
  const start = text
    .slice(0, 4_000)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start.startsWith('{')) return readGeoJson(text);
  if (!start.startsWith('<')) return readCsv(bytes);
  if (/<([a-z]+:)?gpx[\s>]/.test(start)) return readGpx(text);
  if (/<([a-z]+:)?kml[\s>]/.test(start)) return readKml([text]);
  throw new Refusal('imports.unknownFormat');
}

async function readZip(bytes: Buffer): Promise<ReadRows> {
  let zip: Unzipped;
  try {
    zip = await Unzipped.open(bytes);
    if (isWorkbook(zip)) return await readXlsx(zip);
    // The first document is the main one. Others, such as a layer each, are linked from it.
    const names = [...zip.names].filter((name) => name.toLowerCase().endsWith('.kml'));
    if (names.length === 0) throw new Refusal('imports.unknownFormat');
    const documents: string[] = [];
    for (const name of names) {
      let text = '';
      await zip.read(name, (piece) => (text += piece));
      documents.push(text);
    }
    return readKml(documents);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('imports.brokenFile', { problem: (error as Error).message.slice(0, 200) }, { cause: error });
  }
}

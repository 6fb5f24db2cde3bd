import type { PlaceTable } from './place-table.ts';

/**
 * Reads a list of places in a format detected from its bytes: XLSX is a zip file, KML and GPX are XML,
 * GeoJSON begins with a brace. Everything else is read as CSV. Throws its faults.
 */
export async function readPlaceFile(bytes: ArrayBuffer, language: string): Promise<PlaceTable> {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0x50 && second === 0x4b) return (await import('./read-xlsx.ts')).readXlsxPlaces(bytes);
  const text = textOf(bytes, language);
  const start = text.trimStart().replace(/^\uFEFF/, '')[0];
  if (start === '<') return (await import('./read-xml.ts')).readXmlPlaces(text.replace(/^\uFEFF/, ''));
  if (start === '{') return (await import('./read-geojson.ts')).readGeoJsonPlaces(text.replace(/^\uFEFF/, ''));
  return (await import('./read-csv.ts')).readCsvPlaces(text);
}

/** Bytes that are not UTF-8 came from an older office program, in the code page of the language. */
function textOf(bytes: ArrayBuffer, language: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(language === 'ru' ? 'windows-1251' : 'windows-1252').decode(bytes);
  }
}

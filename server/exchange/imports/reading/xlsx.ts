import { posix } from 'node:path';
import { Refusal } from '../../../../shared/refusal.ts';
import { RowsBuilder } from './rows-builder.ts';
import { MOST_CELLS, type ReadRows } from './table.ts';
import type { Unzipped } from './unzip.ts';
import { withHeads } from './with-heads.ts';
import { SheetReader } from './xlsx-sheet.ts';
import { attributeOf, XmlReader, type XmlListener } from '../../../platform/parsing/xml-reader.ts';
import { brokenXml } from './broken-xml.ts';

const WORKBOOK = 'xl/workbook.xml';
/** Of all texts that cells share. */
const MOST_CHARACTERS = 100_000_000;
/** Built-in number formats that are dates or times (ECMA-376, 18.8.30). */
const DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57]);

/** The first visible sheet of a workbook (Office Open XML, ECMA-376). */
export async function readXlsx(zip: Unzipped): Promise<ReadRows> {
  const { sheetId, startsIn1904 } = await readWorkbook(zip);
  const targets = await readRelations(zip, 'xl/_rels/workbook.xml.rels');
  const target = targets.find(({ id }) => id === sheetId)?.target;
  if (target === undefined) throw new Refusal('imports.brokenFile', { problem: 'The workbook has no sheet.' });
  const partOf = (type: string) => targets.find((each) => each.type.endsWith(`/${type}`))?.target;
  const [strings, styles] = [partOf('sharedStrings'), partOf('styles')];
  const builder = new RowsBuilder();
  await readPart(
    zip,
    target,
    new SheetReader({
      strings: strings !== undefined && zip.has(strings) ? await readStrings(zip, strings) : [],
      dateStyles: styles !== undefined && zip.has(styles) ? await readDateStyles(zip, styles) : new Set(),
      startsIn1904,
      row: (line, cells) => builder.add(line, cells),
    }),
  );
  return withHeads('xlsx', builder.rows);
}

export function isWorkbook(zip: Unzipped): boolean {
  return zip.has(WORKBOOK);
}

async function readPart(zip: Unzipped, name: string, listener: XmlListener): Promise<void> {
  const reader = new XmlReader(listener, brokenXml);
  await zip.read(name, reader.write);
  reader.end();
}

async function readWorkbook(zip: Unzipped): Promise<{ sheetId: string | undefined; startsIn1904: boolean }> {
  let sheetId: string | undefined;
  let startsIn1904 = false;
  await readPart(zip, WORKBOOK, {
    open(name, attributes) {
      if (name === 'sheet' && (attributes['state'] ?? 'visible') === 'visible')
        sheetId ??= Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      if (name === 'workbookPr') startsIn1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
    },
    text: ignore,
    close: ignore,
  });
  return { sheetId, startsIn1904 };
}

async function readRelations(zip: Unzipped, name: string) {
  const relations: { id: string; type: string; target: string }[] = [];
  await readPart(zip, name, {
    open(element, { Id: id = '', Type: type = '', Target: target = '' }) {
      if (element !== 'Relationship') return;
      relations.push({ id, type, target: target.startsWith('/') ? target.slice(1) : posix.join('xl', target) });
    },
    text: ignore,
    close: ignore,
  });
  return relations;
}

/** Texts that cells share. Phonetic readings are left out. */
async function readStrings(zip: Unzipped, name: string): Promise<string[]> {
  const strings: string[] = [];
  let current = '';
  let isText = false;
  let isPhonetic = false;
  let characters = 0;
  await readPart(zip, name, {
    open(element) {
      if (element === 'si') current = '';
      else if (element === 'rPh') isPhonetic = true;
      else if (element === 't') isText = !isPhonetic;
    },
    text(text) {
      if (isText) current += text;
    },
    close(element) {
      if (element === 't') isText = false;
      else if (element === 'rPh') isPhonetic = false;
      else if (element === 'si') {
        strings.push(current);
        characters += current.length;
        if (strings.length > MOST_CELLS || characters > MOST_CHARACTERS) throw new Refusal('imports.unpacksTooLarge');
      }
    },
  });
  return strings;
}

/** Indexes of the cell styles that show a number as a date or time. */
async function readDateStyles(zip: Unzipped, name: string): Promise<Set<number>> {
  const formats = new Set(DATE_FORMATS);
  const styles = new Set<number>();
  let isCellFormats = false;
  let index = 0;
  await readPart(zip, name, {
    open(element, attributes) {
      const id = Number(attributeOf(attributes, 'numFmtId'));
      if (element === 'numFmt' && isDateFormat(attributes['formatCode'] ?? '')) formats.add(id);
      else if (element === 'cellXfs') isCellFormats = true;
      else if (element === 'xf' && isCellFormats) {
        if (formats.has(id)) styles.add(index);
        index++;
      }
    },
    text: ignore,
    close(element) {
      if (element === 'cellXfs') isCellFormats = false;
    },
  });
  return styles;
}

/** Whether a format has a year, a day, an hour or a second outside of quoted text and conditions. */
function isDateFormat(code: string): boolean {
  const plain = code.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  return /[ydhs]/i.test(plain) && !/general/i.test(plain);
}

const ignore = (): void => undefined;

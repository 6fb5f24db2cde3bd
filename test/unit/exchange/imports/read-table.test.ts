import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { readTable } from '../../../../server/exchange/imports/reading/read-table.ts';
import { Chance } from '../../../support/chance.ts';

const directory = mkdtempSync(join(tmpdir(), 'waypost-read-table-'));
afterAll(() => rmSync(directory, { recursive: true }));

async function read(content: string | Uint8Array) {
  const path = join(directory, 'file');
  writeFileSync(path, content);
  const { format, heads, chunks } = await readTable(path);
  const rows = chunks.flatMap((chunk) => JSON.parse(Buffer.from(chunk).toString()) as unknown[]);
  return { format, heads, rows };
}

async function zipped(parts: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

/** The zip with another size of its first file in the central directory. */
function declaring(zip: Buffer, size: number): Buffer {
  const changed = Buffer.from(zip);
  changed.writeUInt32LE(size, changed.indexOf('PK\x01\x02', 0, 'latin1') + 24);
  return changed;
}

const HEAD = '<?xml version="1.0"?>';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook as other programs write it: shared texts, styles, a hidden sheet, a prefix. */
function workbook(sheet: string, { strings = '', book = '' } = {}): Promise<Buffer> {
  return zipped({
    'xl/workbook.xml': `${HEAD}<x:workbook xmlns:x="m" xmlns:r="${OFFICE}">${book}<x:sheets><x:sheet name="H" state="hidden" r:id="r9"/><x:sheet name="S" r:id="r1"/></x:sheets></x:workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships><Relationship Id="r1" Type="${OFFICE}/worksheet" Target="/xl/worksheets/sheet1.xml"/><Relationship Id="r2" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="r3" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `${HEAD}<sst ${MAIN}>${strings}</sst>`,
    'xl/styles.xml': `${HEAD}<styleSheet ${MAIN}><numFmts><numFmt numFmtId="164" formatCode="[$-419]d mmmm&quot; of &quot;yyyy"/><numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `${HEAD}<worksheet ${MAIN}><sheetData>${sheet}</sheetData></worksheet>`,
  });
}

test('a workbook of another program: shared and rich texts, dates by their format, errors, gaps, no references', async () => {
  const strings =
    '<si><t>Name</t></si><si><r><t>Be</t></r><r><t xml:space="preserve">rt </t></r><rPh><t>ignored</t></rPh></si>';
  const sheet = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>When</t></is></c></row>
    <row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" s="3"><v>2.5</v></c><c r="C3" s="1"><v>46357.75</v></c><c r="D3" s="2"><v>46357</v></c></row>
    <row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="str"><f>1+1</f><v>a_x000D_b</v></c></row>`;
  expect(await read(await workbook(sheet, { strings }))).toEqual({
    format: 'xlsx',
    heads: ['Name', '', 'When', ''],
    rows: [
      [3, ['Bert ', 2.5, '2026-12-01T18:00:00', '2026-12-01T00:00:00']],
      [4, [true, '#N/A', 'a\rb']],
    ],
  });
  const since1904 = await read(
    await workbook('<row r="1"><c t="str"><v>A</v></c></row><row r="2"><c s="1"><v>44895</v></c></row>', {
      book: '<x:workbookPr date1904="1"/>',
    }),
  );
  expect(since1904.rows).toEqual([[2, ['2026-12-01T00:00:00']]]);
});

test('CSV: quotes, delimiters, character sets, ragged rows', async () => {
  const rows = [
    [2, ['a"b', 'x;\ny']],
    [4, ['z']],
  ];
  const text = 'Имя;Б\n"a""b";"x;\ny"\nz\n';
  expect((await read(text)).rows).toEqual(
    [rows[0], [4, ['z']]].map(([line, cells], at) => [at === 0 ? 3 : line, cells]),
  );
  expect((await read(`\ufeff${text}`)).heads).toEqual(['Имя', 'Б']);
  expect((await read(Buffer.from(`\ufeff${text}`, 'utf16le'))).heads).toEqual(['Имя', 'Б']);
  const windows = Buffer.from([0xc8, 0xec, 0xff, 0x3b, 0xc1, 0x0a, 0xdf, 0x3b, 0x31, 0x0a]);
  expect(await read(windows)).toMatchObject({ heads: ['Имя', 'Б'], rows: [[2, ['Я', '1']]] });
});

test('rows come in chunks of 200, fewer where rows are long, and each chunk tells its first row', async () => {
  const chunksOf = async (rows: number, text: string) => {
    const path = join(directory, 'chunks.csv');
    writeFileSync(path, `A,B\n${`1,${text}\n`.repeat(rows)}`);
    const { chunks, firstRows } = await readTable(path);
    const counts = chunks.map((chunk) => (JSON.parse(Buffer.from(chunk).toString()) as unknown[]).length);
    return { counts, firstRows: [...firstRows] };
  };
  expect(await chunksOf(200, 'x')).toEqual({ counts: [200], firstRows: [0] });
  expect(await chunksOf(401, 'x')).toEqual({ counts: [200, 200, 1], firstRows: [0, 200, 400] });
  expect(await chunksOf(5, 'x'.repeat(30_000))).toEqual({ counts: [3, 2], firstRows: [0, 3] });
});

test('KMZ, a placemark of several shapes, a track of two segments', async () => {
  const placemark = `<Placemark><name>P</name><MultiGeometry><Point><coordinates>1,2</coordinates></Point><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon></MultiGeometry></Placemark>`;
  const kml = await read(await zipped({ 'doc.kml': `<kml>${placemark}</kml>` }));
  expect(kml.rows).toMatchObject([
    [1, [{ type: 'Point', coordinates: [1, 2] }, 'P']],
    [2, [{ type: 'Polygon' }, 'P (2)']],
  ]);
  const segment = '<trkseg><trkpt lat="1" lon="2"/><trkpt lat="1.5" lon="2.5"/></trkseg>';
  const gpx = await read(
    `<gpx><trk><name>T</name>${segment}${segment}</trk><wpt lat="3" lon="4"><name>W</name></wpt></gpx>`,
  );
  expect(gpx.rows).toMatchObject([
    [1, [{ type: 'LineString' }, 'T']],
    [2, [{ type: 'LineString' }, 'T (2)']],
    [3, [{ type: 'Point', coordinates: [4, 3] }, 'W']],
  ]);
});

test('a zip bomb, declared entities, endless columns and deep elements are refused', async () => {
  const spaces = await zipped({ 'doc.kml': `<kml>${' '.repeat(1_000_000)}</kml>` });
  await expect(read(declaring(spaces, 500_000_000))).rejects.toMatchObject({ code: 'imports.unpacksTooLarge' });
  await expect(read(declaring(spaces, 1_000))).rejects.toMatchObject({ code: 'imports.brokenFile' });
  const laughs =
    '<!DOCTYPE kml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><kml><Placemark><name>&b;</name></Placemark></kml>';
  await expect(read(laughs)).rejects.toMatchObject({ code: 'imports.brokenFile' });
  const far = '<row r="1"><c r="A1" t="str"><v>A</v></c></row><row r="2"><c r="XFD2" t="str"><v>B</v></c></row>';
  await expect(read(await workbook(far))).rejects.toMatchObject({ code: 'imports.manyColumns' });
  await expect(read(`<kml>${'<a>'.repeat(200)}`)).rejects.toMatchObject({ code: 'imports.brokenFile' });
  const old = Buffer.from('d0cf11e0a1b11ae1', 'hex');
  await expect(read(old)).rejects.toMatchObject({ code: 'imports.oldExcel' });
});

test('3,000 damaged files are read or refused in words, never with another error', async () => {
  const { seed, next } = new Chance();
  const sheet = '<row r="1"><c t="str"><v>A</v></c></row><row r="2"><c t="str"><v>B</v></c></row>';
  const sound = [
    await workbook(sheet),
    Buffer.from('Name,Plate\n"x",1\n'),
    Buffer.from('{"type":"Feature","properties":{"a":[1]},"geometry":{"type":"Point","coordinates":[1,2]}}'),
    Buffer.from('<kml><Placemark><name>x</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>'),
  ];
  for (let turn = 0; turn < 3_000; turn++) {
    const bytes = Buffer.from(sound[Math.floor(next() * sound.length)]!);
    for (let damage = 0; damage < 3; damage++) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
    const cut = next() < 0.3 ? bytes.subarray(0, Math.floor(next() * bytes.length)) : bytes;
    const name = await read(cut).then(
      () => 'Refusal',
      (error: unknown) => (error as Error).name,
    );
    expect(name, `seed ${seed}, turn ${turn}`).toBe('Refusal');
  }
});

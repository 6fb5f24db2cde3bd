import { execFile } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** What LibreOffice makes of every workbook that a station writes. */
const NOON = Date.UTC(2026, 6, 1, 12, 30, 15);
const office = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'soffice'))
  .find((file) => {
    try {
      return accessSync(file, constants.X_OK) ?? true;
    } catch {
      return false;
    }
  });
const folder = mkdtempSync(join(tmpdir(), 'waypost-office-'));
let station: TryStation;
let admin: string;
let paths: string[];
const fileOf = (path: string, language: string) => `${path.slice(1, -'.xlsx'.length).replaceAll('/', '-')}-${language}`;

beforeAll(async () => {
  if (!office) return;
  station = await tryStation();
  admin = await station.signIn();
  const ask = async (path: string, body: object) => (await station.ask('POST', path, { as: admin, body })).json();
  await ask('/drivers', { fio: '=HYPERLINK("http://x";"y")', phone: '+7 900', wire: 'K1' });
  const { id } = await ask('/cars', {
    name: 'Кран 1',
    glonassId: 77,
    carNo: '-5+2',
    devimei: '869000000007001',
    onService: true,
  });
  await ask(
    '/telemetry',
    Array.from({ length: 60 }, (_, index) => ({
      glonassId: 77,
      time: NOON + index * 10_000,
      lat: 55.5 + index / 1_000,
      lon: 37.25,
      speed: 42.34,
    })),
  );
  const values = {
    title: '@SUM(A1:A9) течь в подвале',
    text: 'x',
    news_type_id: 1,
    assigned_car_id: id,
    assigned_status: 2,
  };
  await station.ask('POST', '/news/', { as: admin, body: { action: 'put', values } });
  const description = await (await station.ask('GET', '/openapi.json', { as: admin })).json();
  paths = Object.keys(description.paths).filter((path) => path.endsWith('.xlsx'));
  mkdirSync(join(folder, 'made'));
  for (const path of paths) {
    for (const language of ['en', 'ru']) {
      const period = path.startsWith('/reports/') ? `&from=${NOON - 3_600_000}&till=${NOON + 3_600_000}` : '';
      const answer = await fetch(`${station.station.address}${path}?lang=${language}&tz=Europe/Berlin${period}`, {
        headers: { authorization: `Bearer ${admin}` },
      });
      expect([path, answer.status]).toEqual([path, 200]);
      writeFileSync(join(folder, 'made', `${fileOf(path, language)}.xlsx`), Buffer.from(await answer.arrayBuffer()));
    }
  }
  const made = paths.flatMap((path) =>
    ['en', 'ru'].map((language) => join(folder, 'made', `${fileOf(path, language)}.xlsx`)),
  );
  for (const form of ['fods', 'pdf']) {
    await promisify(execFile)(office, [
      `-env:UserInstallation=file://${folder}/profile`,
      '--headless',
      '--convert-to',
      form,
      '--outdir',
      folder,
      ...made,
    ]);
  }
});
afterAll(async () => {
  await station?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The cells of a flat OpenDocument sheet, as LibreOffice understood them: kind, and what is shown. */
function cellsOf(path: string, language: string): { kind: string | undefined; formula: boolean; text: string }[][] {
  const xml = readFileSync(join(folder, `${fileOf(path, language)}.fods`), 'utf8');
  const table = /<table:table table:name.*?<\/table:table>/s.exec(xml)![0];
  return [...table.matchAll(/<table:table-row.*?<\/table:table-row>/gs)].map(([row]) =>
    [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
      ([, attributes = '', inside = '']) => {
        const formula = /table:formula="([^"]*)"/.exec(attributes)?.[1];
        const flag = formula === 'of:=TRUE()' || formula === 'of:=FALSE()'; // so LibreOffice keeps flags
        const kind = flag ? 'flag' : /office:value-type="(\w+)"/.exec(attributes)?.[1];
        const text = inside
          .replace(/<[^>]*>/g, '')
          .replaceAll('&quot;', '"')
          .replaceAll('&apos;', "'")
          .trim();
        const times = Math.min(100, Number(/number-columns-repeated="(\d+)"/.exec(attributes)?.[1] ?? 1));
        return Array.from({ length: times }, () => ({ kind, formula: formula !== undefined && !flag, text }));
      },
    ),
  );
}

test('every workbook opens, in both languages, without one formula; its table heads are in that language', ({
  skip,
}) => {
  if (!office) return skip('skipped: no LibreOffice (soffice) is found on this machine');
  expect(paths.length).toBeGreaterThanOrEqual(10);
  for (const path of paths) {
    for (const language of ['en', 'ru']) {
      const rows = cellsOf(path, language);
      expect([path, language, rows.flat().filter(({ formula }) => formula)]).toEqual([path, language, []]);
      expect([
        path,
        /[а-я]/.test(
          rows
            .flat()
            .map(({ text }) => text)
            .slice(0, 12)
            .join(' '),
        ),
      ]).toEqual([path, language === 'ru']);
    }
  }
});

test('dates, numbers and flags are typed cells, and a text that looks like a formula stays a text', ({ skip }) => {
  if (!office) return skip('skipped: no LibreOffice (soffice) is found on this machine');
  const [head, crane] = cellsOf('/cars.xlsx', 'ru');
  const at = (name: string) => crane![head!.findIndex(({ text }) => text.startsWith(name))]!;
  expect(
    ['Название', 'Гос. номер', 'Номер блока', 'IMEI', 'На обслуживании', 'Последняя запись', 'Скорость'].map(
      (name) => at(name).kind,
    ),
  ).toEqual(['string', 'string', 'float', 'string', 'flag', 'date', 'float']);
  expect([at('Название').text, at('На обслуживании').text]).toEqual(['Кран 1', 'да']);
  expect(at('Гос. номер').text).toBe("'-5+2");
  expect(at('Последняя запись').text).toBe('01.07.2026 14:40:05'); // summer time of the zone that was asked for
  expect(
    cellsOf('/drivers.xlsx', 'en')
      .flat()
      .map(({ text }) => text),
  ).toContain(`'=HYPERLINK("http://x";"y")`);
  const mileage = cellsOf('/reports/mileage.xlsx', 'en');
  const [day] = mileage.filter((row) => row[0]?.text === 'Кран 1');
  expect(
    day!.slice(2, 5).map(({ kind, text }) => [kind, /^\d{4}-\d\d-\d\d$|^[\d.,]+$|^\d+:\d\d:\d\d$/.test(text)]),
  ).toEqual([
    ['date', true],
    ['float', true],
    ['time', true],
  ]);
});

test('on paper every table is as wide as its page, which lies', async ({ skip }) => {
  if (!office) return skip('skipped: no LibreOffice (soffice) is found on this machine');
  for (const path of paths) {
    const paper = await getDocument({ data: new Uint8Array(readFileSync(join(folder, `${fileOf(path, 'ru')}.pdf`))) })
      .promise;
    const { width, height } = (await paper.getPage(1)).getViewport({ scale: 1 });
    expect([path, paper.numPages, width > height]).toEqual([path, 1, true]);
  }
});

import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { buffer } from 'node:stream/consumers';
import { parentPort } from 'node:worker_threads';
import readXlsx from 'read-excel-file/node';
import { workbook, type SheetColumn } from '../../../server/reporting/reports/workbook.ts';
import { ZonedTime } from '../../../shared/zoned-time.ts';

/** In a thread of its own: what this leaves to be collected is not collected by the station's. */
const port = parentPort!;
port.on('message', async ({ kind, rows, file }: WorkbookOrder) => {
  writeFileSync(file, await workbookOf(LINES[kind], rows));
  const began = performance.now();
  await readXlsx(file);
  port.postMessage(performance.now() - began);
});

export interface WorkbookOrder {
  readonly kind: keyof typeof LINES;
  readonly rows: number;
  readonly file: string;
}

type Line = Readonly<Record<string, string | number>>;

const FAMILY_NAMES = ['Иванов', 'Петров', 'Щукин', 'Ильин', 'Weiß', 'Camilleri'];
/** By kind of record, with the heads as names. */
const LINES = {
  drivers: (row: number): Line => ({
    'ФИО': nameOf(row),
    'Телефон': `+7 900 ${row}`,
    'Ключ': `0100${row.toString(16).padStart(8, '0')}`,
    'Табельный номер': `T-${row}`,
    'Примечания': 'Из прежней системы; допуск к работе на высоте',
  }),
  vehicles: (row: number): Line => ({
    'Позывной': `Кран ${row}`,
    'Гос. номер': `А${row}ВС 77`,
    'Номер блока': row + 1,
    'IMEI': `35630704${String(row).padStart(7, '0')}`,
    'Телефон блока': `+7 901 ${row}`,
    'Водители': row % 100 === 50 ? 'Никто' : nameOf(row),
    'На обслуживании': row % 10 === 0 ? 'да' : 'нет',
    'Примечания': 'Стоянка во дворе депо',
  }),
  tasks: (row: number): Line => ({
    Title: `Авария на сети № ${row}`,
    Text: 'Позвонил житель, вода идёт из-под асфальта, движение по правой полосе затруднено.',
    Date: `2026-11-${String(1 + (row % 28)).padStart(2, '0')} ${String(row % 24).padStart(2, '0')}:15`,
    Address: `Садовая улица, ${row % 200}`,
    Latitude: 35.8 + (row % 1000) / 10_000,
    Longitude: 14.4 + (row % 777) / 10_000,
    Priority: row % 5,
  }),
};

function nameOf(row: number): string {
  return `${FAMILY_NAMES[row % FAMILY_NAMES.length]} Пётр № ${row}`;
}

async function workbookOf(line: (row: number) => Line, count: number): Promise<Buffer> {
  const columns = Object.keys(line(0)).map((header): SheetColumn<Line> => ({
    header,
    kind: typeof line(0)[header] === 'number' ? 'number' : 'text',
    value: (row) => row[header],
  }));
  const rows = Array.from({ length: count }, (_, row) => line(row));
  return buffer(workbook([{ name: 'List', columns, rows }] as never, { language: 'ru', zone: new ZonedTime('UTC') }));
}

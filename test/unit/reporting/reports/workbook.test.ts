import readXlsx from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { escapeFormula, workbook, type SheetColumn } from '../../../../server/reporting/reports/index.ts';
import { ZonedTime } from '../../../../shared/zoned-time.ts';
import { eventually } from '../../../support/eventually.ts';

interface Row {
  name: string;
  litres: number | null;
  on: boolean;
  at: number;
  seconds: number;
}

const COLUMNS: readonly SheetColumn<Row>[] = [
  { header: 'Название', kind: 'text', value: ({ name }) => name },
  { header: 'Litres', kind: 'number', value: ({ litres }) => litres },
  { header: 'On', kind: 'flag', value: ({ on }) => on },
  { header: 'At', kind: 'instant', value: ({ at }) => at },
  { header: 'Time', kind: 'span', value: ({ seconds }) => seconds },
];
const NOON = Date.UTC(2026, 6, 1, 12, 30, 15);
const row = (name: string): Row => ({ name, litres: 1.5, on: true, at: NOON, seconds: 90_000 });

async function bytesOf(rows: Iterable<Row>, zone = 'UTC', heading: string[] = []): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of workbook([{ name: 'Vehicles [1]', heading, columns: COLUMNS, rows } as never], {
    language: 'en',
    zone: new ZonedTime(zone),
  }))
    chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test('what is written is read back as what it is: texts, numbers, flags, dates, spans', async () => {
  const [sheet] = await readXlsx(
    await bytesOf([row('Кран № 1 <&"> \u0001 _x0041_ 🚒'), { ...row(''), litres: null, on: false }]),
    { trim: false },
  );
  expect(sheet!.sheet).toBe('Vehicles  1');
  const [header, first, second] = sheet!.data;
  expect(header).toEqual(['Название', 'Litres', 'On', 'At', 'Time']);
  // `_x0041_` would be an A, if it were not escaped as Excel does.
  expect(first!.slice(0, 4)).toEqual(['Кран № 1 <&">  _x0041_ 🚒', 1.5, true, new Date(NOON)]);
  expect(second!.slice(0, 3)).toEqual([null, null, false]);
});

test('dates are the wall clock of the zone, summer time included', async () => {
  const [berlin] = await readXlsx(await bytesOf([row('a')], 'Europe/Berlin'));
  expect(berlin!.data[1]![3]).toEqual(new Date(NOON + 2 * 3_600_000));
  const zone = new ZonedTime('Europe/Berlin');
  expect([zone.name(NOON), zone.name(Date.UTC(2026, 0, 1)), zone.text(NOON)]).toEqual([
    'UTC+02:00',
    'UTC+01:00',
    '01.07.2026 14:30:15',
  ]);
  // The night in which the clock goes back: 02:30 comes twice, and the day has 25 hours.
  const change = Date.UTC(2026, 9, 25, 12);
  expect(zone.dayOf(change)).toBe(Date.UTC(2026, 9, 24, 22));
  expect(zone.dayOf(Date.UTC(2026, 9, 26, 12)) - zone.dayOf(change)).toBe(25 * 3_600_000);
  expect(() => new ZonedTime('Moon/Base')).toThrow('no time zone Moon/Base');
});

test.each(['=1+1', '+7 900', '-5', '@SUM(A1)', '\tx', '\rx', '=HYPERLINK("http://x","y")'])(
  '%j is a text behind an apostrophe',
  async (text) => {
    expect(escapeFormula(text)).toBe(`'${text}`);
    const [sheet] = await readXlsx(await bytesOf([row(text)]), { trim: false });
    expect(sheet!.data[1]![0]).toBe(`'${text}`);
  },
);

test('lines above the table say what it is; thirty thousand rows let others have their turn', async () => {
  const [small] = await readXlsx(await bytesOf([row('a')], 'UTC', ['Mileage', 'UTC']));
  expect(small!.data.slice(0, 3).map(([first]) => first)).toEqual(['Mileage', 'UTC', 'Название']);
  let turns = 0;
  let going = true;
  const count = (): void => void (going && (turns++, setImmediate(count)));
  setImmediate(count);
  const bytes = await bytesOf(
    (function* () {
      for (let i = 0; i < 30_000; i++) yield row(`Van ${i}`);
    })(),
  );
  going = false;
  expect(turns).toBeGreaterThan(100); // 250 rows at most between two turns
  const [big] = await readXlsx(bytes);
  expect([big!.data.length, big!.data.at(-1)![0]]).toEqual([30_001, 'Van 29999']);
});

test('rows that cannot be read fail the workbook, and nothing else', async () => {
  const failing = function* () {
    yield row('a');
    throw new TypeError('the disk is gone');
  };
  await expect(bytesOf(failing())).rejects.toThrow('the disk is gone');
});

test('a workbook that nobody takes reads no further rows', async () => {
  let state = 'not begun';
  const endless = function* () {
    state = 'read';
    try {
      for (;;) yield row('a'.repeat(1000));
    } finally {
      state = 'ended';
    }
  };
  const book = workbook([{ name: 'Vehicles', columns: COLUMNS, rows: endless() } as never], {
    language: 'en',
    zone: new ZonedTime('UTC'),
  });
  book.resume();
  await eventually(() => expect(state).toBe('read'));
  book.destroy();
  await eventually(() => expect(state).toBe('ended'));
});

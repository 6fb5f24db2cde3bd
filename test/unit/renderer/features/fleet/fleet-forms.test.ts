import { expect, test } from 'vitest';
import type { EventItem } from '../../../../../renderer/src/lib/api/types.ts';
import { eventsCsv } from '../../../../../renderer/src/features/events/events-csv.ts';
import { calibrationFault, readPasted } from '../../../../../renderer/src/features/fleet/sensors/calibration.ts';
import { versionRows } from '../../../../../renderer/src/features/fleet/versions/version-rows.ts';
import {
  drawingOfShape,
  geometryOfShape,
  shapeOf,
} from '../../../../../renderer/src/features/fleet/shapes/zone-shape.ts';
import { reportCell, sortReport, type ReportAnswer } from '../../../../../renderer/src/features/reports/report.ts';
import type { Shape } from '../../../../../shared/geo/shapes.ts';

test('a zone that is taken over to be drawn and left as it is, is the same zone', () => {
  const shapes: Shape[] = [
    { kind: 'circle', center: [18.9, 56.2], radius: 120 },
    {
      kind: 'corridor',
      line: [
        [18.9, 56.2],
        [18.91, 56.2],
      ],
      width: 40,
    },
    {
      kind: 'polygon',
      rings: [
        [
          [18, 56],
          [19, 56],
          [19, 57],
          [18, 56],
        ],
        [
          [18.5, 56.1],
          [18.6, 56.1],
          [18.6, 56.2],
          [18.5, 56.1],
        ],
      ],
    },
  ];
  for (const shape of shapes)
    expect(shapeOf(drawingOfShape(shape), shape.kind === 'corridor' ? shape.width : 99, shape)).toEqual(shape);
  expect(geometryOfShape(shapes[0]!)).toEqual({
    geometry: { type: 'Point', coordinates: [18.9, 56.2] },
    radius: 120,
    width: null,
  });
  expect(geometryOfShape(shapes[1]!)).toMatchObject({ geometry: { type: 'LineString' }, radius: null, width: 40 });
});

test('what is edited over time is a row as it is now, and one for each plan, with what holds before it', () => {
  const versions = [10, 20, 30].map((validFrom) => ({ validFrom, name: `from ${validFrom}` }));
  const rows = (now: number) =>
    versionRows({ id: 7, versions }, now).map(({ id, version, before }) => [id, version.validFrom, before?.validFrom]);
  expect(rows(19)).toEqual([
    [7, 10, undefined],
    ['7@20', 20, 10],
    ['7@30', 30, 20],
  ]);
  expect(rows(20)).toEqual([
    [7, 20, undefined],
    ['7@30', 30, 20],
  ]);
  expect(rows(99)).toEqual([[7, 30, undefined]]);
  expect(rows(1)).toEqual([
    [7, 10, undefined],
    ['7@20', 20, 10],
    ['7@30', 30, 20],
  ]); // it has not begun yet
});

test('a wrong calibration names the row, and pasted spreadsheet columns are read', () => {
  expect(
    calibrationFault([
      [0, 0],
      [100, 10],
      [200, 5],
    ]),
  ).toBeUndefined();
  expect(
    calibrationFault([
      [0, 0],
      [100, 10],
      [100, 20],
    ]),
  ).toEqual({ row: 2, fault: 'order' });
  expect(calibrationFault([[0, NaN]])).toEqual({ row: 0, fault: 'number' });
  expect(readPasted('0\t0\r\n512\t41,5\r\n')).toEqual([
    [0, 0],
    [512, 41.5],
  ]);
  expect(readPasted('0;0\n512;60')).toEqual([
    [0, 0],
    [512, 60],
  ]);
  expect(readPasted('words')).toBeUndefined();
  expect(readPasted('1 2 3')).toBeUndefined();
});

test('a report shows times by the clock of its own zone, and sorts what is not known last', () => {
  const at = Date.UTC(2026, 10, 22, 21, 4, 9);
  const say = (kind: string, value: string | number | boolean | null, name = 'x') =>
    reportCell({ name, kind, title: '' }, value, 'en', 'Europe/Moscow', (key) => key);
  expect(say('instant', at)).toBe('23.11.2026, 00:04:09');
  expect(say('day', at)).toBe('23.11.2026');
  expect(say('span', 93_849)).toBe('26:04:09');
  expect(say('number', 1234.567)).toBe('1,234.57');
  expect(say('number', 56.123456, 'lat')).toBe('56.12346');
  expect([say('text', null), say('whole', 0)]).toEqual(['', '0']);
  const report = {
    columns: [{ name: 'km', kind: 'number', title: '' }],
    rows: [{ km: null }, { km: 2 }, { km: 10 }],
  } as unknown as ReportAnswer;
  expect(sortReport(report, { by: 'km', descending: true }, 'en').map(({ km }) => km)).toEqual([10, 2, null]);
  expect(sortReport(report, { by: 'km', descending: false }, 'en').map(({ km }) => km)).toEqual([2, 10, null]);
  expect(sortReport(report, { by: '', descending: false }, 'en')).toBe(report.rows);
});

test('events in a file are neither taken for formulas nor torn apart by their own signs', () => {
  const event = {
    carName: '=1+1',
    carNo: 'A 1',
    dataFrom: Date.UTC(2026, 0, 1),
    dataTill: null,
    info: 'a;b "c"',
    lat: -5.5,
    lon: 18.9,
    eventId: 1,
  } as unknown as EventItem;
  const [head, line] = eventsCsv(['What', 'Car'], [event], () => 'Stop').split('\r\n');
  expect(head).toBe('\uFEFFWhat;Car');
  expect(line).toMatch(/^Stop;'=1\+1;A 1;\d{4}-\d\d-\d\d \d\d:\d\d:00;;;"a;b ""c""";-5\.500000;18\.900000$/);
});

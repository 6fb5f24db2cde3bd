import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, test } from 'vitest';
import { reportPaper } from '../../../../server/reporting/reports/fleet/report-paper.ts';
import { Totals, type ReportKind, type ReportRow } from '../../../../server/reporting/reports/fleet/report.ts';

const NOON = Date.UTC(2026, 6, 1, 12);
interface Word {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** From the foot of the page. */
  readonly y: number;
}

/** The words of each page as a reader finds them. */
async function printed(
  kind: ReportKind,
  rows: readonly ReportRow[],
  { left = 0, language = 'en' as 'en' | 'ru' } = {},
): Promise<Word[][]> {
  const totals = new Totals(kind);
  for (const row of rows) totals.add(row);
  const order = {
    kind,
    title: 'Of the day',
    language,
    zone: 'Europe/Riga',
    from: NOON,
    till: NOON + 3_600_000,
    madeAt: NOON + 60_000,
  };
  const bytes = await reportPaper({
    order,
    heading: ['Of the day', 'from noon', 'Time zone: Europe/Riga'],
    rows,
    left,
    totals,
  });
  const paper = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  try {
    return await Promise.all(
      Array.from({ length: paper.numPages }, async (_, index) => {
        const { items } = await (await paper.getPage(index + 1)).getTextContent();
        return items.flatMap((item) =>
          'str' in item && item.str.trim()
            ? [
                {
                  text: item.str.trim(),
                  left: item.transform[4] as number,
                  right: (item.transform[4] as number) + item.width,
                  y: item.transform[5] as number,
                },
              ]
            : [],
        );
      }),
    );
  } finally {
    await paper.destroy();
  }
}
const texts = (page: readonly Word[]) => page.map(({ text }) => text);
const visit = (index: number): ReportRow => ({
  carName: 'Van',
  carNo: 'A 1',
  routeName: 'Round',
  pointName: `Gate ${index}`,
  planned: NOON,
  arrived: null,
  left: null,
  late: -1.5,
  missed: true,
});
const stay = (index: number): ReportRow => ({
  carName: `Van ${index}`,
  carNo: '',
  zoneName: 'Yard',
  from: NOON,
  till: NOON + 3_723_000,
  duration: 3_723,
});

test('a report of control points: its heading, times by the zone’s clock, what was missed, and no line of totals that has none', async () => {
  const [page, ...more] = await printed('routes', [visit(1)]);
  expect(more).toEqual([]);
  expect(texts(page!)).toEqual([
    'Of the day',
    'from noon',
    'Time zone: Europe/Riga',
    'Vehicle',
    'Plate',
    'Route',
    'Control point',
    'Planned',
    'Arrived',
    'Left',
    'Late, min',
    'Missed',
    'Van',
    'A 1',
    'Round',
    'Gate 1',
    '01.07.2026 15:00:00',
    '-1.5',
    'yes',
    expect.stringMatching(/^Waypost · .*01\.07\.2026 15:01 \(UTC\+03:00\) · .*1.*1$/),
  ]);
  expect(texts((await printed('routes', [{ ...visit(1), missed: false }], { language: 'ru' }))[0]!)).toEqual(
    expect.arrayContaining(['Контрольная точка', '-1,5', 'нет']),
  );
});

test('spans are added up, and stand in their column: texts and times from its left, figures to its right', async () => {
  const [page] = await printed('geozones', [stay(1), { ...stay(2), duration: 59 }]);
  const found = (text: string) => page!.find((word) => word.text === text)!;
  expect(texts(page!)).toEqual(expect.arrayContaining(['1:02:03', '0:00:59', 'Total', '1:03:02']));
  expect(found('Total').left).toBeCloseTo(found('Vehicle').left, 0);
  expect(found('Van 1').left).toBeCloseTo(found('Vehicle').left, 0);
  expect(found('01.07.2026 15:00:00').left).toBeCloseTo(found('From').left, 0);
  for (const figure of ['1:02:03', '0:00:59', '1:03:02'])
    expect(found(figure).right).toBeCloseTo(found('Duration').right, 0);
});

test('every page has the head and its number, none of its lines lies in the foot; what is left out is counted instead of a total', async () => {
  const pages = await printed(
    'geozones',
    Array.from({ length: 90 }, (_, index) => stay(index)),
    { left: 7 },
  );
  expect(pages.length).toBe(3);
  for (const [index, page] of pages.entries()) {
    expect(texts(page).filter((text) => text === 'Geozone')).toEqual(['Geozone']);
    const foot = page.at(-1)!;
    expect(foot.text).toMatch(new RegExp(`${index + 1}\\D+3$`));
    expect(Math.min(...page.slice(0, -1).map(({ y }) => y))).toBeGreaterThan(foot.y + 8);
  }
  const all = pages.flatMap(texts);
  expect(all.filter((text) => /^Van \d+$/.test(text))).toEqual(
    Array.from({ length: 90 }, (_, index) => `Van ${index}`),
  );
  expect([all.includes('Total'), all.some((text) => /\b7\b.*row/.test(text) || /7 more/.test(text))]).toEqual([
    false,
    true,
  ]);
});

test('days stand as days, and what is longer than its column is cut before the next one', async () => {
  const [page] = await printed('mileage', [
    {
      carName: 'A van with a name that no column of a paper could ever hold in one line',
      carNo: 'A 1',
      day: NOON,
      km: 12.5,
      moving: 36_000,
    },
  ]);
  const name = page!.find(({ text }) => text.startsWith('A van with'))!;
  expect(name.right).toBeLessThan(page!.find(({ text }) => text === 'A 1')!.left);
  expect(texts(page!)).toEqual(expect.arrayContaining(['01.07.2026', '10:00:00', '12.5']));
});

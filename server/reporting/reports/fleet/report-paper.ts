import { ZonedTime } from '../../../../shared/zoned-time.ts';
import { bytesOf, INK, MARGIN, newPaper, PAPER, printable } from '../paper.ts';
import { WORDS, type Language } from '../words.ts';
import { COLUMNS, type ReportColumn, type ReportOrder, type ReportRow, type Totals } from './report.ts';

/** A4, landscape. */
const WIDTH = PAPER.height - 2 * MARGIN;
const BOTTOM = PAPER.width - MARGIN - 14;
const LINE = 14;
/** Rows on paper; a workbook has no such limit. */
export const MAX_PRINTED = 5_000;

interface PaperReport {
  readonly order: Pick<ReportOrder, 'kind' | 'title' | 'language' | 'zone' | 'from' | 'till' | 'madeAt'>;
  readonly heading: readonly string[];
  readonly rows: readonly ReportRow[];
  /** The number of rows that are left out. */
  readonly left: number;
  readonly totals: Totals;
}

/** A report as a table on numbered landscape A4 pages, each with the table head. */
export async function reportPaper({ order, heading, rows, left, totals }: PaperReport): Promise<Buffer> {
  const { language, madeAt } = order;
  const words = WORDS[language];
  const zone = new ZonedTime(order.zone);
  const columns = COLUMNS[order.kind];
  const paper = newPaper(order.title, madeAt, 'landscape');
  const share = WIDTH / columns.reduce((sum, { wide = 1 }) => sum + wide, 0);
  const starts = columns.map(
    (_, index) => MARGIN + columns.slice(0, index).reduce((sum, { wide = 1 }) => sum + wide * share, 0),
  );
  const line = (texts: readonly string[], height = LINE) => {
    const y = paper.y;
    for (const [index, text] of texts.entries()) {
      const { kind, wide = 1 } = columns[index]!;
      paper.text(printable(text), starts[index]!, y, {
        width: wide * share - 5,
        height: height - 2,
        ellipsis: true,
        align: kind === 'text' || kind === 'instant' || kind === 'day' ? 'left' : 'right',
      });
    }
    paper.y = y + height;
  };
  const rule = () =>
    void paper
      .moveTo(MARGIN, paper.y - 2)
      .lineTo(MARGIN + WIDTH, paper.y - 2)
      .lineWidth(0.4)
      .stroke(INK.line);
  const head = () => {
    paper.font('medium').fontSize(7.5).fillColor(INK.dim);
    line(
      columns.map(({ title }) => title[language]),
      22,
    );
    rule();
    paper.font('regular').fontSize(8.5).fillColor(INK.text);
    paper.y += 2;
  };

  paper.font('medium').fontSize(15).fillColor(INK.accent).text(printable(order.title), MARGIN, MARGIN);
  paper.font('regular').fontSize(9).fillColor(INK.dim);
  for (const text of heading.slice(1)) paper.text(printable(text), MARGIN, paper.y + 1, { width: WIDTH });
  paper.y += 10;
  head();
  const room = () => {
    if (paper.y + LINE <= BOTTOM) return;
    paper.addPage();
    paper.y = MARGIN;
    head();
  };
  for (const row of rows) {
    room();
    line(columns.map((column) => shown(column, row[column.name], zone, language)));
  }
  room();
  rule();
  if (left > 0) paper.fillColor(INK.dim).text(words.more(left), MARGIN, paper.y + 2, { width: WIDTH });
  else if (columns.some(({ summed }) => summed)) {
    paper.font('medium');
    paper.y += 2;
    line(
      columns.map((column, index) =>
        index === 0 ? TOTAL[language] : shown(column, totals.sums[column.name], zone, language),
      ),
    );
  }

  const { count } = paper.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    paper.switchToPage(page);
    paper.page.margins.bottom = 0; // written into the margin: there must be no further page
    paper
      .font('regular')
      .fontSize(7.5)
      .fillColor(INK.dim)
      .text(
        `Waypost · ${words.printed} ${zone.text(madeAt, false)} (${zone.name(madeAt)}) · ${words.page(page + 1, count)}`,
        MARGIN,
        PAPER.width - MARGIN + 2,
        { width: WIDTH, align: 'right', lineBreak: false },
      );
  }
  return bytesOf(paper);
}

const TOTAL = { en: 'Total', ru: 'Итого' } as const;

function shown(
  { kind }: ReportColumn,
  value: ReportRow[string] | undefined,
  zone: ZonedTime,
  language: Language,
): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? WORDS[language].yes : WORDS[language].no;
  if (typeof value === 'string') return value;
  switch (kind) {
    case 'instant':
      return zone.text(value);
    case 'day':
      return zone.text(value).slice(0, 10);
    case 'span':
      return `${Math.floor(value / 3600)}:${String(Math.floor(value / 60) % 60).padStart(2, '0')}:${String(Math.floor(value) % 60).padStart(2, '0')}`;
    default:
      return value.toLocaleString(language, { maximumFractionDigits: 6 });
  }
}

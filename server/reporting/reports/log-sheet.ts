import { bytesOf, INK, MARGIN, newPaper, PAPER, printable } from './paper.ts';
import { dateOf, WORDS, type Language } from './words.ts';

/** A part of the log-book, in words. */
export interface LogSheet {
  readonly language: Language;
  readonly from: number;
  readonly until: number;
  readonly rows: readonly { readonly at: number; readonly text: string; readonly who: string }[];
}

const TITLE = { en: 'Log-book', ru: 'Журнал' } as const;
const BOTTOM = PAPER.height - MARGIN - 20;
const TIME = { x: MARGIN, width: 84 };
const WHO = { x: PAPER.width - MARGIN - 96, width: 96 };
const WHAT = { x: MARGIN + 92, width: WHO.x - MARGIN - 92 - 10 };

/** The log-book on A4, line by line; a line is never divided between two pages. */
export function logSheet({ language, from, until, rows }: LogSheet, now: number): Promise<Buffer> {
  const paper = newPaper(TITLE[language], now);
  paper.font('medium').fontSize(17).fillColor(INK.text).text(TITLE[language], MARGIN, MARGIN);
  paper
    .font('regular')
    .fontSize(9)
    .fillColor(INK.dim)
    .text(`${dateOf(from)} – ${dateOf(until)}`, MARGIN, paper.y + 2);
  rule(paper, paper.y + 6);
  paper.y += 12;
  for (const { at, text, who } of rows) {
    const said = printable(text);
    paper.font('regular').fontSize(9.5);
    const height = Math.max(
      paper.heightOfString(said, { width: WHAT.width }),
      paper.heightOfString(who, { width: WHO.width }),
    );
    if (paper.y + height > BOTTOM) {
      paper.addPage();
      paper.y = MARGIN;
    }
    const top = paper.y;
    paper.fillColor(INK.dim).text(dateOf(at), TIME.x, top, { width: TIME.width, lineBreak: false });
    paper.fillColor(INK.text).text(said, WHAT.x, top, { width: WHAT.width, height: BOTTOM - top, ellipsis: true });
    paper.fillColor(INK.dim).text(printable(who), WHO.x, top, { width: WHO.width });
    rule(paper, Math.min(top + height + 2, BOTTOM));
    paper.y = top + height + 6;
  }
  foot(paper, language, now);
  return bytesOf(paper);
}

function rule(paper: PDFKit.PDFDocument, y: number): void {
  paper
    .moveTo(MARGIN, y)
    .lineTo(PAPER.width - MARGIN, y)
    .lineWidth(0.4)
    .stroke(INK.line);
}

function foot(paper: PDFKit.PDFDocument, language: Language, now: number): void {
  const words = WORDS[language];
  const { start, count } = paper.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    paper.switchToPage(page);
    // The foot is below the margin, where PDFKit would begin a new page for text.
    paper.page.margins.bottom = 0;
    paper.font('regular').fontSize(8).fillColor(INK.dim);
    const y = PAPER.height - MARGIN;
    paper.text(`${words.printed} ${dateOf(now)}`, MARGIN, y, { lineBreak: false });
    paper.text(words.page(page + 1, count), MARGIN, y, { width: PAPER.width - 2 * MARGIN, align: 'right' });
  }
}

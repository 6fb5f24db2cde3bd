import PDFDocument from 'pdfkit';
import { beginning, isLonger } from '../../../shared/text/characters.ts';
import { ROBOTO } from '../../platform/program.ts';

/** Points; an A4 page is 595 by 842. */
export const MARGIN = 42;
export const PAPER = { width: 595.28, height: 841.89 };
export const INK = { text: '#1b232a', dim: '#5b6670', line: '#c3cad0', accent: '#0b4f9e' };

/** An A4 paper with Roboto in it, which has Latin, Cyrillic and Greek letters. */
export function newPaper(
  title: string,
  made: number,
  layout: 'portrait' | 'landscape' = 'portrait',
): PDFKit.PDFDocument {
  const paper = new PDFDocument({
    size: 'A4',
    layout,
    margins: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
    bufferPages: true,
    info: { Title: title, Creator: 'Waypost', CreationDate: new Date(made) },
  });
  paper
    .registerFont('regular', ROBOTO.regular)
    .registerFont('medium', ROBOTO.medium)
    .font('regular')
    .fontSize(9.5)
    .fillColor(INK.text);
  return paper;
}

/** The complete paper, when everything is on it. */
export async function bytesOf(paper: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const done = new Promise<void>((resolve, reject) =>
    paper
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', resolve)
      .on('error', reject),
  );
  paper.end();
  await done;
  return Buffer.concat(chunks);
}

/** Leaves out characters that no font has (emoji, controls); they would be drawn as boxes. */
export function printable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(
      /[\u0000-\u0009\u000b-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Extended_Pictographic}\p{Surrogate}\p{Co}]/gu,
      (found) => (found === '\t' ? ' ' : /[©®™]/.test(found) ? found : ''),
    );
}

/** Cut at a word to so many characters, and the ellipsis behind them. */
export function cutAtWord(text: string, most: number): string {
  return isLonger(text, most) ? `${beginning(text, most).replace(/\s+\S*$/, '')} …` : text;
}

import { bytesOf, INK, MARGIN, newPaper, PAPER, printable } from './paper.ts';

/** A letter to print and post: the recipient, the task, and the text as it was mailed. */
export interface Letter {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly at: number;
  readonly place: string;
}

const WIDTH = PAPER.width - 2 * MARGIN - 28;
const LEFT = MARGIN + 28;

/** A printable letter, A4: the address stands where a window envelope (DL) shows it. */
export function letter({ from, to, subject, text, at, place }: Letter): Promise<Buffer> {
  const paper = newPaper(subject, at);
  paper
    .font('regular')
    .fontSize(8)
    .fillColor(INK.dim)
    .text(printable([from.name, from.address].filter(Boolean).join(', ')), LEFT, 128, {
      width: 240,
      height: 12,
      ellipsis: true,
    });
  paper
    .moveTo(LEFT, 141)
    .lineTo(LEFT + 240, 141)
    .lineWidth(0.4)
    .stroke(INK.line);
  paper
    .fontSize(11)
    .fillColor(INK.text)
    .text(printable(`${to.name}\n${to.address}`.trim()), LEFT, 148, {
      width: 240,
      height: 80,
      ellipsis: true,
      lineGap: 2,
    });
  paper.fontSize(10).text(place, LEFT, 262, { width: WIDTH, align: 'right' });
  paper.font('medium').fontSize(12).text(printable(subject), LEFT, 296, { width: WIDTH });
  paper
    .font('regular')
    .fontSize(10.5)
    .text(printable(text), LEFT, paper.y + 12, { width: WIDTH, lineGap: 2.5 });
  return bytesOf(paper);
}

import { MAX_PHOTOS } from './most-photos.ts';
import { bytesOf, cutAtWord, INK, MARGIN, newPaper, PAPER, printable } from './paper.ts';
import { clockOf, dateOf, languageOf, WORDS, type PaperWords } from './words.ts';

/** The content of a task sheet, in words. */
export interface TaskSheet {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly status: number;
  readonly statusSince: number;
  readonly date: number;
  readonly author: string;
  readonly organization: string;
  readonly type: string;
  readonly category: string;
  readonly assignedTo: readonly string[];
  readonly vehicle: string;
  /** Each sending of a vehicle with its times, the first one first. A time of 0 was not reported. */
  readonly units: readonly SheetUnit[];
  readonly address: string;
  readonly point: { readonly lon: number; readonly lat: number } | null;
  readonly confirmed: number;
  readonly confirmedComment: string;
  readonly fields: readonly { readonly name: string; readonly value: unknown }[];
  /** PNG; undefined when the map has nothing there. */
  readonly map: Uint8Array | undefined;
  /**
   * The first of them, JPEG or PNG, scaled for print, with what was written to them; no more than
   * `MAX_PHOTOS` are printed.
   */
  readonly photos: readonly { readonly bytes: Uint8Array; readonly caption: string }[];
  /** How many photos the message has. */
  readonly photoCount: number;
  /** Names of everything that is attached and cannot be printed. */
  readonly attached: readonly string[];
  readonly comments: readonly {
    readonly at: number;
    readonly author: string;
    readonly text: string;
    readonly level: number;
  }[];
}

interface SheetUnit {
  readonly name: string;
  readonly role: string;
  readonly sentAt: number;
  readonly acknowledgedAt: number;
  readonly enRouteAt: number;
  readonly onSceneAt: number;
  readonly clearAt: number;
}

const WIDTH = PAPER.width - 2 * MARGIN;
const BOTTOM = PAPER.height - MARGIN - 34;
const MAP_HEIGHT = 190;
const PHOTO_HEIGHT = 118;
/** Units that are printed: more would leave no room for what happened. */
const MAX_UNITS = 8;
const UNIT_TIMES = ['sentAt', 'acknowledgedAt', 'enRouteAt', 'onSceneAt', 'clearAt'] as const;
const UNIT_TIME_WIDTH = 62;

/**
 * One A4 page for a crew. Map and photos have fixed places; long texts are cut to the remaining room, with a
 * count of the rest.
 */
export async function taskSheet(sheet: TaskSheet, now: number): Promise<Buffer> {
  const words = WORDS[languageOf(sheet.title, sheet.text)];
  const paper = newPaper(`${words.task} ${sheet.id}`, now);
  head(paper, sheet, words);
  facts(paper, sheet, words);
  units(paper, sheet, words);
  const kept =
    (sheet.point ? MAP_HEIGHT + 24 : 0) +
    (sheet.photos.length > 0 ? PHOTO_HEIGHT + 34 : 0) +
    (sheet.comments.length > 0 ? 60 : 0);
  section(paper, words.description, sheet.text, Math.max(40, Math.min(BOTTOM - paper.y - kept, 150)));
  ownFields(paper, sheet, words, BOTTOM - kept);
  map(paper, sheet, words);
  photos(paper, sheet, words);
  if (sheet.attached.length > 0) section(paper, words.attachments, sheet.attached.join(', '), 26);
  comments(paper, sheet, words);
  foot(paper, words, now);
  return bytesOf(paper);
}

function head(paper: PDFKit.PDFDocument, { id, title, status, statusSince }: TaskSheet, words: PaperWords): void {
  const state = `${words.statuses[status] ?? ''} ${words.since} ${dateOf(statusSince)}`;
  paper
    .font('medium')
    .fontSize(9)
    .fillColor(INK.dim)
    .text(`${words.task} ${id}`, MARGIN, MARGIN, { width: WIDTH / 2 });
  paper.text(state, MARGIN + WIDTH / 2, MARGIN, { width: WIDTH / 2, align: 'right' });
  paper
    .fillColor(INK.text)
    .fontSize(17)
    .text(cutAtWord(printable(title), 140), MARGIN, MARGIN + 16, { width: WIDTH, height: 46, ellipsis: true });
  rule(paper, paper.y + 5, INK.accent, 1.4);
  paper.y += 12;
}

/** Two columns of a name and a value each. */
function facts(paper: PDFKit.PDFDocument, sheet: TaskSheet, words: PaperWords): void {
  const point = sheet.point ? `${sheet.point.lat.toFixed(6)}, ${sheet.point.lon.toFixed(6)}` : '';
  const confirmed = `${words.confirmations[sheet.confirmed] ?? ''}${sheet.confirmedComment ? ` (${sheet.confirmedComment})` : ''}`;
  const left = [
    [words.address, sheet.address],
    [words.point, point],
    [words.type, sheet.type],
    [words.category, sheet.category],
    [words.confirmation, confirmed],
  ];
  const right = [
    [words.received, dateOf(sheet.date)],
    [words.author, sheet.author],
    [words.organization, sheet.organization],
    [words.assigned, sheet.assignedTo.join(', ')],
    [words.vehicle, sheet.vehicle],
  ];
  const top = paper.y;
  const ends = [left, right].map((pairs, column) => {
    paper.y = top;
    for (const [name, value] of pairs)
      if (value) pair(paper, MARGIN + column * (WIDTH / 2 + 8), WIDTH / 2 - 8, name!, value, 2);
    return paper.y;
  });
  paper.y = Math.max(...ends) + 4;
}

function pair(paper: PDFKit.PDFDocument, x: number, width: number, name: string, value: string, lines: number): void {
  const top = paper.y;
  const indent = Math.min(92, width * 0.4);
  paper
    .font('regular')
    .fontSize(8.5)
    .fillColor(INK.dim)
    .text(printable(name), x, top + 0.8, { width: indent - 6, height: 11, ellipsis: true });
  paper
    .fontSize(9.5)
    .fillColor(INK.text)
    .text(printable(value), x + indent, top, { width: width - indent, height: 12 * lines, ellipsis: true });
  paper.y = Math.max(paper.y, top + 11) + 3;
}

/** A line for each sending: its times stand below each other. */
function units(paper: PDFKit.PDFDocument, { units }: TaskSheet, words: PaperWords): void {
  if (units.length === 0) return;
  const nameWidth = WIDTH - UNIT_TIMES.length * UNIT_TIME_WIDTH;
  const cells = (name: string, times: readonly string[]): void => {
    const top = paper.y;
    paper.text(printable(name), MARGIN, top, { width: nameWidth - 6, height: 11, ellipsis: true });
    for (const [index, time] of times.entries())
      paper.text(time, MARGIN + nameWidth + index * UNIT_TIME_WIDTH, top, { width: UNIT_TIME_WIDTH, lineBreak: false });
    paper.y = top + 13;
  };
  paper.font('medium').fontSize(8.5).fillColor(INK.dim);
  cells(
    words.units,
    UNIT_TIMES.map((time) => words.unitTimes[time]),
  );
  paper.font('regular').fontSize(9.5).fillColor(INK.text);
  for (const unit of units.slice(0, MAX_UNITS))
    cells(
      [unit.name, unit.role].filter(Boolean).join(', '),
      UNIT_TIMES.map((time) => (unit[time] > 0 ? clockOf(unit[time]) : '–')),
    );
  if (units.length > MAX_UNITS) {
    paper.fontSize(8.5).fillColor(INK.dim);
    cells(words.more(units.length - MAX_UNITS), []);
  }
  paper.y += 4;
}

function section(paper: PDFKit.PDFDocument, title: string, text: string, height: number): void {
  if (text.trim() === '' || BOTTOM - paper.y < 30) return;
  heading(paper, title);
  paper
    .font('regular')
    .fontSize(9.5)
    .fillColor(INK.text)
    .text(printable(cutAtWord(text, 4000)), MARGIN, paper.y, {
      width: WIDTH,
      height: Math.min(height, BOTTOM - paper.y),
      ellipsis: true,
      lineGap: 1.2,
    });
  paper.y += 6;
}

function ownFields(paper: PDFKit.PDFDocument, { fields }: TaskSheet, words: PaperWords, end: number): void {
  if (fields.length === 0 || end - paper.y < 30) return;
  heading(paper, words.fields);
  for (let index = 0; index < fields.length; index += 2) {
    if (end - paper.y < 26) {
      paper
        .fontSize(8.5)
        .fillColor(INK.dim)
        .text(words.more(fields.length - index), MARGIN, paper.y);
      break;
    }
    const top = paper.y;
    const ends = fields.slice(index, index + 2).map(({ name, value }, column) => {
      paper.y = top;
      pair(paper, MARGIN + column * (WIDTH / 2 + 8), WIDTH / 2 - 8, name, inWords(value, words), 2);
      return paper.y;
    });
    paper.y = Math.max(...ends);
  }
  paper.y += 4;
}

function inWords(value: unknown, words: PaperWords): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'object' && value !== null) return words.shape;
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(String(value));
  return day ? `${day[3]}.${day[2]}.${day[1]}` : String(value);
}

function map(paper: PDFKit.PDFDocument, { map, point }: TaskSheet, words: PaperWords): void {
  if (!point) return;
  if (!map) return void paper.fontSize(8.5).fillColor(INK.dim).text(words.noMap, MARGIN, paper.y).moveDown(0.6);
  const top = paper.y + 4;
  paper.image(Buffer.from(map), MARGIN, top, { cover: [WIDTH, MAP_HEIGHT], align: 'center', valign: 'center' });
  paper.rect(MARGIN, top, WIDTH, MAP_HEIGHT).lineWidth(0.6).stroke(INK.line);
  paper.y = top + MAP_HEIGHT + 10;
}

function photos(paper: PDFKit.PDFDocument, { photos, photoCount }: TaskSheet, words: PaperWords): void {
  if (photos.length === 0) return;
  const shown = photos.slice(0, MAX_PHOTOS);
  heading(
    paper,
    photoCount > shown.length ? `${words.photos} (${words.more(photoCount - shown.length)})` : words.photos,
  );
  const top = paper.y;
  const width = (WIDTH - 8 * (MAX_PHOTOS - 1)) / MAX_PHOTOS;
  for (const [index, { bytes, caption }] of shown.entries()) {
    const x = MARGIN + index * (width + 8);
    paper.image(Buffer.from(bytes), x, top, { fit: [width, PHOTO_HEIGHT - 14], align: 'center', valign: 'center' });
    paper
      .rect(x, top, width, PHOTO_HEIGHT - 14)
      .lineWidth(0.4)
      .stroke(INK.line);
    paper
      .font('regular')
      .fontSize(7.5)
      .fillColor(INK.dim)
      .text(printable(caption), x, top + PHOTO_HEIGHT - 11, { width, height: 10, ellipsis: true });
  }
  paper.y = top + PHOTO_HEIGHT + 6;
}

function comments(paper: PDFKit.PDFDocument, { comments }: TaskSheet, words: PaperWords): void {
  if (comments.length === 0 || BOTTOM - paper.y < 40) return;
  heading(paper, words.comments);
  for (const [index, { at, author, text, level }] of comments.entries()) {
    if (BOTTOM - paper.y < 24)
      return void paper
        .fontSize(8.5)
        .fillColor(INK.dim)
        .text(words.more(comments.length - index), MARGIN, paper.y);
    const x = MARGIN + Math.min(level, 6) * 12;
    paper
      .font('medium')
      .fontSize(8)
      .fillColor(INK.dim)
      .text(`${dateOf(at)}  ${printable(author)}`, x, paper.y, {
        width: WIDTH - (x - MARGIN),
        height: 10,
        ellipsis: true,
      });
    paper
      .font('regular')
      .fontSize(9.5)
      .fillColor(INK.text)
      .text(printable(cutAtWord(text, 600)), x, paper.y + 1, {
        width: WIDTH - (x - MARGIN),
        height: Math.min(36, BOTTOM - paper.y),
        ellipsis: true,
      });
    paper.y += 4;
  }
}

function foot(paper: PDFKit.PDFDocument, words: PaperWords, now: number): void {
  const y = PAPER.height - MARGIN - 22;
  // Written into the margin: there must be no second page.
  paper.page.margins.bottom = 0;
  paper.font('regular').fontSize(8.5).fillColor(INK.dim);
  paper.text(`${words.done}: ______________________`, MARGIN, y, { lineBreak: false });
  paper.text(`${words.signature}: ______________________`, MARGIN + WIDTH / 2, y, { lineBreak: false });
  rule(paper, y + 16, INK.line, 0.6);
  paper.fontSize(7.5).text(`Waypost · ${words.printed} ${dateOf(now)}`, MARGIN, y + 20, {
    width: WIDTH,
    align: 'right',
    lineBreak: false,
  });
}

function heading(paper: PDFKit.PDFDocument, title: string): void {
  paper
    .font('medium')
    .fontSize(9)
    .fillColor(INK.accent)
    .text(title, MARGIN, paper.y + 2, { width: WIDTH });
  paper.y += 3;
}

function rule(paper: PDFKit.PDFDocument, y: number, colour: string, width: number): void {
  paper
    .moveTo(MARGIN, y)
    .lineTo(PAPER.width - MARGIN, y)
    .lineWidth(width)
    .stroke(colour);
}

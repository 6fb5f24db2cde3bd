import sharp from 'sharp';
import { expect, test } from 'vitest';
import { print, type TaskSheet } from '../../../../server/reporting/reports/index.ts';
import { cutAtWord, printable } from '../../../../server/reporting/reports/paper.ts';
import { languageOf } from '../../../../server/reporting/reports/words.ts';
import { textOfPaper } from '../../../support/text-of-paper.ts';
import { lettersIn } from './letters-in.ts';

const SHEET: TaskSheet = {
  id: 7,
  title: 'Упало дерево, улица Мира 5',
  text: 'Перекрыта полоса. '.repeat(400),
  status: 2,
  statusSince: 0,
  date: 0,
  author: 'Anna Ö. Ługowska',
  organization: 'Дорожная служба',
  type: 'Roads',
  category: 'Urgent',
  assignedTo: ['Дорожная служба', 'Иван Петров'],
  vehicle: 'Road 3',
  units: [],
  address: 'улица Мира 5',
  point: { lon: 14.5, lat: 35.9 },
  confirmed: 1,
  confirmedComment: '',
  fields: [],
  map: undefined,
  photos: [],
  photoCount: 0,
  attached: [],
  comments: [],
};
const pagesOf = (pdf: Uint8Array) =>
  Buffer.from(pdf)
    .toString('latin1')
    .match(/\/Type \/Page\b/g)!.length;

test('the sheet is one page, however much there is to say', async () => {
  const png = await sharp({ create: { width: 60, height: 90, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const full: TaskSheet = {
    ...SHEET,
    map: png,
    photos: Array.from({ length: 9 }, (_, index) => ({ bytes: png, caption: `фото ${index}` })),
    photoCount: 9,
    attached: ['a.pdf', 'схема.dwg'],
    fields: Array.from({ length: 40 }, (_, index) => ({
      name: `Поле ${index}`,
      value: index % 2 ? true : 'очень длинное значение '.repeat(20),
    })),
    comments: Array.from({ length: 60 }, (_, index) => ({
      at: index,
      author: 'Пётр',
      text: 'Выезжаем. '.repeat(80),
      level: index % 9,
    })),
  };
  expect(pagesOf(await print({ kind: 'task-sheet', sheet: full, now: 0 }))).toBe(1);
  expect(pagesOf(await print({ kind: 'task-sheet', sheet: { ...SHEET, text: '', point: null }, now: 0 }))).toBe(1);
});

test('each sending of a vehicle stands there with its own times, and a time that nobody reported is a dash', async () => {
  const at = (minute: number, second: number) => new Date(2026, 5, 1, 9, minute, second).getTime();
  const unit = { name: 'Engine 1', role: 'water', sentAt: at(0, 7), acknowledgedAt: 0, enRouteAt: at(1, 8) };
  const units: TaskSheet['units'] = [
    { ...unit, onSceneAt: at(5, 9), clearAt: at(30, 0) },
    { ...unit, name: 'Medic 1', role: '', onSceneAt: 0, clearAt: 0 },
  ];
  const text = async (sheet: TaskSheet) => textOfPaper(await print({ kind: 'task-sheet', sheet, now: 0 }));
  const printed = await text({ ...SHEET, title: 'Fire', text: '', units });
  expect(printed).toContain('Units Sent Acknowledged En route On scene Clear');
  expect(printed).toContain('Engine 1, water 09:00:07 – 09:01:08 09:05:09 09:30:00');
  expect(printed).toContain('Medic 1 09:00:07 – 09:01:08 – –');
  const many = Array.from({ length: 30 }, (_, index) => ({ ...units[0]!, name: `Engine ${index + 1}` }));
  const full = await text({ ...SHEET, units: many });
  expect(full).toContain('Engine 8, water');
  expect(full).not.toContain('Engine 9, water');
  expect(full).toContain('и ещё 22 на станции');
  expect(await text(SHEET)).not.toContain('Экипажи');
});

test('Cyrillic and Latin letters are letters in the paper, not pictures of none', async () => {
  const letters = lettersIn(await print({ kind: 'task-sheet', sheet: SHEET, now: 0 }));
  for (const letter of 'УпалодеревАÖŁgow') if (!'А'.includes(letter)) expect(letters, letter).toContain(letter);
});

test('a paper speaks the language that it is written in', () => {
  expect([languageOf('Упало дерево', 'A1'), languageOf('Tree down', 'ул.')]).toEqual(['ru', 'en']);
});

test('what no font has is left out, and long texts end at a word', () => {
  expect(printable('Fire 🔥 at\r\nhome\u202e ©')).toBe('Fire  at\nhome ©');
  expect(cutAtWord('one two three', 9)).toBe('one two …');
});

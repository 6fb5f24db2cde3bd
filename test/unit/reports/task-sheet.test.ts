import sharp from 'sharp';
import { expect, test } from 'vitest';
import { print, type TaskSheet } from '../../../server/reports/index.ts';
import { cutAtWord, printable } from '../../../server/reports/paper.ts';
import { languageOf } from '../../../server/reports/words.ts';
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

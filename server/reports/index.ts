export { print, type PrintOrder } from './print.ts';
export type { TaskSheet } from './task-sheet.ts';
export type { Letter } from './letter.ts';
export { dateOf, languageOf, WORDS, type Language, type Words } from './words.ts';

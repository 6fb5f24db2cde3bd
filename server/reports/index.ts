export { print, type PrintOrder } from './print.ts';
export type { TaskSheet } from './task-sheet.ts';
export type { Letter } from './letter.ts';
export { dateOf, languageOf, WORDS, type Language, type Words } from './words.ts';
export { harmless, workbook, WORKBOOK_TYPE, type CellValue, type Column, type Sheet, type WorkbookOptions } from './workbook.ts';

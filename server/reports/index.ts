export { print, type PrintOrder } from './print.ts';
export {
  REPORT_KINDS,
  TITLES as REPORT_TITLES,
  type ReportedVehicle,
  type ReportForm,
  type ReportKind,
  type ReportOrder,
} from './fleet/report.ts';
export type { FindAddresses } from './fleet/addresses.ts';
export { startReport } from './fleet/report-thread.ts';
export { MOST_PHOTOS } from './most-photos.ts';
export type { TaskSheet } from './task-sheet.ts';
export type { Letter } from './letter.ts';
export { dateOf, languageOf, WORDS, type Language, type Words } from './words.ts';
export {
  harmless,
  workbook,
  WORKBOOK_TYPE,
  type CellValue,
  type Column,
  type Sheet,
  type WorkbookOptions,
} from './workbook.ts';

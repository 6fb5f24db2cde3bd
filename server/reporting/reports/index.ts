export { print, type PrintOrder } from './print.ts';
export {
  REPORT_FILE_FORMS,
  REPORT_KINDS,
  type ReportedVehicle,
  type ReportFileForm,
  type ReportForm,
  type ReportKind,
  type ReportOrder,
} from './fleet/report.ts';
export type { FindAddresses } from './fleet/addresses.ts';
export {
  addressesBy,
  reportOrder,
  type ReportRooms,
  type ReportWish,
  type SpotGeocoder,
} from './fleet/report-order.ts';
export { startReport } from './fleet/report-thread.ts';
export { MAX_PHOTOS } from './most-photos.ts';
export type { TaskSheet } from './task-sheet.ts';
export type { Letter } from './letter.ts';
export { dateOf, languageOf, WORDS, type Language, type PaperWords } from './words.ts';
export {
  escapeFormula,
  workbook,
  WORKBOOK_TYPE,
  type CellValue,
  type SheetColumn,
  type Sheet,
  type WorkbookOptions,
} from './workbook.ts';
export { CSV_MARK, csvLine, csvTable } from './csv.ts';

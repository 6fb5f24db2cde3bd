export { Historian } from './historian.ts';
export { movedMonths, movedUntil } from './catalogue.ts';
export { offerHistorian } from './questions.ts';
export type { HistorianOptions } from './connection.ts';

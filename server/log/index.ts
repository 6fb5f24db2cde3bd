export { lineWriter } from './line-writer.ts';
export { Log, LOG_LEVELS } from './log.ts';
export { journalWriter } from './journal.ts';
export type { LogLevel, Logger, LogEntry, LogFilter } from './log.ts';

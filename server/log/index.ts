export { lineWriter } from './line-writer.ts';
export { Log, LEVELS } from './log.ts';
export type { LogLevel, Logger, LogEntry, LogFilter } from './log.ts';

export { Log, LEVELS } from './log.ts';
export type { Level, Logger, LogEntry, LogFilter } from './log.ts';

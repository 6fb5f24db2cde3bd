export { ExpiredRecords } from './expired-records.ts';
export { LogBook, type LogBookOrder, type LogQuery } from './log-book.ts';
export { LOG_KINDS, type LogKind, type LogLine } from './log-lines.ts';
export { wordsOfLine, type NamesOfLines } from './line-words.ts';
export { Safety, type SafetyOptions, type SilentCrew } from './safety.ts';
export { Shifts } from './shifts.ts';
export type { DutyOrder, PinOrder } from './shift.ts';

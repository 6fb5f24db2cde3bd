export { LogBook, type LogBookOrder, type LogQuery } from './log-book.ts';
export { LOG_KINDS, type LogKind, type LogLine } from './log-lines.ts';
export { wordsOfLine, type NamesOfLines } from './line-words.ts';

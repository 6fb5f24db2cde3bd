import { LINE_WORDS } from '../../../shared/shifts/line-words.ts';
import type { Language } from '../../../shared/text/language.ts';
import type { LogLine } from './log-lines.ts';

/** Names for the ids in lines; empty: not known. */
export interface NamesOfLines {
  vehicle(id: number): string;
  user(id: number): string;
}

const CORRECTION: Readonly<Record<Language, (id: number) => string>> = {
  en: (id) => `Correction of entry ${id}: `,
  ru: (id) => `Исправление записи ${id}: `,
};

/** A line as files and papers say it. */
export function wordsOfLine(line: LogLine, names: NamesOfLines, language: Language): string {
  const vehicle = line.vehicleId ? names.vehicle(line.vehicleId) : '';
  const subject = vehicle || line.text;
  const parts: Readonly<Record<string, string>> = {
    vehicle,
    task: String(line.taskId),
    text: line.text,
    alarm: line.alarm?.[language] ?? '',
    subject: subject && `, ${subject}`,
    who: [vehicle, line.text].filter(Boolean).join(', '),
  };
  const sentence = line.kind === 'entry' ? '{text}' : LINE_WORDS[language][line.kind];
  const words = sentence.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '');
  const said = words.replace(/[:,] *$/, '');
  return line.corrects ? CORRECTION[language](line.corrects) + said : said;
}

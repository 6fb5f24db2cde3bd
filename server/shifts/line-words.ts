import type { Language } from '../../shared/text/language.ts';
import type { LogKind, LogLine } from './log-lines.ts';

/** Names for what lines hold as ids; empty: not known. */
export interface NamesOfLines {
  vehicle(id: number): string;
  user(id: number): string;
}

const WORDS: Readonly<Record<Language, Readonly<Record<LogKind, string>>>> = {
  en: {
    'shift-begun': 'Shift began: {text}',
    'shift-ended': 'Shift ended: {text}',
    'shift-taken-over': 'Shift taken over: {text}',
    'duty-begun': 'On duty: {who}',
    'duty-ended': 'Off duty: {who}',
    'crew-missing': 'Missing at the roll call: {who}',
    'task-taken': 'Task {task} taken: {text}',
    'unit-sent': '{vehicle} sent to task {task}: {text}',
    'unit-on-scene': '{vehicle} on scene, task {task}: {text}',
    'unit-clear': '{vehicle} clear of task {task}: {text}',
    'task-closed': 'Task {task} closed: {text}',
    'alarm': 'Alarm: {alarm}, {subject}',
    'alarm-answered': 'Alarm acknowledged: {alarm}, {subject}',
    'closure-begun': 'Road closure began: {text}',
    'closure-ended': 'Road closure ended: {text}',
    'entry': '{text}',
  },
  ru: {
    'shift-begun': 'Началась смена: {text}',
    'shift-ended': 'Закончилась смена: {text}',
    'shift-taken-over': 'Смена принята: {text}',
    'duty-begun': 'Вступили на дежурство: {who}',
    'duty-ended': 'Сменились с дежурства: {who}',
    'crew-missing': 'Нет на перекличке: {who}',
    'task-taken': 'Принята задача {task}: {text}',
    'unit-sent': '{vehicle}: направлена на задачу {task}: {text}',
    'unit-on-scene': '{vehicle}: на месте, задача {task}: {text}',
    'unit-clear': '{vehicle}: свободна от задачи {task}: {text}',
    'task-closed': 'Закрыта задача {task}: {text}',
    'alarm': 'Тревога: {alarm}, {subject}',
    'alarm-answered': 'Тревога принята: {alarm}, {subject}',
    'closure-begun': 'Началось перекрытие: {text}',
    'closure-ended': 'Перекрытие снято: {text}',
    'entry': '{text}',
  },
};
const CORRECTION: Readonly<Record<Language, (id: number) => string>> = {
  en: (id) => `Correction of entry ${id}: `,
  ru: (id) => `Исправление записи ${id}: `,
};

/** A line as files and papers say it. */
export function wordsOfLine(line: LogLine, names: NamesOfLines, language: Language): string {
  const vehicle = line.vehicleId ? names.vehicle(line.vehicleId) : '';
  const parts: Readonly<Record<string, string>> = {
    vehicle,
    task: String(line.taskId),
    text: line.text,
    alarm: line.alarm?.[language] ?? '',
    subject: vehicle || line.text,
    who: [vehicle, line.text].filter(Boolean).join(', '),
  };
  const words = WORDS[language][line.kind].replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '');
  const said = words.replace(/[:,] *$/, '');
  return line.corrects ? CORRECTION[language](line.corrects) + said : said;
}

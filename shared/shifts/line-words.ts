import type { Language } from '../text/language.ts';

/** Texts of the lines of the log-book. `{subject}` begins with a comma. */
export const LINE_WORDS = {
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
    'alarm': 'Alarm: {alarm}{subject}',
    'alarm-answered': 'Alarm acknowledged: {alarm}{subject}',
    'closure-begun': 'Road closure began: {text}',
    'closure-ended': 'Road closure ended: {text}',
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
    'alarm': 'Тревога: {alarm}{subject}',
    'alarm-answered': 'Тревога принята: {alarm}{subject}',
    'closure-begun': 'Началось перекрытие: {text}',
    'closure-ended': 'Перекрытие снято: {text}',
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<string, string>>>>;

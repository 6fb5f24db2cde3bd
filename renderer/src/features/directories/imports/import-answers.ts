import type { AnswerOf } from '../../../lib/api/operations.ts';

export type ImportPreviewAnswer = AnswerOf<'get', '/imports/previews/{id}'>;
export type ImportRowAnswer = AnswerOf<'get', '/imports/previews/{id}/rows'>[number];
export type ImportAnswer = AnswerOf<'get', '/imports'>[number];
export type RowFate = ImportRowAnswer['fate'];

/** The kinds of records that files bring, in the order of the choice. */
export const IMPORT_KINDS = [
  'vehicles',
  'drivers',
  'tasks',
  'geozones',
  'routes',
  'closures',
  'organizations',
  'users',
] as const satisfies readonly ImportPreviewAnswer['kind'][];

export const FATES = ['new', 'changed', 'same', 'refused'] as const satisfies readonly RowFate[];
export const FATE_TONES = { new: 'normal', changed: 'busy', same: 'quiet', refused: 'abnormal' } as const;

/** The name of a field in a language. */
export function titleOf({ title }: ImportPreviewAnswer['fields'][number], language: string): string {
  return language === 'ru' ? title.ru : title.en;
}

/** Whether the station works on it now. */
export function isUnderWay({ state }: ImportAnswer): boolean {
  return state === 'writing' || state === 'undoing';
}

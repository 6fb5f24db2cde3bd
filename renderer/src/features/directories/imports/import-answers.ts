import type { AnswerOf } from '../../../lib/api/operations.ts';

export type ImportPreview = AnswerOf<'get', '/imports/previews/{id}'>;
export type PreviewRow = AnswerOf<'get', '/imports/previews/{id}/rows'>[number];
export type ImportEntry = AnswerOf<'get', '/imports'>[number];
export type RowFate = PreviewRow['fate'];

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
] as const satisfies readonly ImportPreview['kind'][];

export const FATES = ['new', 'changed', 'same', 'refused'] as const satisfies readonly RowFate[];
export const FATE_TONES = { new: 'normal', changed: 'busy', same: 'quiet', refused: 'abnormal' } as const;

/** The name of a field in a language. */
export function titleOf({ title }: ImportPreview['fields'][number], language: string): string {
  return language === 'ru' ? title.ru : title.en;
}

/** Whether the station works on it now. */
export function isUnderWay({ state }: ImportEntry): boolean {
  return state === 'writing' || state === 'undoing';
}

import type { FieldType, ImportField } from '../fields.ts';

export const shortText: FieldType = { kind: 'text', most: 100 };
export const longText: FieldType = { kind: 'text', most: 20_000 };

export const ID_FIELD: ImportField = {
  name: 'id',
  type: { kind: 'whole', least: 1, most: 2_147_483_647 },
  heads: ['Id', 'Ид.', 'Number', 'Номер'],
};

export const NOTES_FIELD: ImportField = {
  name: 'notes',
  type: longText,
  heads: ['Notes', 'Примечания', 'Note', 'Примечание', 'Comment', 'Комментарий', 'Description', 'Описание'],
};

export const ORGANIZATION_FIELD: ImportField = {
  name: 'organizationId',
  type: { kind: 'one', of: 'organization' },
  heads: ['Organisation', 'Организация', 'Organization', 'Department', 'Отдел', 'Подразделение'],
};

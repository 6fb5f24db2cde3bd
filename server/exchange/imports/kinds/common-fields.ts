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

export const NAME_FIELD: ImportField = {
  name: 'name',
  type: shortText,
  heads: ['Name', 'Название', 'Title', 'Заголовок', 'Имя'],
};

/** The shape of a map file, or GeoJSON in a cell. */
export const SHAPE_FIELD: ImportField = {
  name: 'geometry',
  type: { kind: 'geometry' },
  heads: ['Shape', 'Фигура', 'geometry', 'GeoJSON', 'Геометрия'],
};

export const COLOR_FIELD: ImportField = { name: 'color', type: shortText, heads: ['Colour', 'Цвет', 'Color'] };

export const VIEW_FIELD: ImportField = {
  name: 'view',
  type: { kind: 'flag' },
  heads: ['Shown on the map', 'На карте', 'Visible', 'Виден'],
};

import type { Words } from '../catalogue.ts';

/** Looking something up among all tasks there are. */
export const en = {
  words: 'Number or words (F)',
  withArchive: 'The archive too',
  inArchive: 'Archive',
  hasPhoto: 'With photos',
  hasVideo: 'With video',
  hasFile: 'With files',
  hasAudio: 'With sound',
  sorts: { news_date: 'By date', update_date: 'By last change', id: 'By number', user_id: 'By author', news_type_id: 'By type', category_id: 'By category' },
  descending: 'Last first',
  ascending: 'First first',
  clear: 'Clear the filters',
  found: 'Found tasks',
  all: '{all} tasks',
  lookedThrough: '{found} found, {looked} of {all} looked through',
  further: 'Look further',
  looking: 'Looking through the tasks',
  under: '#{id} · {type} · {department}',
};

export const ru: Words<typeof en> = {
  words: 'Номер или слова (F)',
  withArchive: 'И архив',
  inArchive: 'Архив',
  hasPhoto: 'С фото',
  hasVideo: 'С видео',
  hasFile: 'С файлами',
  hasAudio: 'Со звуком',
  sorts: { news_date: 'По дате', update_date: 'По изменению', id: 'По номеру', user_id: 'По автору', news_type_id: 'По виду работ', category_id: 'По категории' },
  descending: 'Сначала последние',
  ascending: 'Сначала первые',
  clear: 'Сбросить фильтры',
  found: 'Найденные задачи',
  all: 'Задач: {all}',
  lookedThrough: 'Найдено {found}, просмотрено {looked} из {all}',
  further: 'Искать дальше',
  looking: 'Просмотр задач',
  under: '#{id} · {type} · {department}',
};

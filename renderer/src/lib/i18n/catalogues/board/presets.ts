import type { Translation } from '../catalogue.ts';

/** Layouts and views that people share. */
export const en = {
  share: 'Share',
  shareWithAll: 'Share with all organisations',
  ofOthers: 'Shared by others',
  by: '{name} · {who}',
  sharedBy: 'Shared by {who}',
  sharedByMe: 'Shared by you',
  takesChanges: 'Follows the changes of {who} until you save your own version.',
  withdraw: 'Stop sharing',
  shared: 'Shared with others: {name}',
  changed: 'Changed for everybody: {name}',
  withdrawn: 'No longer shared: {name}',
  taken: 'In use: {name}',
  somebody: 'Somebody',
};

export const ru: Translation<typeof en> = {
  share: 'Поделиться',
  shareWithAll: 'Поделиться со всеми организациями',
  ofOthers: 'Общие, от других',
  by: '{name} · {who}',
  sharedBy: 'Общее, от: {who}',
  sharedByMe: 'Общее, от вас',
  takesChanges: 'Следует изменениям от {who}, пока вы не сохраните свой вариант.',
  withdraw: 'Больше не делиться',
  shared: 'Доступно другим: {name}',
  changed: 'Изменено для всех: {name}',
  withdrawn: 'Больше не общее: {name}',
  taken: 'Используется: {name}',
  somebody: 'Кто-то',
};

import type { Translation } from '../catalogue.ts';

/** The bar on top: clock, palette, language, the light of the connection. */
export const en = {
  bar: {
    pages: 'Pages',
    clock: 'Time',
    palette: 'Palette: {palette}. P shows the next one',
    language: 'English. Перейти на русский: L',
    help: 'Keyboard shortcuts (?)',
    signOut: 'Sign out {name}',
    leaving: {
      title: 'Sign out?',
      unsaved: 'Everything is saved. | One unsaved change will be lost. | {n} unsaved changes will be lost.',
      stay: 'Stay',
      leave: 'Sign out and discard',
    },
  },
  light: {
    explain: 'Connection to the station: disc – up to date, triangle – catching up, cross – disconnected',
    current: 'Current',
    catchingUp: 'Catching up',
    connecting: 'Connecting',
    quiet: 'No data for',
    cut: 'Offline for',
  },
};

export const ru: Translation<typeof en> = {
  bar: {
    pages: 'Страницы',
    clock: 'Время',
    palette: 'Палитра: {palette}. Сменить: P',
    language: 'Русский. Switch to English: L',
    help: 'Клавиши (?)',
    signOut: 'Выйти: {name}',
    leaving: {
      title: 'Выйти?',
      unsaved:
        'Всё сохранено. | Не сохранено и пропадёт: {n} запись. | Не сохранено и пропадёт: {n} записи. | Не сохранено и пропадёт: {n} записей.',
      stay: 'Остаться',
      leave: 'Выйти, не сохраняя',
    },
  },
  light: {
    explain: 'Связь со станцией: круг, когда всё актуально; треугольник, когда что-то отстаёт; крест, когда связи нет',
    current: 'Актуально',
    catchingUp: 'Обновление',
    connecting: 'Подключение',
    quiet: 'Нет данных',
    cut: 'Нет связи',
  },
};

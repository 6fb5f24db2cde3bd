import type { Translation } from '../catalogue.ts';

/** The telephones of crews, as dispatchers see them. */
export const en = {
  about: 'A crew opens its page on a telephone with a code. It sees the tasks of its vehicle and nothing else.',
  vehicle: 'Vehicle',
  choose: 'Choose a vehicle',
  make: 'Make a code',
  code: 'Code for {name}',
  scan: 'Scan this with the telephone, or open {address} and enter the code.',
  picture: 'QR code with the address and the code',
  until: 'It works once, until {time}. A new code makes it void.',
  close: 'Close',
  none: 'No crew is signed in',
  noneText: 'Choose a vehicle and make a code.',
  used: 'used {time}',
  ends: 'ends {time} if it is not used',
  by: 'code by {name}',
  end: 'End',
  sessions: 'Telephones that are signed in',
};

export const ru: Translation<typeof en> = {
  about: 'Экипаж открывает свою страницу на телефоне по коду. Он видит только задачи своей машины.',
  vehicle: 'Машина',
  choose: 'Выберите машину',
  make: 'Создать код',
  code: 'Код для «{name}»',
  scan: 'Наведите камеру телефона или откройте {address} и введите код.',
  picture: 'QR-код с адресом и кодом',
  until: 'Действует один раз, до {time}. Новый код его отменяет.',
  close: 'Закрыть',
  none: 'Ни один экипаж не вошёл',
  noneText: 'Выберите машину и создайте код.',
  used: 'был на связи {time}',
  ends: 'закончится {time}, если не пользоваться',
  by: 'код создал: {name}',
  end: 'Завершить',
  sessions: 'Телефоны, с которых вошли',
};

import { i18n } from './index.ts';

/**
 * Texts that the station records from others: why mail was not sent, in the words of its mail server or
 * network, and why a device record could not be read. The station writes English; these are the common ones
 * in Russian. Other texts and values stay as they came.
 */
const TRANSLATIONS: readonly (readonly [said: RegExp, russian: string])[] = [
  [
    /^No mail server is set \(WAYPOST_SMTP_URL\), so nothing is sent\.$/,
    'Почтовый сервер не задан (WAYPOST_SMTP_URL), поэтому письма не уходят.',
  ],
  [
    /^The recipient has no e-mail address, so nothing is sent\.$/,
    'У получателя нет адреса почты, поэтому письмо не отправлено.',
  ],
  [/^The mailbox cannot be reached: (.+)$/s, 'Почтовый ящик недоступен: $1'],
  [/^Mail cannot be received by SMTP: (.+)$/s, 'Приём почты по SMTP не работает: $1'],
  [
    /^citizens\.user names (.+), who may not sign in: citizens cannot report\.$/,
    'В citizens.user указан $1, кто не может войти: жители не могут сообщать.',
  ],
  [/^Warnings can no longer be read: (.+)\.$/s, 'Предупреждения больше не читаются: $1.'],
  [/^The document cannot be read: (.+)$/s, 'Документ не читается: $1'],
  [/^The server did not answer in time\.$/, 'Сервер не ответил вовремя.'],
  [/^The document is larger than (\d+) MB\.$/, 'Документ больше $1 МБ.'],
  [/^The host (\S+) is not known\.$/, 'Хост $1 неизвестен.'],
  [/^The feed names an address inside the own network: (.+)\.$/, 'Источник называет адрес внутри нашей сети: $1.'],
  [/^The address redirects too often\.$/, 'Адрес слишком часто перенаправляет.'],
  [/^The feed has more than (\d+) warnings\.$/, 'В источнике больше $1 предупреждений.'],
  [/^Mails waiting in the mailbox: (\d+)\.$/, 'Писем ждёт в почтовом ящике: $1.'],
  [/^connect ECONNREFUSED (.+)$/, 'Почтовый сервер не принимает соединение: $1'],
  [/^connect (?:EHOSTUNREACH|ENETUNREACH) (.+)$/, 'До почтового сервера нет пути по сети: $1'],
  [/^(?:connect ETIMEDOUT.*|Connection timeout)$/, 'Почтовый сервер не отвечает.'],
  [/^getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (.+)$/, 'Адрес почтового сервера не найден: $1'],
  [/^Greeting never received$/, 'Почтовый сервер не поздоровался: возможно, порт не тот.'],
  [
    /^(?:Timeout|read ECONNRESET|write EPIPE|(?:Connection|Socket) closed(?: unexpectedly)?)$/,
    'Связь с почтовым сервером оборвалась.',
  ],
  [/^Invalid login(?:: (.*))?$/s, 'Почтовый сервер не принял логин или пароль: $1'],
  [/^Missing credentials for .+$/, 'Почтовый сервер требует логин и пароль.'],
  [/^self[- ]signed certificate.*$/, 'Сертификат почтового сервера подписан им самим, и станция ему не доверяет.'],
  [/^certificate has expired$/, 'Срок сертификата почтового сервера истёк.'],
  [/^Hostname\/IP does not match certificate's altnames: (.+)$/, 'Сертификат выдан на другое имя: $1'],
  [/^No recipients defined$/, 'Нет получателя.'],
  [/^Can't send mail - all recipients were rejected: (.*)$/s, 'Почтовый сервер не принял получателя: $1'],
  [/^(?:Mail command|Recipient command|Data command|Message) failed: (.*)$/s, 'Почтовый сервер не принял письмо: $1'],
  [/^(\S+): Invalid input: expected (?:\w+), received undefined$/, '$1: нужно заполнить'],
  [/^(\S+): Invalid input: expected number, received \w+$/, '$1: нужно число'],
  [/^(\S+): Invalid input: expected int, received \w+$/, '$1: нужно целое число'],
  [/^(\S+): Invalid input: expected string, received \w+$/, '$1: нужен текст'],
  [/^(\S+): Invalid input: expected array, received \w+$/, '$1: нужен список'],
  [/^(\S+): Invalid input: expected (?:record|object), received \w+$/, '$1: нужен объект'],
  [/^(\S+): Too (?:big|small): expected (?:number|int) to be ([<>]=?)\s?(\S+)$/, '$1: нужно число $2 $3'],
  [/^(\S+): Too big: expected string to have <=(\d+) characters$/, '$1: не длиннее $2 знаков'],
  [/^(\S+): Too small: expected string to have >=\d+ characters$/, '$1: не может быть пустым'],
  [/^(\S+): Too big: expected array to have <=(\d+) items$/, '$1: не больше $2 значений'],
  [/^(.+): Invalid key in record$/s, '$1: имя слишком длинное'],
  [/^(\S+): Invalid input$/, '$1: нужно число, текст или да/нет'],
  [/^record: glonassId or imei is missing\.$/, 'Не указаны ни glonassId, ни imei.'],
  [/^No vehicle has the device (.+)\.$/, 'Трекера $1 нет ни у одной машины.'],
  [
    /^Another record of (.+) has this time \((\d+)\) and says something else\.$/,
    'У трекера $1 уже есть другая запись с этим временем ($2).',
  ],
  [
    /^The record is older than the tracks of its organisation are kept\.$/,
    'Запись старше, чем организация хранит треки.',
  ],
  [
    /^The clock of the device is (\d+) s ahead of the station's; at most (\d+) s are believed\.$/,
    'Часы трекера спешат на $1 с; допускается не больше $2 с.',
  ],
  [
    /^The tracks of that time are in a damaged file that was set aside\.$/,
    'Треки того времени – в повреждённом файле, отложенном в сторону.',
  ],
  [
    /^a record without a position, of a vehicle that never had one$/,
    'Запись без места, а прежнего места у машины нет.',
  ],
  [/^a record without a position$/, 'Запись без места.'],
  [/^a position of fewer than (\d+) bytes$/, 'Место короче $1 байт.'],
  [
    /^the (?:CRC|checksum) of the header is wrong: where the packet ends is not known$/,
    'Контрольная сумма заголовка не сходится: где кончается пакет, неизвестно.',
  ],
  [/^the (?:CRC|checksum)(?: of .+)? is wrong$/, 'Контрольная сумма не сходится.'],
  [/^the time (.*) is not valid$/, 'Такого времени нет: $1'],
  [/^the coordinates (.*) are not valid$/, 'Таких координат нет: $1'],
  [/^the analog inputs are not numbers: (.*)$/s, 'Аналоговые входы – не числа: $1'],
  [/^the number of satellites is not valid: (.*)$/s, 'Такого числа спутников нет: $1'],
  [/^a (short|full) record has (\d+) fields, this one (\d+)$/, 'В записи должно быть полей: $2, а здесь: $3.'],
  [/^more than (\d+) records in one packet$/, 'В одном пакете больше записей, чем можно: $1.'],
  [/^more than (\d+) packets in one datagram$/, 'В одной датаграмме больше пакетов, чем можно: $1.'],
  [/^more than (\d+) parameters$/, 'Параметров больше, чем можно: $1.'],
  [/^a parameter is name:type:value, not (.*)$/s, 'Параметр – это имя:тип:значение, а не $1'],
  [/^the name of a parameter has at most (\d+) characters$/, 'Имя параметра не длиннее $1 знаков.'],
  [/^the text of (.+) has more than (\d+) characters$/s, 'Текст параметра $1 длиннее $2 знаков.'],
  [/^(id|device_id|location) is missing$/, 'Нет поля $1.'],
  [/^timestamp is not a time$/, 'Поле timestamp – не время.'],
  [/^(lat and lon|latitude and longitude) are degrees$/, 'Широта и долгота – это градусы.'],
  [/^lat and lon go together$/, 'Широта и долгота нужны обе.'],
  [/^lat is from -90 to 90, lon from -180 to 180$/, 'Широта – от -90 до 90, долгота – от -180 до 180.'],
  [/^not a Wialon (?:datagram|frame)$/, 'Это не пакет Wialon.'],
  [/^not an EGTS header$/, 'Это не заголовок EGTS.'],
  [/^a frame without an end$/, 'Пакет без конца.'],
  [/^the compression container does not unpack$/, 'Сжатый пакет не распаковывается.'],
  [/^a login without a device$/, 'Трекер не назвал себя.'],
  [/^a picture block of no sensible size$/, 'Размер части снимка невозможен.'],
  [/^a connection begins with the length of an IMEI$/, 'Соединение должно начинаться с длины IMEI.'],
  [/^an IMEI has digits only$/, 'Номер IMEI состоит только из цифр.'],
  [/^an AIS message is too short$/, 'Сообщение AIS слишком короткое.'],
  [/^an AIS message is shorter than its type$/, 'Сообщение AIS короче, чем нужно для его типа.'],
  [/^the parts of an AIS message are not counted$/, 'Части сообщения AIS не пронумерованы.'],
  [/^the payload of an AIS message is not six-bit text$/, 'Содержание сообщения AIS — не шестибитный текст.'],
  [/^more than (\d+) sentences in one datagram$/, 'В одной датаграмме больше предложений NMEA, чем можно: $1.'],
  [/^a sentence without an end$/, 'Предложение NMEA без конца.'],
  [/^not a sentence of NMEA$/, 'Это не предложение NMEA.'],
  [/^the check sum is wrong$/, 'Контрольная сумма неверна.'],
  [/^the check sum of the tag block is wrong$/, 'Контрольная сумма блока тегов неверна.'],
  [/^no tag block names the source of a position$/, 'Блок тегов не называет источник положения.'],
  [/^the time of a position is not valid$/, 'Время положения неверно.'],
  [/^the coordinates of a position are not valid$/, 'Координаты положения неверны.'],
  [/^the time (\S+) is not valid$/, 'Такого времени не бывает: $1.'],
  [/^a packet names no unit$/, 'Пакет не называет объекта.'],
  [/^a block is longer than its packet$/, 'Блок длиннее своего пакета.'],
  [/^a text without an end$/, 'Текст без конца.'],
  [/^a value has another length than its kind$/, 'Длина значения не подходит к его виду.'],
  [/^a position is shorter than it has to be$/, 'Положение короче, чем должно быть.'],
  [/^a text of another length$/, 'Длина текста не та, что в нём указана.'],
  [/^a datagram of another length$/, 'Длина датаграммы не та, что в ней указана.'],
  [/^a datagram names an IMEI$/, 'Датаграмма не называет IMEI.'],
  [/^the publication is not JSON$/, 'Сообщение брокера — не JSON.'],
  [/^a publication of more than 64 KB$/, 'Сообщение брокера больше 64 КБ.'],
  [
    /^the publication is encrypted, and the station has no key$/,
    'Сообщение брокера зашифровано, а ключа у станции нет.',
  ],
  [/^the publication is of no known program$/, 'Сообщение брокера — неизвестной программы.'],
  [/^a packet begins with four zeros$/, 'Пакет должен начинаться с четырёх нулей.'],
  [/^a packet of (\d+) bytes$/, 'Размер пакета невозможен, байт: $1.'],
  [/^the packet does not hold as many records as it says$/, 'В пакете не столько записей, сколько он говорит.'],
  [/^the packet is shorter than it says$/, 'Пакет короче, чем он говорит.'],
  [/^the records do not fill the packet$/, 'Записи не заполняют пакет.'],
];

/** In the operator's language where it is known; otherwise as it was written. */
export function stationText(said: string): string {
  return i18n.global.locale.value === 'en' ? said : russianStationText(said);
}

/** A record may have several faults at once. */
const NEXT_FAULT = /; (?=\S+: (?:Invalid|Too) )/;

export function russianStationText(said: string): string {
  return said.split(NEXT_FAULT).map(russianOf).join('; ');
}

function russianOf(said: string): string {
  for (const [pattern, russian] of TRANSLATIONS)
    if (pattern.test(said)) return said.replace(pattern, russian).replace(/: $/, '.');
  return said;
}

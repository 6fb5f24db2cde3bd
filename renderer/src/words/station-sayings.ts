import { i18n } from './index.ts';

/**
 * What the station writes down of others: why mail did not go, as its mail server or the network had it, and why a record of a device could not be read. The station
 * writes English; these are the common ones in Russian. What a server says itself, and the values of a record, stay as they came.
 */
const SAYINGS: readonly (readonly [said: RegExp, russian: string])[] = [
  [/^No mail server is set \(WAYPOST_SMTP_URL\), so nothing is sent\.$/, 'Почтовый сервер не задан (WAYPOST_SMTP_URL), поэтому письма не уходят.'],
  [/^connect ECONNREFUSED (.+)$/, 'Почтовый сервер не принимает соединение: $1'],
  [/^connect (?:EHOSTUNREACH|ENETUNREACH) (.+)$/, 'До почтового сервера нет пути по сети: $1'],
  [/^(?:connect ETIMEDOUT.*|Connection timeout)$/, 'Почтовый сервер не отвечает.'],
  [/^getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (.+)$/, 'Адрес почтового сервера не найден: $1'],
  [/^Greeting never received$/, 'Почтовый сервер не поздоровался: возможно, порт не тот.'],
  [/^(?:Timeout|read ECONNRESET|write EPIPE|(?:Connection|Socket) closed(?: unexpectedly)?)$/, 'Связь с почтовым сервером оборвалась.'],
  [/^Invalid login(?:: (.*))?$/s, 'Почтовый сервер не принял логин или пароль: $1'],
  [/^Missing credentials for .+$/, 'Почтовый сервер требует логин и пароль.'],
  [/^self[- ]signed certificate.*$/, 'Сертификат почтового сервера подписан им самим, и станция ему не доверяет.'],
  [/^certificate has expired$/, 'Срок сертификата почтового сервера истёк.'],
  [/^Hostname\/IP does not match certificate's altnames: (.+)$/, 'Сертификат выдан на другое имя: $1'],
  [/^No recipients defined$/, 'Нет получателя.'],
  [/^Can't send mail - all recipients were rejected: (.*)$/s, 'Почтовый сервер не принял получателя: $1'],
  [/^(?:Mail command|Recipient command|Data command|Message) failed: (.*)$/s, 'Почтовый сервер не принял письмо: $1'],
  [/^(.+): Invalid input: expected number, received (\w+)$/, '$1: нужно число'],
  [/^(.+): Too (?:big|small): expected (?:number|int) to be ([<>]=?)\s?(\S+)$/, '$1: нужно число $2 $3'],
  [/^(.+): Invalid input: expected (\w+), received undefined$/, '$1: нужно заполнить'],
  [/^No vehicle has the device (.+)\.$/, 'Прибора $1 нет ни у одной машины.'],
  [/^a record without a position, of a vehicle that never had one$/, 'Запись без места, а прежнего места у машины нет.'],
  [/^the (?:CRC|checksum)(?: of .+)? is wrong$/, 'Контрольная сумма не сходится.'],
  [/^the time (.+) is none$/, 'Такого времени нет: $1'],
  [/^the coordinates (.+) are none$/, 'Таких координат нет: $1'],
  [/^more than (\d+) records in one packet$/, 'В одном пакете больше записей, чем можно: $1.'],
];

/** In the operator's language where it is known; otherwise as it was written. */
export function stationSaying(said: string): string {
  return i18n.global.locale.value === 'en' ? said : russianSaying(said);
}

export function russianSaying(said: string): string {
  for (const [pattern, russian] of SAYINGS) if (pattern.test(said)) return said.replace(pattern, russian).replace(/: $/, '.');
  return said;
}

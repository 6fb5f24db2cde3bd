import { i18n } from './index.ts';

/**
 * Why a gateway, a webhook or a broker could not be reached, in the words of the network, of this station or of the
 * other side. The station writes English; these are the common ones in Russian. What the other side said stays.
 */
const TRANSLATIONS: readonly (readonly [said: RegExp, russian: string])[] = [
  [/^connect ECONNREFUSED (.+)$/, 'Там не принимают соединение: $1'],
  [/^connect (?:EHOSTUNREACH|ENETUNREACH) (.+)$/, 'Туда нет пути по сети: $1'],
  [/^(?:connect ETIMEDOUT.*|Connect Timeout Error.*|connack timeout)$/s, 'Оттуда не отвечают.'],
  [/^getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (.+)$/, 'Такой адрес не найден: $1'],
  [/^(?:read ECONNRESET|write EPIPE|other side closed|Connection closed|socket hang up)$/i, 'Связь оборвалась.'],
  [/^(?:bad port|unknown scheme|Failed to parse URL from .*)$/, 'Адрес не годится.'],
  [/^self[- ]signed certificate.*$/, 'Сертификат подписан им самим, и станция ему не доверяет.'],
  [/^unable to (?:verify the first|get local issuer) certificate$/, 'Сертификат выдан тем, кому станция не доверяет.'],
  [/^certificate has expired$/, 'Срок сертификата истёк.'],
  [/^Hostname\/IP does not match certificate's altnames: (.+)$/, 'Сертификат выдан на другое имя: $1'],
  [/^The gateway did not answer in time\.$/, 'Шлюз не ответил вовремя.'],
  [/^The receiver did not answer in time\.$/, 'Получатель не ответил вовремя.'],
  [/^The broker closed the connection\.$/, 'Брокер закрыл соединение.'],
  [/^Connection refused: (?:Not authorized|Bad User Name or Password)$/i, 'Брокер не принял логин или пароль.'],
  [/^Not connected yet\.$/, 'Соединения ещё нет.'],
  [/^The message centre refused the login \((.+)\)\.$/, 'Центр сообщений не принял логин или пароль ($1).'],
  [/^The connection to the message centre is gone\.$/, 'Связь с центром сообщений оборвалась.'],
  [/^The message centre does not answer\.$/, 'Центр сообщений не отвечает.'],
  [/^HTTP (\d+)(?:: (.+))?$/s, 'Ответ с кодом $1: $2'],
];

/** In the operator's language where it is known; otherwise as it was written. */
export function networkText(said: string): string {
  return i18n.global.locale.value === 'en' ? said : russianNetworkText(said);
}

export function russianNetworkText(said: string): string {
  for (const [pattern, russian] of TRANSLATIONS)
    if (pattern.test(said)) return said.replace(pattern, russian).replace(/: $/, '.');
  return said;
}

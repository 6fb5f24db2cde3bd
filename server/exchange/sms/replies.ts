import { Refusal } from '../../../shared/refusal.ts';
import type { SmsSettings } from './settings.ts';

type Language = SmsSettings['language'];

/** The statuses as crews write them and read them; the first word is the one that the station writes. */
export const STATUS_WORDS: Readonly<Record<Language, readonly (readonly string[])[]>> = {
  en: [
    ['emergency call', 'emergency', 'help', 'sos', 'mayday'],
    ['free', 'clear', 'available', 'free on radio'],
    ['at base', 'base', 'home'],
    ['en route', 'enroute', 'on the way', 'going'],
    ['on scene', 'onscene', 'scene', 'arrived', 'there'],
    ['request to speak', 'talk', 'call me', 'wants to talk'],
    ['out of service', 'out', 'off duty'],
    ['patient loaded', 'loaded'],
    ['at hospital', 'hospital'],
    ['acknowledged', 'accepted', 'accept'],
  ],
  ru: [
    ['сигнал бедствия', 'бедствие', 'помощь', 'помогите', 'сос'],
    ['свободна', 'свободен', 'свободны'],
    ['на базе', 'база'],
    ['в пути', 'выехал', 'выехали', 'еду', 'едем'],
    ['на месте', 'прибыл', 'прибыла', 'прибыли'],
    ['просит связи', 'прошу связи', 'связь', 'перезвоните'],
    ['не в строю', 'не работаю', 'не работаем'],
    ['пациент на борту', 'погрузили'],
    ['в больнице', 'больница'],
    ['принято', 'принял', 'приняла', 'приняли'],
  ],
};
/** Words that answer a text without a status. */
const ANSWERS = ['ok', 'okay', 'yes', 'roger', 'understood', 'ок', 'окей', 'да', 'понял', 'поняла', 'поняли', 'ясно'];

export type Reply =
  { readonly kind: 'status'; readonly status: number } | { readonly kind: 'answer' } | { readonly kind: 'words' };

/**
 * The meaning of a crew's text. Only a text that is a digit or a word of the list and nothing else sets a
 * status; "2 injured" does not.
 */
export function replyOf(text: string): Reply {
  const plain = text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[\s,.!;:"'«»()]+/g, ' ')
    .trim()
    .replace(/^(?:status|статус) /, '');
  if (/^\d$/.test(plain)) return { kind: 'status', status: Number(plain) };
  for (const words of Object.values(STATUS_WORDS)) {
    const status = words.findIndex((all) => all.some((word) => plainWord(word) === plain));
    if (status >= 0) return { kind: 'status', status };
  }
  return ANSWERS.includes(plain) ? { kind: 'answer' } : { kind: 'words' };
}

const plainWord = (word: string): string => word.replaceAll('ё', 'е').replaceAll(',', '');

const TEXTS = {
  en: {
    set: (vehicle: string, status: number) => `${vehicle}: ${status} ${STATUS_WORDS.en[status]![0]!}.`,
    notSet: (vehicle: string, status: number, why: string) =>
      `${vehicle}: ${status} ${STATUS_WORDS.en[status]![0]!} was not set. ${why}`,
    test: (station: string) => `Test from ${station}.`,
    task: 'Task',
    caller: 'Caller',
    mustAnswer: 'Answer OK.',
    statuses: 'Answer 9 acknowledged, 3 en route, 4 on scene, 1 free.',
  },
  ru: {
    set: (vehicle: string, status: number) => `${vehicle}: ${status} ${STATUS_WORDS.ru[status]![0]!}.`,
    notSet: (vehicle: string, status: number, why: string) =>
      `${vehicle}: статус ${status} (${STATUS_WORDS.ru[status]![0]!}) не поставлен. ${why}`,
    test: (station: string) => `Проверка связи: ${station}.`,
    task: 'Задача',
    caller: 'Звонил',
    mustAnswer: 'Ответьте ОК.',
    statuses: 'Ответ: 9 принято, 3 в пути, 4 на месте, 1 свободны.',
  },
} as const;

export const textsIn = (language: Language) => TEXTS[language];

/** Why a status was refused, in the crew's language. */
export function smsRefusalText(refusal: Refusal, language: Language): string {
  if (language === 'en') return refusal.message;
  const id = String(refusal.params['id'] ?? '');
  switch (refusal.code) {
    case 'crews.overtaken':
      return 'Статус уже изменён позже.';
    case 'crews.onTask':
      return `Вы на задаче ${id}: сначала верните её.`;
    case 'fleet.sent':
      return `Вы направлены на задачу ${id} и ещё не прибыли.`;
    default:
      return 'Сейчас это невозможно. Свяжитесь с диспетчером.';
  }
}

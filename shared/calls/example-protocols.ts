import type { ProtocolAnswer, ProtocolQuestion } from '../records/index.ts';
import type { Language } from '../text/language.ts';

/** A protocol to begin with, and the types of task that it suits, by their names. */
export interface ExampleProtocol {
  readonly name: string;
  readonly suits: RegExp;
  readonly questions: readonly ProtocolQuestion[];
}

const answer = (text: string, nextId = 0, more: Partial<ProtocolAnswer> = {}): ProtocolAnswer => ({
  text,
  nextId,
  priority: 0,
  typeId: 0,
  advice: '',
  needs: [],
  ...more,
});

const en: readonly ExampleProtocol[] = [
  {
    name: 'Fire',
    suits: /fire|пожар/i,
    questions: [
      {
        id: 1,
        text: 'Is anybody inside?',
        answers: [
          answer('Yes', 2, {
            priority: 1,
            advice: 'Shut the door to the fire. Stay at the window, low. We are coming.',
          }),
          answer('No', 3, { advice: 'Stay outside. Nobody goes back in.' }),
          answer('Not known', 3, { priority: 2 }),
        ],
      },
      {
        id: 2,
        text: 'Can they get out by themselves?',
        answers: [answer('Yes', 3), answer('No', 3), answer('Not known', 3)],
      },
      {
        id: 3,
        text: 'Flames, or smoke only?',
        answers: [answer('Flames', 4, { priority: 2 }), answer('Smoke', 4, { priority: 2 }), answer('Only a smell')],
      },
      {
        id: 4,
        text: 'Gas bottles, chemicals, batteries?',
        answers: [answer('Yes', 0, { priority: 1, advice: 'Keep 100 m away.' }), answer('No'), answer('Not known')],
      },
    ],
  },
  {
    name: 'Medical call',
    suits: /medic|ambulance|скорая|медиц/i,
    questions: [
      {
        id: 1,
        text: 'Is the person awake?',
        answers: [answer('Yes', 3), answer('No', 2, { priority: 1 }), answer('Not known', 2, { priority: 1 })],
      },
      {
        id: 2,
        text: 'Does the person breathe normally?',
        answers: [
          answer('Yes', 4, { advice: 'Turn the person on the side. Stay with them.' }),
          answer('No', 0, { priority: 1, advice: 'Push hard and fast on the middle of the chest. I count with you.' }),
        ],
      },
      {
        id: 3,
        text: 'Pain in the chest, or trouble with breathing?',
        answers: [
          answer('Yes', 4, { priority: 1, advice: 'Sit down, loosen tight clothes. Do not drive.' }),
          answer('No', 4),
        ],
      },
      {
        id: 4,
        text: 'Heavy bleeding?',
        answers: [
          answer('Yes', 0, { priority: 1, advice: 'Press a clean cloth on the wound and do not let go.' }),
          answer('No', 0, { priority: 3 }),
        ],
      },
    ],
  },
  {
    name: 'Traffic accident',
    suits: /traffic|accident|crash|дтп|авари/i,
    questions: [
      {
        id: 1,
        text: 'Is anybody trapped or hurt?',
        answers: [
          answer('Trapped', 2, { priority: 1, advice: 'Do not pull. Switch the engine off. Keep them talking.' }),
          answer('Hurt', 2, { priority: 1 }),
          answer('Nobody', 2, { priority: 3 }),
          answer('Not known', 2, { priority: 2 }),
        ],
      },
      {
        id: 2,
        text: 'Does fuel leak, or does a vehicle smoke?',
        answers: [
          answer('Yes', 3, { priority: 2, advice: 'Everybody away from the vehicles. Nobody smokes.' }),
          answer('No', 3),
        ],
      },
      { id: 3, text: 'Is the road blocked?', answers: [answer('Yes'), answer('One lane'), answer('No')] },
    ],
  },
];

const ru: readonly ExampleProtocol[] = [
  {
    name: 'Пожар',
    suits: en[0]!.suits,
    questions: [
      {
        id: 1,
        text: 'Есть ли кто внутри?',
        answers: [
          answer('Да', 2, {
            priority: 1,
            advice: 'Закройте дверь туда, где горит. Будьте у окна, ниже к полу. Мы едем.',
          }),
          answer('Нет', 3, { advice: 'Оставайтесь на улице. Никто не возвращается.' }),
          answer('Неизвестно', 3, { priority: 2 }),
        ],
      },
      {
        id: 2,
        text: 'Могут ли они выйти сами?',
        answers: [answer('Да', 3), answer('Нет', 3), answer('Неизвестно', 3)],
      },
      {
        id: 3,
        text: 'Огонь или только дым?',
        answers: [answer('Огонь', 4, { priority: 2 }), answer('Дым', 4, { priority: 2 }), answer('Только запах')],
      },
      {
        id: 4,
        text: 'Есть ли баллоны, химия, аккумуляторы?',
        answers: [answer('Да', 0, { priority: 1, advice: 'Отойдите на 100 м.' }), answer('Нет'), answer('Неизвестно')],
      },
    ],
  },
  {
    name: 'Скорая помощь',
    suits: en[1]!.suits,
    questions: [
      {
        id: 1,
        text: 'Человек в сознании?',
        answers: [answer('Да', 3), answer('Нет', 2, { priority: 1 }), answer('Неизвестно', 2, { priority: 1 })],
      },
      {
        id: 2,
        text: 'Дышит нормально?',
        answers: [
          answer('Да', 4, { advice: 'Поверните на бок. Будьте рядом.' }),
          answer('Нет', 0, {
            priority: 1,
            advice: 'Сильно и часто нажимайте на середину груди. Я считаю вместе с вами.',
          }),
        ],
      },
      {
        id: 3,
        text: 'Боль в груди или тяжело дышать?',
        answers: [
          answer('Да', 4, { priority: 1, advice: 'Посадите, расстегните тесную одежду. За руль нельзя.' }),
          answer('Нет', 4),
        ],
      },
      {
        id: 4,
        text: 'Сильное кровотечение?',
        answers: [
          answer('Да', 0, { priority: 1, advice: 'Прижмите к ране чистую ткань и не отпускайте.' }),
          answer('Нет', 0, { priority: 3 }),
        ],
      },
    ],
  },
  {
    name: 'ДТП',
    suits: en[2]!.suits,
    questions: [
      {
        id: 1,
        text: 'Кто-нибудь зажат или ранен?',
        answers: [
          answer('Зажат', 2, { priority: 1, advice: 'Не вытаскивайте. Заглушите двигатель. Говорите с ним.' }),
          answer('Ранен', 2, { priority: 1 }),
          answer('Никто', 2, { priority: 3 }),
          answer('Неизвестно', 2, { priority: 2 }),
        ],
      },
      {
        id: 2,
        text: 'Течёт топливо или дымит машина?',
        answers: [answer('Да', 3, { priority: 2, advice: 'Все отходят от машин. Никто не курит.' }), answer('Нет', 3)],
      },
      { id: 3, text: 'Дорога перекрыта?', answers: [answer('Да'), answer('Одна полоса'), answer('Нет')] },
    ],
  },
];

export const EXAMPLE_PROTOCOLS: Readonly<Record<Language, readonly ExampleProtocol[]>> = { en, ru };

/** The examples that suit types of the station, each with the ids of those types. */
export function examplesFor(
  types: readonly { readonly id: number; readonly name: string }[],
  language: Language,
): { name: string; typeIds: number[]; questions: ProtocolQuestion[] }[] {
  return EXAMPLE_PROTOCOLS[language]
    .map(({ name, suits, questions }) => ({
      name,
      typeIds: types.filter((type) => suits.test(type.name)).map(({ id }) => id),
      questions: [...questions],
    }))
    .filter(({ typeIds }) => typeIds.length > 0);
}

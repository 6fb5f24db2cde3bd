import { beforeAll, expect, test } from 'vitest';
import { transliterate } from '../../../../shared/text/transliterate.ts';
import { SEED, numbers } from '../../../support/chance.ts';
import { DrawnTown } from './drawn-town.ts';
import type { OpenTown } from './drawn-town.ts';
import { mistype, pick } from './mistype.ts';

const chance = numbers(SEED);
const STREETS = 160;

/**
 * Names that could be real and are far enough apart: two syllables from one list, one from another, and a
 * kind.
 */
const RUSSIAN = [
  'Лазур',
  'Берёз',
  'Камен',
  'Серебр',
  'Дубров',
  'Ягод',
  'Хвойн',
  'Чернич',
  'Шахт',
  'Щедр',
  'Цветоч',
  'Юбилей',
  'Электр',
  'Жемчуж',
  'Полев',
  'Озёр',
];
const RUSSIAN_ENDINGS = ['инская', 'овская', 'ецкая', 'альная', 'истая', 'огорская', 'ополевая', 'оречная'];
const LATIN = [
  'Marl',
  'Thorn',
  'Wick',
  'Bram',
  'Fenn',
  'Oak',
  'Quill',
  'Strat',
  'Ever',
  'Hazel',
  'Chats',
  'Wolver',
  'Pember',
  'Lang',
  'Rother',
  'Dun',
];
const LATIN_ENDINGS = ['borough', 'wood', 'stead', 'combe', 'field', 'bridge', 'minster', 'hampton'];
const KINDS = { cyrillic: ['улица', 'проспект', 'переулок'], latin: ['Street', 'Road', 'Avenue', 'Lane'] };

const names: string[] = [];
let town: OpenTown;

beforeAll(async () => {
  const drawn = new DrawnTown();
  const pool = [
    ...RUSSIAN.flatMap((a) => RUSSIAN_ENDINGS.map((b) => `${pick(KINDS.cyrillic, chance)} ${a}${b}`)),
    ...LATIN.flatMap((a) => LATIN_ENDINGS.map((b) => `${a}${b} ${pick(KINDS.latin, chance)}`)),
  ];
  while (names.length < STREETS) {
    const [name] = pool.splice(Math.floor(chance() * pool.length), 1);
    names.push(name!);
    const y = names.length * 300;
    drawn.street(name!, [0, y], [250, y]);
    drawn.house(name!, '1', [10, y + 8]).house(name!, '21', [210, y + 8]);
  }
  town = await drawn.open();
});

/** What stands in the name besides its kind. */
function ownWord(name: string): string {
  return name.split(' ').find((word) => !KINDS.cyrillic.includes(word) && !KINDS.latin.includes(word))!;
}

test('any beginning of a street’s name, of three letters or more, finds it', () => {
  for (const name of names) {
    const own = ownWord(name);
    const length = 3 + Math.floor(chance() * (own.length - 2));
    const query = own.slice(0, length);
    // Many streets may begin so: it is among all that do.
    expect(town.labels(query, { limit: 50 }), `${query} for ${name}`).toContain(name);
  }
});

test('the whole name, in either alphabet and any case, finds the street first', () => {
  for (const name of names) {
    for (const query of [
      name,
      name.toUpperCase(),
      transliterate(name),
      transliterate(name).toLowerCase(),
      name.split(' ').reverse().join(' '),
    ])
      expect(town.labels(query)[0], query).toBe(name);
  }
});

test('one typing mistake in a name of six letters or more leaves it among the first three', () => {
  for (let i = 0; i < 500; i++) {
    const name = pick(names, chance);
    const query = mistype(ownWord(name), chance);
    expect(town.labels(query, { limit: 3 }), `${query} for ${name}`).toContain(name);
  }
});

test('a mistake in the transliterated name, too', () => {
  for (let i = 0; i < 300; i++) {
    const name = pick(names, chance);
    const query = mistype(transliterate(ownWord(name)), chance);
    expect(town.labels(query, { limit: 3 }), `${query} for ${name}`).toContain(name);
  }
});

test('every house number between the known ones is found, in order along the street', () => {
  for (let i = 0; i < 40; i++) {
    const name = pick(names, chance);
    let before = -1;
    for (let number = 1; number <= 21; number += 2) {
      const hit = town.search(`${name} ${number}`, { limit: 1 })[0]!;
      expect(hit.label).toBe(number === 1 || number === 21 ? `${name} ${number}` : `${name} ≈${number}`);
      expect(hit.lon).toBeGreaterThan(before);
      before = hit.lon;
    }
  }
});

test('scores are from 0 to 1, in order, and every answer is bounded by its limit', () => {
  const letters = [...'абвгдеёж zhkhts0123456789/,&.-"\'*()№ '];
  for (let i = 0; i < 500; i++) {
    const query = Array.from({ length: Math.floor(chance() * 30) }, () => pick(letters, chance)).join('');
    const limit = 1 + Math.floor(chance() * 12);
    const hits = town.search(query, { limit });
    expect(hits.length, query).toBeLessThanOrEqual(limit);
    hits.forEach(({ score }, at) => {
      expect(score >= 0 && score <= 1, query).toBe(true);
      if (at > 0) expect(score, query).toBeLessThanOrEqual(hits[at - 1]!.score);
    });
  }
});

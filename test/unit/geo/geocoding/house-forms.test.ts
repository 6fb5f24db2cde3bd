import { beforeAll, describe, expect, test } from 'vitest';
import { numberLikeness, parseHouseNumber } from '../../../../server/geo/territory/places/house-number.ts';
import { Chance } from '../../../support/chance.ts';
import { DrawnTown } from './drawn-town.ts';
import type { OpenTown } from './drawn-town.ts';

interface RussianNumber {
  digits: number;
  letter?: string;
  block?: number;
  building?: number;
}

/** As on the map: "17Ак3с1". */
const mapped = ({ digits, letter = '', block, building }: RussianNumber): string =>
  `${digits}${letter}${block ? `к${block}` : ''}${building ? `с${building}` : ''}`;

/** The forms in which offices, crews and callers write a street and a number. */
const FORMS: Readonly<Record<string, (street: string, number: RussianNumber) => string>> = {
  'ул. X, д. N, корп. K, стр. M': (street, { digits, letter = '', block, building }) =>
    `ул. ${street}, д. ${digits}${letter}${block ? `, корп. ${block}` : ''}${building ? `, стр. ${building}` : ''}`,
  'the same without commas': (street, { digits, letter = '', block, building }) =>
    `ул ${street} д ${digits}${letter}${block ? ` корп ${block}` : ''}${building ? ` стр ${building}` : ''}`,
  'улица X, дом N, корпус K, строение M, кв. 5': (street, { digits, letter = '', block, building }) =>
    `улица ${street}, дом ${digits}${letter}${block ? `, корпус ${block}` : ''}${building ? `, строение ${building}` : ''}, кв. 5`,
  'X NкKсM': (street, number) => `${street} ${mapped(number)}`,
  'X, N к.K с.M': (street, { digits, letter = '', block, building }) =>
    `${street}, ${digits}${letter}${block ? ` к.${block}` : ''}${building ? ` с.${building}` : ''}`,
  'г. Тихвинск, ул. X, д.NкKсM': (street, number) => `г. Тихвинск, ул. ${street}, д.${mapped(number)}`,
  '187550, Тихвинск, X ул., N': (street, number) => `187550, Тихвинск, ${street} ул., ${mapped(number)}`,
  'in Latin letters': (street, { digits, letter = '', block, building }) =>
    `ul. ${LATIN[street]!}, d. ${digits}${letter}${block ? `, korp. ${block}` : ''}${building ? `, str. ${building}` : ''}`,
};
const LATIN: Readonly<Record<string, string>> = {
  Ленина: 'Lenina',
  Гагарина: 'Gagarina',
  Победы: 'Pobedy',
  Садовая: 'Sadovaya',
};

describe('a Russian town', () => {
  const chance = new Chance();
  const houses: { street: string; number: RussianNumber }[] = [];
  let town: OpenTown;

  beforeAll(async () => {
    const drawn = new DrawnTown();
    drawn.place('town', 'Тихвинск', [0, 0]);
    Object.keys(LATIN).forEach((street, row) => {
      const north = row * 400;
      drawn.street(`улица ${street}`, [0, north], [1500, north]);
      for (let digits = 1; digits < 30; digits++) {
        const numbers: RussianNumber[] = chance.maybe(0.4)
          ? [1, 2, 3].map((block) => ({ digits, block, ...(chance.maybe(0.3) && { building: 1 + chance.int(3) }) }))
          : [{ digits, ...(chance.maybe(0.3) && { letter: 'А' }) }];
        // Some numbers are not on the map.
        if (chance.maybe(0.2)) continue;
        numbers.forEach((number, i) => {
          houses.push({ street, number });
          drawn.house(`улица ${street}`, mapped(number), [digits * 45 + i * 10, north + 10 + i * 60]);
        });
      }
    });
    town = await drawn.open();
  });

  test.each(Object.entries(FORMS))(`every house comes first as "%s", seed ${chance.seed}`, (_, form) => {
    const missed = houses.flatMap(({ street, number }) => {
      const query = form(street, number);
      const [first] = town.labels(query);
      return first === `улица ${street} ${mapped(number)}, Тихвинск` ? [] : [`${query} → ${first}`];
    });
    expect(missed).toEqual([]);
  });
});

test('an answer with a house of another number says so', async () => {
  const town = new DrawnTown();
  town.street('улица Мира', [0, 0], [400, 0]);
  town
    .house('улица Мира', '10к2', [100, 10])
    .house('улица Мира', '12', [150, 10])
    .house('улица Мира', '14/3', [200, 10]);
  const open = await town.open();
  expect(open.labels('Мира 10к3')[0]).toBe('улица Мира 10к2 (≠ 10к3)');
  expect(open.labels('Мира, д. 10')[0]).toBe('улица Мира 10к2 (≠ 10)');
  expect(open.labels('Мира 12А')[0]).toBe('улица Мира 12 (≠ 12a)');
  // One building in two ways of writing.
  expect(open.labels('Мира, д. 14, корп. 3')[0]).toBe('улица Мира 14/3');
});

test('an estimate stands behind a real house of the street, even if that is farther from the favoured point', async () => {
  const town = new DrawnTown();
  town.street('Hill Road', [0, 0], [300, 0]);
  town.house('Hill Road', '8', [0, 10]).house('Hill Road', '12', [200, 10]);
  // Beyond a gap the street goes on.
  town.street('Hill Road', [1500, 0], [1800, 0]);
  town.house('Hill Road', '10', [1600, 10]);
  const open = await town.open();
  expect(open.labels('hill road 10', { near: [100, 0] }).slice(0, 2)).toEqual(['Hill Road 10', 'Hill Road ≈10']);
});

test('numbers are alike by their digits, letter, block and building', () => {
  const alike = (asked: string, known: string): number =>
    numberLikeness(parseHouseNumber(asked)!.key, parseHouseNumber(known)!.key);
  for (const [asked, known] of [
    ['10, корпус 12, строение 11, литера А', '10к12с11лА'],
    ['10 корп. 2', '10к2'],
    ['10 стр. 1', '10с1'],
    ['17А корп 3', '17Ак3'],
  ] as const)
    expect(alike(asked, known), asked).toBe(1);
  expect(alike('10/2', '10к2')).toBe(0.98);
  expect(alike('10 лит. А', '10А')).toBe(0.98);
  expect(alike('15/b', '15B')).toBe(0.98);
  expect(alike('12', '12а')).toBeGreaterThan(alike('12б', '12а'));
  expect(alike('12а', '12')).toBeGreaterThan(alike('12к1', '12к2'));
});

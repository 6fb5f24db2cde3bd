import { expect, test } from 'vitest';
import {
  findable,
  FIND_KINDS,
  ranked,
  scoreOf,
  rankedWords,
} from '../../../../renderer/src/features/commands/ranking.ts';
import { Chance } from '../../../support/chance.ts';

const entries = [
  findable({ kind: 'task', id: 168, title: 'Kitchen fire', detail: 'Stone Avenue 14', number: 168, weight: 1 }),
  findable({ kind: 'task', id: 7, title: 'Van on fire', detail: 'Mill Road 2', number: 7 }),
  findable({ kind: 'unit', id: 1, title: 'Van 7', detail: 'Works vehicles' }, 'AB 123 Борис Лутанов'),
  findable({ kind: 'unit', id: 2, title: 'Van 71', detail: 'Works vehicles' }),
  findable({ kind: 'person', id: 3, title: 'Борис Лутанов', detail: 'Van 7' }),
  findable({ kind: 'page', id: '/stations', title: 'Stations' }),
  findable({ kind: 'command', id: 'a', title: 'Assign a vehicle' }),
];
const found = (query: string) => ranked(query, entries, 5).map(({ entry }) => `${entry.kind} ${entry.id}`);

test('the number of a task finds that task first, with and without its sign', () => {
  expect(found('168')).toEqual(['task 168']);
  expect(found('#7')).toEqual(['task 7']);
  expect(found('7')[0]).toBe('task 7');
});

test('a whole title comes before one that only begins so, whatever is between its words', () => {
  expect(found('van 7').slice(0, 2)).toEqual(['unit 1', 'unit 2']);
  expect(found('VAN7')[0]).toBe('unit 1');
});

test('every word has to be found, in the title better than in the rest', () => {
  expect(found('fire mill')).toEqual(['task 7']);
  expect(found('lutanov')).toEqual(['person 3', 'unit 1']);
  expect(found('ab 123')).toEqual(['unit 1']);
  expect(found('fire nowhere')).toEqual([]);
});

test('of what is found equally well the more urgent task comes first', () => {
  expect(found('fire')).toEqual(['task 168', 'task 7']);
});

test('words within a word need three letters, and nothing is found by nothing', () => {
  expect(found('tion')).toEqual(['page /stations']);
  expect(found('io')).toEqual([]);
  expect(found('  ')).toEqual([]);
});

test('what the geocoder found is never ruled out and keeps its order', () => {
  const places = ['Ston Avenue', 'Ston Alley'].map((title, id) => findable({ kind: 'place', id, title }));
  const list = ranked('stone', entries, 9, places).map(({ entry }) => `${entry.kind} ${entry.id}`);
  expect(list).toEqual(['task 168', 'place 0', 'place 1']);
});

test('the order is one: it does not depend on the order of the entries, and better scores come first', () => {
  const chance = new Chance();
  const words = ['fire', 'van', 'mill', 'road', 'station', '7', '12', 'борис'];
  const word = () => words[chance.int(words.length)]!;
  for (let round = 0; round < 200; round++) {
    const all = Array.from({ length: chance.int(30) }, (_, id) =>
      findable({
        kind: FIND_KINDS[chance.int(FIND_KINDS.length)]!,
        id,
        title: `${word()} ${word()} ${id}`,
        detail: word(),
      }),
    );
    const query = chance.maybe() ? word() : `${word()} ${word().slice(0, 2)}`;
    const list = ranked(query, all, 100);
    const ids = list.map(({ entry }) => entry.id);
    expect(ranked(query, [...all].reverse(), 100).map(({ entry }) => entry.id)).toEqual(ids);
    expect(list.map(({ score }) => score)).toEqual(list.map(({ score }) => score).sort((one, other) => other - one));
    expect(ids).toHaveLength(all.filter((entry) => scoreOf(entry, rankedWords(query)) !== undefined).length);
    expect(ranked(query, all, 3).map(({ entry }) => entry.id)).toEqual(ids.slice(0, 3));
  }
});

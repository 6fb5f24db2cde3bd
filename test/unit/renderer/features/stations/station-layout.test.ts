import { describe, expect, test } from 'vitest';
import {
  CARD_HEIGHT,
  layOutStations,
  type StationLink,
} from '../../../../../renderer/src/features/stations/picture/station-layout.ts';

/** `a-b` for each link. */
const linksOf = (text: string): StationLink[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((id) => ({ id, from: id.split('-')[0]!, to: id.split('-')[1]! }));

/** Columns and rows of the picture from the left and from above, as a drawing. */
function drawn(stations: string, links: string, width = 1000): string {
  const { cards } = layOutStations([...stations], linksOf(links), width);
  const columns = [...new Set(cards.map(({ x }) => x))].sort((one, other) => one - other);
  const rows = [...new Set(cards.map(({ y }) => y))].sort((one, other) => one - other);
  return rows
    .map((y) => columns.map((x) => cards.find((card) => card.x === x && card.y === y)?.id ?? '.').join(''))
    .join('\n');
}

const SHAPES: readonly (readonly [name: string, stations: string, links: string])[] = [
  ['alone', 'a', ''],
  ['pair', 'ab', 'a-b'],
  ['star of five', 'abcde', 'a-b a-c a-d a-e'],
  ['star of nine', 'abcdefghi', 'a-b a-c a-d a-e a-f a-g a-h a-i'],
  ['chain', 'abcd', 'a-b b-c c-d'],
  ['ring', 'abcde', 'a-b b-c c-d d-e e-a'],
  ['mesh', 'abcd', 'a-b a-c a-d b-c b-d c-d'],
  ['tree', 'abcdefg', 'a-b a-c a-d d-e d-f f-g'],
  ['two that no link joins', 'abc', 'a-b'],
];
const WIDTHS = [340, 620, 940, 1060, 1480];

test('the station in the middle of a star has the others around it', () => {
  expect(drawn('abcde', 'a-b a-c a-d a-e')).toBe('.e.\ncab\n.d.');
});

test('a chain is a line, and folds where the window ends', () => {
  expect(drawn('abc', 'a-b b-c')).toBe('abc');
  expect(drawn('abcd', 'a-b b-c c-d', 620)).toBe('ab\ndc');
});

test('a ring of four is a square', () => {
  expect(drawn('abcd', 'a-b b-c c-d d-a')).toMatch(/^(?:ab\ndc|dc\nab|ba\ncd|cd\nba|ad\nbc|bc\nad|da\ncb|cb\nda)$/);
});

describe.each(WIDTHS)('in a width of %i px', (width) => {
  test.each(SHAPES)('%s: cards do not overlap and are inside', (_, stations, links) => {
    const layout = layOutStations([...stations], linksOf(links), width);
    expect(layout.cards.map(({ id }) => id).sort()).toEqual([...stations]);
    for (const [index, card] of layout.cards.entries()) {
      expect(card.x).toBeGreaterThanOrEqual(0);
      expect(card.x + layout.cardWidth).toBeLessThanOrEqual(width);
      expect(card.y + CARD_HEIGHT).toBeLessThanOrEqual(layout.height);
      for (const other of layout.cards.slice(index + 1))
        expect(
          Math.abs(card.x - other.x) >= layout.cardWidth || Math.abs(card.y - other.y) >= CARD_HEIGHT,
          `${card.id} and ${other.id}`,
        ).toBe(true);
    }
  });

  test.each(SHAPES)('%s: the middle of the words of a link lies on no card', (_, stations, links) => {
    const { cards, cardWidth, links: lines } = layOutStations([...stations], linksOf(links), width);
    expect(lines).toHaveLength(linksOf(links).length);
    for (const { id, words } of lines)
      for (const { id: card, x, y } of cards)
        expect(
          words.x <= x || words.x >= x + cardWidth || words.y <= y || words.y >= y + CARD_HEIGHT,
          `${id} on ${card}`,
        ).toBe(true);
  });
});

test('the words of no two links lie on each other in a star of nine', () => {
  const { links } = layOutStations([...'abcdefghi'], linksOf('a-b a-c a-d a-e a-f a-g a-h a-i'), 1060);
  for (const [index, one] of links.entries())
    for (const other of links.slice(index + 1))
      expect(
        Math.abs(one.words.x - other.words.x) >= 100 || Math.abs(one.words.y - other.words.y) >= 24,
        `${one.id} and ${other.id}`,
      ).toBe(true);
});

test('the order of links does not matter, nor does a link to an unknown station', () => {
  const one = layOutStations([...'abcde'], linksOf('a-b a-c a-d a-e'), 1000).cards;
  expect(layOutStations([...'abcde'], linksOf('a-e a-d a-x a-c a-b'), 1000).cards).toEqual(one);
});

test('each of sixty stations has a place of its own', () => {
  const ids = Array.from({ length: 60 }, (_, index) => `s${index}`);
  const { cards } = layOutStations(
    ids,
    ids.slice(1).map((to) => ({ id: to, from: 's0', to })),
    1060,
  );
  expect(new Set(cards.map(({ x, y }) => `${x} ${y}`)).size).toBe(60);
});

import { expect, test } from 'vitest';
import { beginning, charactersIn, isLonger, shortened, withoutDirections } from '../../../shared/text/characters.ts';

test.each([
  ['', 0],
  ['fire', 4],
  ['Пожар', 5],
  ['🔥', 1],
  ['🔥🚒', 2],
  ['e\u0301', 1],
  ['👨‍👩‍👧‍👦🇱🇮', 2],
  ['👩🏻‍❤️‍💋‍👨🏿'.repeat(300), 300],
])('%j has %i characters', (text, count) => {
  expect(charactersIn(text)).toBe(count);
  expect(isLonger(text, count)).toBe(false);
  if (count > 0) expect(isLonger(text, count - 1)).toBe(true);
});

test('a text is cut between characters, and only where it is too long', () => {
  expect(shortened('🔥🔥🔥', 3)).toBe('🔥🔥🔥');
  expect(shortened('🔥🔥🔥🔥', 3)).toBe('🔥🔥…');
  expect(shortened('fire alarm', 5)).toBe('fire…');
  expect(shortened('a🔥🔥🔥🔥🔥', 3)).toBe('a🔥…');
});

test('marks that are piled up without end make a text too long', () => {
  expect(isLonger(`a${'\u0301'.repeat(5000)}`, 255)).toBe(true);
  expect(isLonger('👨‍👩‍👧‍👦'.repeat(255), 255)).toBe(false);
});

test('the beginning of a text ends between characters', () => {
  expect(beginning('👨‍👩‍👧‍👦e\u0301x', 2)).toBe('👨‍👩‍👧‍👦e\u0301');
  expect(beginning('ab', 5)).toBe('ab');
});

test('characters that turn the direction of writing are taken out', () => {
  expect(withoutDirections('a\u061cb\u200ec\u200fd\u202ae\u202ef\u2066g\u2069h')).toBe('abcdefgh');
  expect(withoutDirections('пожар حريق אש 👨‍👩‍👧‍👦')).toBe('пожар حريق אש 👨‍👩‍👧‍👦');
});

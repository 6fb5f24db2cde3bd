import { expect, test } from 'vitest';
import { charactersIn, isLonger, shortened } from '../../../shared/characters.ts';

test.each([
  ['', 0], ['fire', 4], ['Пожар', 5], ['🔥', 1], ['🔥🚒', 2], ['e\u0301', 2],
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

import { expect, test } from 'vitest';
import { z } from 'zod';
import { filledUpTo, textUpTo } from '../../../../server/http/request/fields.ts';

test('a text is as long as its description promises: by characters as people count them', () => {
  expect(z.toJSONSchema(textUpTo(4).min(1), { io: 'input' })).toMatchObject({
    type: 'string',
    minLength: 1,
    maxLength: 4,
  });
  for (const four of ['fire', '🔥🚒🚑🚓', 'Пожа', '👨‍👩‍👧‍👦'.repeat(4), 'e\u0301'.repeat(4), '🇱🇮'.repeat(4)]) {
    expect(textUpTo(4).parse(four)).toBe(four);
    expect(textUpTo(4).safeParse(`${four}!`).error?.issues).toMatchObject([{ code: 'too_big', maximum: 4 }]);
  }
});

test('a text that says something is counted without the space around it', () => {
  expect(filledUpTo(4).parse('  fire ')).toBe('fire');
  expect(filledUpTo(4).safeParse('     ').success).toBe(false);
  expect(filledUpTo(4).safeParse(' fires ').success).toBe(false);
});

import { expect, test } from 'vitest';
import { isContent, PANEL_NAMES, readLayout } from '../../../../renderer/src/lib/board-layouts.ts';

const content = (...names: string[]) =>
  JSON.stringify({ grid: {}, panels: Object.fromEntries(names.map((name) => [name, {}])) });

test('an arrangement of panels that this console has is taken, and nothing else', () => {
  expect(isContent(content(...PANEL_NAMES))).toBe(true);
  expect(isContent(content())).toBe(true);
  for (const wrong of [
    '',
    'own',
    '{',
    '[]',
    'null',
    '{"grid":{}}',
    '{"grid":null,"panels":{}}',
    content('queue', 'toString'),
    content('map', 'other'),
    7,
    undefined,
  ])
    expect(isContent(wrong), String(wrong)).toBe(false);
  expect(isContent(content('map').padEnd(50_000))).toBe(true);
  expect(isContent(content('map').padEnd(50_001))).toBe(false);
});

test('a stored layout without a name, or of panels that are none, is dropped', () => {
  const layout = { id: '1', name: 'Night desk', content: content('queue', 'map') };
  expect(readLayout(layout)).toEqual([layout]);
  for (const wrong of [{ ...layout, name: 3 }, { ...layout, content: content('other') }, {}, null, undefined, 'x'])
    expect(readLayout(wrong)).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PALETTES } from '../../../../renderer/src/lib/palettes.ts';
import { MARK_PAIRS, TEXT_PAIRS } from '../../../../renderer/src/ui/design/contrast-pairs.ts';
import { contrast as contrastOf, luminance, type Rgb } from '../../../support/contrast.ts';

const css = readFileSync(new URL('../../../../renderer/src/ui/design/tokens.css', import.meta.url), 'utf8');

function coloursOf(palette: string): Map<string, string> {
  const block = new RegExp(`data-palette='${palette}'\\]\\s*\\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  return new Map([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/gi)].map(([, name, value]) => [name!, value!]));
}

/** A colour as CSS writes it, #rrggbb. */
const rgb = (colour: string): Rgb => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as unknown as Rgb;
const contrast = (one: string, other: string) => contrastOf(rgb(one), rgb(other));

test('the measure agrees with the values that WCAG names', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

for (const palette of PALETTES) {
  const colours = coloursOf(palette);
  const failures = (pairs: readonly (readonly [string, string])[], least: number) =>
    pairs.flatMap(([front, back]) => {
      const [one, other] = [colours.get(front), colours.get(back)];
      if (!one || !other) return [`${front} or ${back} is not a token`];
      const measured = contrast(one, other);
      return measured < least ? [`${front} on ${back}: ${measured.toFixed(2)}`] : [];
    });

  test(`text stands out 4.5 to 1 in the ${palette} palette`, () => {
    expect(failures(TEXT_PAIRS, 4.5)).toEqual([]);
  });

  test(`marks and edges of controls stand out 3 to 1 in the ${palette} palette`, () => {
    expect(failures(MARK_PAIRS, 3)).toEqual([]);
  });
}

test('the night palette stays dim: nothing in it but text and marks is brighter than a twentieth of white', () => {
  const grounds = [...coloursOf('night')].filter(
    ([name]) => /ground|panel|raised|hover$|chosen$|line/.test(name) && !name.startsWith('accent'),
  );
  expect(grounds.filter(([, colour]) => luminance(rgb(colour)) > 0.05)).toEqual([]);
});

for (const palette of PALETTES)
  test(`each step of the heat map differs from the next one by 1.35 to 1 in the ${palette} palette, in one direction`, () => {
    const steps = [0, 1, 2, 3, 4].map((step) => rgb(coloursOf(palette).get(`heat-${step}`)!));
    const ratios = steps.slice(1).map((step, index) => (luminance(step) + 0.05) / (luminance(steps[index]!) + 0.05));
    const rises = ratios.every((ratio) => ratio >= 1.35);
    const falls = ratios.every((ratio) => ratio <= 1 / 1.35);
    expect(rises || falls, ratios.join()).toBe(true);
  });

test('every palette defines the same tokens', () => {
  const names = PALETTES.map((palette) => [...coloursOf(palette).keys()].sort());
  expect(names[1]).toEqual(names[0]);
  expect(names[2]).toEqual(names[0]);
});

import { expect, test } from 'vitest';
import { effectOf } from '../../../shared/roads/closure-effect.ts';

const line = (...coordinates: [number, number][]) => ({ type: 'LineString' as const, coordinates });

test('share and drawing of a closure give its effect on routes, the same wherever it is computed', () => {
  const closure = { id: 7, factor: 0, geometry: line([14.5, 35.9], [14.51, 35.9]), name: 'Burst pipe' };
  const copy = { ...structuredClone(closure), name: 'Another name' };
  expect(effectOf(copy)).toBe(effectOf(closure));
  const others = [
    { ...closure, id: 8 },
    { ...closure, factor: 0.3 },
    { ...closure, geometry: line([14.5, 35.9], [14.51, 35.91]) },
    { ...closure, geometry: line([14.51, 35.9], [14.5, 35.9]) },
  ];
  expect(new Set([closure, ...others].map(effectOf)).size).toBe(5);
});

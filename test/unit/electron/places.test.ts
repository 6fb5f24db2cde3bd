import fc from 'fast-check';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fitPlace, Places, type Rectangle } from '../../../electron/places.ts';

const left: Rectangle = { x: 0, y: 0, width: 1920, height: 1040 };
const right: Rectangle = { x: 1920, y: 0, width: 2560, height: 1400 };

test('a window comes back where it was', () => {
  const place = { x: 2100, y: 50, width: 1200, height: 800 };
  expect(fitPlace(place, [left, right])).toEqual(place);
});

test('a window of a display that is missing moves to one that is there', () => {
  const fitted = fitPlace({ x: 2100, y: 50, width: 1200, height: 800 }, [left]);
  expect(fitted).toEqual({ x: 360, y: 120, width: 1200, height: 800 });
});

test('a window that was dragged almost out of sight is brought back', () => {
  const fitted = fitPlace({ x: 1900, y: 1000, width: 800, height: 600 }, [left]);
  expect(fitted.x).toBeLessThan(1200);
});

test('whatever was remembered and whatever is plugged in, at least 100 px of a window show', () => {
  const seed = Number(process.env.WAYPOST_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const rectangle = (min: number, max: number) =>
    fc.record({
      x: fc.integer({ min: -5000, max: 5000 }),
      y: fc.integer({ min: -5000, max: 5000 }),
      width: fc.integer({ min, max }),
      height: fc.integer({ min, max }),
    });
  fc.assert(
    fc.property(rectangle(1, 8000), fc.array(rectangle(320, 4000), { minLength: 1, maxLength: 6 }), (place, areas) => {
      const fitted = fitPlace(place, areas);
      const shows = areas.some((area) => {
        const across = Math.min(fitted.x + fitted.width, area.x + area.width) - Math.max(fitted.x, area.x);
        const down = Math.min(fitted.y + fitted.height, area.y + area.height) - Math.max(fitted.y, area.y);
        return across >= 100 && down >= 100;
      });
      expect(shows).toBe(true);
    }),
    { seed, numRuns: 2000 },
  );
});

test('places are remembered, and a damaged file means none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-places-'));
  const file = join(folder, 'windows.json');
  const places = new Places(file);
  expect(places.load()).toEqual([]);
  const place = { x: 1, y: 2, width: 800, height: 600, route: '#/', maximized: false, fullScreen: false };
  places.save([place]);
  expect(new Places(file).load()).toEqual([place]);
  expect(readdirSync(folder)).toEqual(['windows.json']);
  new Places(join(file, 'below-a-file.json')).save([place]); // cannot be, and is no reason to stop
  const deep = new Places(join(folder, 'not', 'yet', 'windows.json'));
  deep.save([place]);
  expect(deep.load()).toEqual([place]);
  writeFileSync(file, '[{"x": 1}, 7, null, {"x":"a"}]');
  expect(places.load()).toEqual([]);
  writeFileSync(file, '[{"x"');
  expect(places.load()).toEqual([]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addVertex,
  crossesItself,
  DrawHistory,
  drawingOf,
  geometryOf,
  radiusHandle,
  insertVertex,
  isWhole,
  drawnLength,
  middles,
  moveVertex,
  nothingDrawn,
  reachTo,
  removeVertex,
  type Drawing,
  type DrawKind,
} from '../../../../renderer/src/map/draw/draw-geometry.ts';
import { geometryFault } from '../../../../shared/geo/geojson.ts';
import { planeAt, type LonLat } from '../../../../shared/geo/shapes.ts';

const draw = (kind: DrawKind, ...vertices: LonLat[]): Drawing =>
  vertices.reduce((drawing, at) => addVertex(drawing, at), nothingDrawn(kind));

test('a shape is whole when it has what its kind needs', () => {
  expect(isWhole(draw('point'))).toBe(false);
  expect(isWhole(draw('point', [7, 43]))).toBe(true);
  expect(isWhole(draw('line', [7, 43]))).toBe(false);
  expect(isWhole(draw('line', [7, 43], [8, 43]))).toBe(true);
  expect(isWhole(draw('polygon', [7, 43], [8, 43]))).toBe(false);
  expect(isWhole(draw('polygon', [7, 43], [8, 43], [8, 44]))).toBe(true);
  expect(isWhole(draw('circle', [7, 43]))).toBe(false);
  expect(isWhole(reachTo(draw('circle', [7, 43]), [7.01, 43]))).toBe(true);
});

test('a second click does not give a point or a circle a second place', () => {
  expect(draw('point', [7, 43], [8, 44]).vertices).toEqual([[7, 43]]);
  expect(draw('circle', [7, 43], [8, 44]).vertices).toEqual([[7, 43]]);
});

test('vertices are moved, put in between and taken away, but never below what the kind needs', () => {
  const line = draw('line', [0, 0], [2, 0]);
  expect(middles(line)).toEqual([{ index: 1, at: [1, 0] }]);
  const bent = insertVertex(line, 1, [1, 1]);
  expect(bent.vertices).toEqual([
    [0, 0],
    [1, 1],
    [2, 0],
  ]);
  expect(moveVertex(bent, 2, [3, 0]).vertices).toEqual([
    [0, 0],
    [1, 1],
    [3, 0],
  ]);
  expect(removeVertex(bent, 1).vertices).toEqual(line.vertices);
  expect(removeVertex(line, 0)).toBe(line);
});

test('a ring has a middle also between its last vertex and its first', () => {
  expect(middles(draw('polygon', [0, 0], [2, 0], [2, 2]))).toEqual([
    { index: 1, at: [1, 0] },
    { index: 2, at: [2, 1] },
    { index: 3, at: [1, 1] },
  ]);
  expect(middles(draw('point', [0, 0]))).toEqual([]);
});

test('a bow tie crosses itself, a ring does not, and a line may', () => {
  expect(crossesItself(draw('polygon', [0, 0], [2, 0], [2, 2], [0, 2]))).toBe(false);
  expect(crossesItself(draw('polygon', [0, 0], [2, 2], [2, 0], [0, 2]))).toBe(true);
  expect(crossesItself(draw('line', [0, 0], [2, 2], [2, 0], [0, 2]))).toBe(false);
});

test('a ring that goes once around its centre never crosses itself', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 3_599 }), fc.double({ min: 0.2, max: 1, noNaN: true })), {
        minLength: 3,
        maxLength: 12,
      }),
      (rays) => {
        const byAngle = [...new Map([...rays, [0, 0.5], [1_200, 0.5], [2_400, 0.5]])].sort(
          ([one], [other]) => one - other,
        );
        const ring = byAngle.map(([angle, reach]): LonLat => [
          7 + reach * Math.cos((angle * Math.PI) / 1_800),
          43 + reach * Math.sin((angle * Math.PI) / 1_800),
        ]);
        return !crossesItself({ kind: 'polygon', vertices: ring, radius: 0 });
      },
    ),
  );
});

test('the hold of a circle lies on its border, due east, wherever the circle is', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -170, max: 170, noNaN: true }),
      fc.double({ min: -75, max: 75, noNaN: true }),
      fc.integer({ min: 10, max: 20_000 }),
      (lon, lat, radius) => {
        const hold = radiusHandle({ kind: 'circle', vertices: [[lon, lat]], radius })!;
        expect(Math.hypot(...planeAt([lon, lat])(hold)) / radius).toBeCloseTo(1, 2);
        expect(reachTo({ kind: 'circle', vertices: [[lon, lat]], radius: 1 }, hold).radius / radius).toBeCloseTo(1, 1);
        expect(hold[1]).toBe(lat);
      },
    ),
  );
});

test('lengths are metres on the ground, and a ring counts its way back', () => {
  const side = drawnLength(draw('line', [0, 0], [0.01, 0]));
  expect(side).toBeCloseTo(1_112, 0);
  expect(drawnLength(draw('polygon', [0, 0], [0.01, 0], [0.01, 0.01], [0, 0.01])) / side).toBeCloseTo(4, 3);
});

test('what is drawn is right GeoJSON, and comes back as it was', () => {
  for (const drawing of [
    draw('point', [7.1, 43.5]),
    draw('line', [7, 43], [8, 43.25]),
    draw('polygon', [7, 43], [8, 43], [8, 44]),
  ]) {
    const geometry = geometryOf(drawing)!;
    expect(geometryFault(geometry)).toBeUndefined();
    expect(drawingOf(geometry)).toEqual(drawing);
  }
  expect(geometryOf(nothingDrawn('point'))).toBeUndefined();
});

test('every step goes back and forth; a new one ends what could be done again; what changes nothing is no step', () => {
  const [one, two, three] = [draw('line', [0, 0]), draw('line', [0, 0], [1, 0]), draw('line', [0, 0], [2, 0])];
  const history = new DrawHistory(one);
  history.change(one);
  expect(history.canUndo).toBe(false);
  history.change(two);
  history.undo();
  expect(history.now).toBe(one);
  history.redo();
  expect(history.now).toBe(two);
  history.undo();
  history.change(three);
  expect([history.now, history.canRedo]).toEqual([three, false]);
  history.amend(two);
  expect(history.now).toBe(two);
  history.undo();
  expect(history.now).toBe(one);
});

import type { Bbox, Feature, Layout } from 'protomaps-leaflet';
import { expect, test } from 'vitest';
import { write } from '../../../../renderer/src/map/base/labels/lettering.ts';
import { StreetNames, UprightStreetNames } from '../../../../renderer/src/map/base/labels/street-names.ts';

type Line = Feature['geom'][number];

class Spot {
  x: number;
  y: number;
  constructor(x: number, y: number) {
    [this.x, this.y] = [x, y];
  }
  clone(): Spot {
    return new Spot(this.x, this.y);
  }
  dist(other: Spot): number {
    return Math.hypot(this.x - other.x, this.y - other.y);
  }
}

const line = (...spots: [number, number][]) => spots.map(([x, y]) => new Spot(x, y)) as unknown as Line;
const street = { props: { name: 'Long Street' }, geomType: 2 } as unknown as Feature;
const name = ({ props }: Feature) => props['name'] as string;
const lettering = { font: '400 10px Roboto', fill: '#000', halo: '#fff', haloWidth: 2 };

/** Letters are 5 pixels wide here: `Long Street` has 55. `taken` is where other labels stand. */
function layout(...taken: Bbox[]): Layout {
  const overlaps = (a: Bbox, b: Bbox) => a.minX < b.maxX && b.minX < a.maxX && a.minY < b.maxY && b.minY < a.maxY;
  const index = { bboxCollides: (box: Bbox) => taken.some((other) => overlaps(box, other)) };
  return { index, scratch: { measureText: (text: string) => ({ width: text.length * 5 }) } } as unknown as Layout;
}

/** What is drawn, in order. */
function drawn(draw: (ctx: CanvasRenderingContext2D) => void): [method: string, text: string][] {
  const calls: [string, string][] = [];
  const note = (method: string) => (text: string) => calls.push([method, text]);
  const nothing = () => {};
  const ctx = { save: nothing, restore: nothing, translate: nothing, rotate: nothing };
  draw({ ...ctx, strokeText: note('stroke'), fillText: note('fill') } as unknown as CanvasRenderingContext2D);
  return calls;
}

const once = new StreetNames({ ...lettering, name, once: true, repeat: 250, overhang: 2 });

test('a name stands in the middle of a straight street, in one piece', () => {
  const [label, ...more] = once.place(layout(), [line([0, 0], [200, 0])], street)!;
  expect(more).toEqual([]);
  expect([label!.anchor.x, label!.anchor.y]).toEqual([100, 0]);
  expect(drawn(label!.draw)).toEqual([
    ['stroke', 'Long Street'],
    ['fill', 'Long Street'],
  ]);
});

test('a name makes way along its street for what stands there', () => {
  const middle = { minX: 80, minY: -10, maxX: 120, maxY: 10 };
  const [label] = once.place(layout(middle), [line([0, 0], [200, 0])], street)!;
  expect(Math.abs(label!.anchor.x - 100)).toBeGreaterThan(40);
  for (const box of label!.bboxes) expect(box.maxX <= 80 || box.minX >= 120).toBe(true);
});

test('a name follows the bends of its street letter by letter, all halos before all letters', () => {
  const bend = line(
    ...Array.from({ length: 21 }, (_, i): [number, number] => [
      50 - 50 * Math.cos((Math.PI * i) / 20),
      -50 * Math.sin((Math.PI * i) / 20),
    ]),
  );
  const [label] = once.place(layout(), [bend], street)!;
  const calls = drawn(label!.draw);
  expect(calls.map(([, text]) => text).join('')).toBe('Long StreetLong Street');
  expect(calls.map(([method]) => method)).toEqual([...Array(11).fill('stroke'), ...Array(11).fill('fill')]);
});

test('a name stands out on both sides of a street half as long, and has no place on a shorter or a broken one', () => {
  expect(once.place(layout(), [line([0, 0], [30, 0])], street)).toHaveLength(1);
  expect(once.place(layout(), [line([0, 0], [26, 0])], street)).toEqual([]);
  expect(once.place(layout(), [line([0, 0], [30, 0], [2, 4], [30, 8])], street)).toEqual([]);
});

test('a long street has its name again, as far apart as it should be', () => {
  const again = new StreetNames({ ...lettering, name, repeat: 250, overhang: 2 });
  const labels = again.place(layout(), [line([0, 0], [1000, 0])], street)!;
  expect(labels.map(({ anchor }) => anchor.x)).toEqual([125, 375, 625, 875]);
});

test('what is too short has its name upright in its middle, in two lines where one has no room', () => {
  const upright = new UprightStreetNames({ ...lettering, name, repeat: 250 });
  const [label] = upright.place(layout(), [line([0, 0], [10, 0])], street)!;
  expect(label!.bboxes[0]).toEqual({ minX: -22.5, minY: -6, maxX: 32.5, maxY: 6 });
  const narrow = layout({ minX: 25, minY: -20, maxX: 40, maxY: 20 }, { minX: -40, minY: -20, maxX: -12, maxY: 20 });
  const [broken] = upright.place(narrow, [line([0, 0], [10, 0])], street)!;
  expect(drawn(broken!.draw).map(([, text]) => text)).toEqual(['Long', 'Street', 'Long', 'Street']);
});

test('the halo of a line never covers another line', () => {
  const calls = drawn((ctx) => write(ctx, { lines: ['a', 'b', 'c'], width: 5, height: 36 }, lettering, 0, 0));
  expect(calls.map(([method]) => method)).toEqual(['stroke', 'stroke', 'stroke', 'fill', 'fill', 'fill']);
});

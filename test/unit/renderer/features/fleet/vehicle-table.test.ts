import { expect, test } from 'vitest';
import { sortVehicles, type VehicleColumn } from '../../../../../renderer/src/features/fleet/vehicle-table.ts';
import { LabelRoom } from '../../../../../renderer/src/map/symbols.ts';
import type { VehicleRow } from '../../../../../renderer/src/lib/stores/vehicles.ts';

const row = (name: string, over: Partial<VehicleRow> & { plate?: string } = {}): VehicleRow =>
  ({
    vehicle: { id: 1, name, plate: over.plate ?? '' },
    status: undefined,
    seenAt: undefined,
    speed: 0,
    task: undefined,
    ...over,
  }) as unknown as VehicleRow;
const rows = [
  row('Van 1', { status: 3, plate: 'B 10' }),
  row('Van 2', { seenAt: 50, speed: 12 }),
  row('Van 3', { status: 1, plate: 'B 9', seenAt: 70 }),
  row('Van 4', { status: 3, plate: 'a 1' }),
];
const order = (by: VehicleColumn, descending = false) =>
  sortVehicles(
    rows,
    { by, descending },
    { group: () => '', drivers: () => '' },
    new Intl.Collator('en', { numeric: true }),
  )
    .map(({ vehicle }) => vehicle.name.slice(4))
    .join(' ');

test('vehicles are ordered by a column either way; what is not known comes last, and equals stay in the order of names', () => {
  expect(order('name')).toBe('1 2 3 4');
  expect(order('name', true)).toBe('4 3 2 1');
  expect(order('plate')).toBe('4 3 1 2'); // numbers count as numbers
  expect(order('plate', true)).toBe('1 3 4 2');
  expect(order('status')).toBe('3 1 4 2');
  expect(order('status', true)).toBe('1 4 3 2');
  expect(order('seen', true)).toBe('3 2 1 4');
  expect(order('speed', true)).toBe('2 3 1 4');
  expect(order('group')).toBe('1 2 3 4');
});

test('labels never lie over one another, however they fall into the bands of the screen', () => {
  const room = new LabelRoom();
  const taken: [number, number, number, number][] = [];
  for (let n = 0; n < 4_000; n++) {
    const place: [number, number, number, number] = [
      (n * 7919) % 900,
      (n * 104_729) % 700,
      20 + (n % 70),
      13 + (n % 50),
    ];
    const free = taken.every(
      ([left, top, width, height]) =>
        place[0] >= left + width ||
        left >= place[0] + place[2] ||
        place[1] >= top + height ||
        top >= place[1] + place[3],
    );
    expect(room.claim(...place)).toBe(free);
    if (free) taken.push(place);
  }
  expect(taken.length).toBeGreaterThan(50);
});

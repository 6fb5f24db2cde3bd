import { expect, test } from 'vitest';
import { streamTable } from '../../../server/http/routing-streams.ts';
import { UNREACHABLE, type Table } from '../../../server/routing/index.ts';

test('a table that is written bit by bit is whole, and others come in between', async () => {
  for (const [rows, columns] of [[0, 3], [1, 1], [3, 9000], [500, 500], [170, 49]] as const) {
    const times = Int32Array.from({ length: rows * columns }, (_, i) => (i % 97 === 0 ? UNREACHABLE : i * 7));
    const distances = times.map((time) => (time === UNREACHABLE ? UNREACHABLE : time + 1));
    let others = 0;
    let over = false;
    const count = (): void => {
      others++;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    const parts = (await streamTable({ times, distances, rows, columns } as Table, true).toArray()) as Buffer[];
    over = true;
    const told = JSON.parse(Buffer.concat(parts).toString()) as { status: number; distance_table: number[][]; distances: (number | null)[][] };
    expect(told.status).toBe(0);
    expect(told.distance_table).toEqual(Array.from({ length: rows }, (_, row) => [...times.subarray(row * columns, (row + 1) * columns)]));
    expect(told.distances.flat()).toEqual([...distances].map((metres) => (metres === UNREACHABLE ? null : metres)));
    expect(others).toBeGreaterThanOrEqual(Math.floor((rows * columns) / 9000));
  }
});

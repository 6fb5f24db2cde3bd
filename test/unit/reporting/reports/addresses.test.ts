import { expect, test } from 'vitest';
import { withAddresses, type Spot } from '../../../../server/reporting/reports/fleet/addresses.ts';

const row = (place: number, more = {}) => ({ carId: 1, lat: 50 + place / 100, lon: 20, ...more });

/** Rows with their addresses, and how many spots each question had. */
async function told(rows: readonly ReturnType<typeof row>[], most?: number) {
  const questions: (readonly Spot[])[] = [];
  const found = [];
  const find = (spots: readonly Spot[]) => {
    questions.push(spots);
    return Promise.resolve(spots.map(({ lat }) => (lat > 59 ? null : `Road ${Math.round((lat - 50) * 100)}`)));
  };
  for await (const each of withAddresses(rows, find, most)) found.push(each);
  return { found, questions };
}

test('each row gets the address of its own place, in the order of the rows; none is null', async () => {
  const { found } = await told([row(3, { from: 1 }), row(1, { from: 2 }), row(950, { from: 3 })]);
  expect(found).toEqual([
    { ...row(3), from: 1, address: 'Road 3' },
    { ...row(1), from: 2, address: 'Road 1' },
    { ...row(950), from: 3, address: null },
  ]);
});

test('spots are asked for some at once, and the same yard only once', async () => {
  const rows = Array.from({ length: 100 }, (_, i) => row(i % 50, { lon: 20 + (i % 2) / 1_000_000 }));
  const { found, questions } = await told(rows);
  expect(found.map(({ address }) => address)).toEqual(rows.map((_, i) => `Road ${i % 50}`));
  expect(questions.map(({ length }) => length)).toEqual([40, 10]);
});

test('beyond a number of spots rows have their coordinates alone', async () => {
  const { found, questions } = await told([row(0), row(1), row(2), row(1)], 2);
  expect(found.map(({ address }) => address)).toEqual(['Road 0', 'Road 1', null, 'Road 1']);
  expect(questions.flat().length).toBe(2);
});

test('without rows nothing is asked', async () => {
  expect(await told([])).toEqual({ found: [], questions: [] });
});

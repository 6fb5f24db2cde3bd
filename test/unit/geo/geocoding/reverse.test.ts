import { expect, test } from 'vitest';
import { DrawnTown } from './drawn-town.ts';

/** Two parallel streets 40 m apart; the northern one has houses only on its far side. */
function town(): DrawnTown {
  const drawn = new DrawnTown();
  drawn.street('South Street', [-300, 0], [300, 0]);
  drawn.street('North Street', [-300, 40], [300, 40]);
  drawn.house('South Street', '7', [0, 15]).house('South Street', '9', [120, -15]);
  drawn.house('North Street', '2', [100, 55]);
  return drawn;
}

test('on a street the answer is of that street, though a house of another one is nearer', async () => {
  const open = await town().open();
  expect(open.reverse([0, 40])).toMatchObject({ label: 'North Street 2' });
  expect(open.reverse([0, 36])).toMatchObject({ label: 'North Street 2' });
  expect(open.reverse([0, 0])).toMatchObject({ label: 'South Street 7' });
  // 400 m from its only house the street itself is the answer.
  expect(open.reverse([-280, 40])).toMatchObject({ kind: 'street', label: 'North Street' });
});

test('at a door the house is the answer, also close to another street', async () => {
  const drawn = town();
  drawn.house('South Street', '5', [-60, 35]);
  const open = await drawn.open();
  expect(open.reverse([-60, 36])).toMatchObject({ label: 'South Street 5' });
});

test('a house beyond another street is passed over', async () => {
  const open = await town().open();
  // South Street 9 is 42 m away, behind its own street; North Street 2 is 32 m away, behind North Street.
  expect(open.reverse([110, 25])).toMatchObject({ label: 'North Street 2' });
  const drawn = town();
  drawn.street('Side Alley', [50, 5], [50, 35]);
  const divided = await drawn.open();
  expect(open.reverse([60, 20])).toMatchObject({ label: 'North Street 2' });
  expect(divided.reverse([60, 20])).toMatchObject({ label: 'North Street 2' });
  expect(divided.reverse([40, 20])).toMatchObject({ label: 'South Street 7' });
});

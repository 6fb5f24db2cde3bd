import { expect, test } from 'vitest';
import { whoGaveBack } from '../../../../server/dispatch/tasks/units/gave-back.ts';
import { crewNote } from '../../../../shared/tasks/crew-note.ts';
import { ASSIGNED } from '../../../../shared/tasks/status.ts';
import { withoutUnit, withUnitGivenBack, withUnits, type TaskWithUnits } from '../../../../shared/tasks/units.ts';

const task: TaskWithUnits = {
  ...{ assignedVehicleId: 0, units: {}, status: ASSIGNED, statusSince: 0 },
  ...{ archived: false, isDeleted: false },
};
const MINUTE = 60_000;
const names: Readonly<Record<number, string>> = { 4: 'Engine 4', 5: 'Depot: Engine 5' };
const nameOf = (vehicleId: number) => names[vehicleId] ?? '';
const sent = (one: TaskWithUnits, at: number) =>
  withUnits(
    one,
    [4, 5].map((id) => ({ id, status: 1 })),
    '',
    at,
  );
const gaveBack = withUnitGivenBack(sent(task, MINUTE), 4, 2 * MINUTE);
const entry = { at: 2 * MINUTE, note: crewNote(4, 'Engine 4', 'Flat tyre') };

test('a crew gave back when it left with a reason, also when its vehicle has another name since', () => {
  expect(whoGaveBack(gaveBack, [entry], nameOf)).toEqual(new Set([4]));
  expect(whoGaveBack(gaveBack, [entry], () => 'Engine 44')).toEqual(new Set([4]));
});

test('a crew that only reported did not, also of a vehicle with a colon in its name', () => {
  expect(whoGaveBack(gaveBack, [{ ...entry, note: crewNote(4, 'Engine 4') }], nameOf)).toEqual(new Set());
  const left = withUnitGivenBack(sent(task, MINUTE), 5, 2 * MINUTE);
  expect(whoGaveBack(left, [{ ...entry, note: crewNote(5, names[5]!) }], nameOf)).toEqual(new Set());
  expect(whoGaveBack(left, [{ ...entry, note: crewNote(5, names[5]!, 'Flat tyre') }], nameOf)).toEqual(new Set([5]));
});

test('a vehicle that was sent again, or released by a dispatcher since, did not', () => {
  const again = sent(gaveBack, 5 * MINUTE);
  expect(whoGaveBack(again, [entry], nameOf)).toEqual(new Set());
  expect(whoGaveBack(withoutUnit(again, 4, 8 * MINUTE), [entry], nameOf)).toEqual(new Set());
});

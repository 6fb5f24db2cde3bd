import { expect, test } from 'vitest';
import { EVERYTHING } from '../../../../renderer/src/lib/tasks/task-filter.ts';
import { readView } from '../../../../renderer/src/lib/tasks/views.ts';

test('a view that an earlier version stored keeps its filters under their present names', () => {
  const { organizationIds: _mine, assignedOrganizationIds: _theirs, ...others } = EVERYTHING;
  const stored = { ...others, statuses: [1], departmentIds: [2, 3], assignedDepartmentIds: [4] };
  expect(readView({ id: 'a', name: 'Ours', filter: stored, order: 'newest' })).toEqual([
    {
      id: 'a',
      name: 'Ours',
      filter: { ...EVERYTHING, statuses: [1], organizationIds: [2, 3], assignedOrganizationIds: [4] },
      order: 'newest',
    },
  ]);
});

test.each([undefined, {}, { id: 'a', name: 'x' }, { id: 1, name: 'x', filter: {} }])('%j is no view', (stored) => {
  expect(readView(stored)).toEqual([]);
});

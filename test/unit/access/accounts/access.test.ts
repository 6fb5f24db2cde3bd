import { describe, expect, test } from 'vitest';
import { administers, allowedTo, concerns, decideSeen, requireMay, grantOf, mayDo } from '../../../../shared/access.ts';
import type { Actor, Checked } from '../../../../shared/access.ts';
import { CAPABILITIES } from '../../../../shared/records/accounts.ts';
import type { Capability } from '../../../../shared/records/accounts.ts';
import type { StateRule } from '../../../../shared/records/directories.ts';
import { matchesStateRule } from '../../../../shared/tasks/state-rules.ts';

const stamps = { key: '', hlc: { base: '', fields: {} } };

function actor(
  role: { superuser?: boolean; admin?: boolean; may?: Partial<Record<Capability, number[] | null>> },
  organizationId = 1,
  id = 10,
): Actor {
  const accesses = Object.entries(role.may ?? {}).map(([capability, stateIds], index) => ({
    id: index + 1,
    capability,
    stateIds,
  }));
  return {
    user: {
      ...stamps,
      id,
      kind: 'user',
      name: 'Ann',
      login: 'ann',
      email: '',
      phone: '',
      isDeleted: false,
      monitor: false,
      visible: true,
      enabled: true,
      roleId: 1,
      organizationId,
    },
    role: {
      ...stamps,
      id: 1,
      kind: 'role',
      name: 'R',
      isDeleted: false,
      organizationId,
      superuser: role.superuser ?? false,
      admin: role.admin ?? false,
      accesses,
    },
  };
}

function task(fields: Partial<Checked> = {}): Checked & { title: string } {
  return {
    title: 'Tree on the road',
    organizationId: 1,
    authorId: 20,
    assignedOrganizationId: 0,
    assignedUserId: 0,
    status: 1,
    archived: false,
    ...fields,
  };
}

function rule(id: number, fields: Partial<StateRule>): StateRule {
  return {
    ...stamps,
    id,
    kind: 'stateRule',
    name: `rule ${id}`,
    isDeleted: false,
    field: 'assigned_status',
    sign: '=',
    value: 1,
    userField: '',
    ...fields,
  };
}

describe('whom a message concerns', () => {
  test('people of its department, those it is assigned to, and those who see everything', () => {
    expect(concerns(actor({}), task())).toBe(true);
    expect(concerns(actor({}, 2), task())).toBe(false);
    expect(concerns(actor({}, 2), task({ assignedOrganizationId: 2 }))).toBe(true);
    expect(concerns(actor({}, 2, 7), task({ assignedUserId: 7 }))).toBe(true);
    expect(concerns(actor({ superuser: true }, 2), task())).toBe(true);
  });
});

describe('what a right allows', () => {
  test('what is not listed may not be done', () => {
    const viewer = actor({ may: { view: null } });
    expect(CAPABILITIES.filter((capability) => mayDo(viewer, capability, task(), []))).toEqual(['view']);
  });

  test('with states it may be done when the message matches one of them', () => {
    const rules = [rule(1, { value: 1 }), rule(2, { value: 2 })];
    const closer = actor({ may: { view: null, change_status: [1, 2] } });
    expect(mayDo(closer, 'change_status', task({ status: 1 }), rules)).toBe(true);
    expect(mayDo(closer, 'change_status', task({ status: 2 }), rules)).toBe(true);
    expect(mayDo(closer, 'change_status', task({ status: 4 }), rules)).toBe(false);
  });

  test('a deleted state, an unknown one, and no states at all allow nothing', () => {
    const rules = [rule(1, { isDeleted: true })];
    expect(mayDo(actor({ may: { edit: [1] } }), 'edit', task(), rules)).toBe(false);
    expect(mayDo(actor({ may: { edit: [99] } }), 'edit', task(), rules)).toBe(false);
    expect(mayDo(actor({ may: { edit: [] } }), 'edit', task(), rules)).toBe(false);
    expect(grantOf(actor({ may: { edit: [] } }), 'edit', rules)).toEqual([]);
    expect(grantOf(actor({}), 'edit', rules)).toBe('never');
    expect(grantOf(actor({ may: { edit: null } }), 'edit', rules)).toBe('always');
  });

  test('an administrator does everything in their organisation, and elsewhere what their right lists', () => {
    const admin = actor({ admin: true });
    expect(CAPABILITIES.every((capability) => mayDo(admin, capability, task(), []))).toBe(true);
    const assignedToUs = task({ organizationId: 5, assignedOrganizationId: 1 });
    expect(mayDo(admin, 'delete', assignedToUs, [])).toBe(false);
    expect(mayDo(actor({ admin: true, may: { comment: null } }), 'comment', assignedToUs, [])).toBe(true);
    expect(mayDo(actor({ admin: true, superuser: true }), 'delete', assignedToUs, [])).toBe(true);
    expect(administers(admin, 5)).toBe(false);
  });

  test('what one may not see is not found; what one may see but not do is forbidden', () => {
    const viewer = actor({ may: { view: null } });
    expect(() => requireMay(viewer, 'edit', task(), [], 5)).toThrow(
      expect.objectContaining({ kind: 'forbidden', message: 'You may not edit “Tree on the road”.' }),
    );
    expect(() => requireMay(viewer, 'edit', task({ organizationId: 2 }), [], 5)).toThrow(
      expect.objectContaining({ kind: 'not-found', message: 'There is no task 5.' }),
    );
    expect(() => requireMay(actor({ may: { edit: null } }), 'edit', task(), [], 5)).toThrow(
      expect.objectContaining({ kind: 'not-found' }),
    );
  });
});

test('what is allowed and cannot be seen is not done, but for a new message', () => {
  const blind = actor({ may: { edit: null, create: null } });
  expect([decideSeen(blind, 'edit', task(), []), decideSeen(blind, 'create', task(), []).allowed]).toEqual([
    { allowed: false, by: 'unseen' },
    true,
  ]);
});

test('the rules enforce exactly the permissions that they report', () => {
  const said = (one: Actor, rules: StateRule[] = []) =>
    allowedTo(one, rules).map(({ capability, stateIds }) => [capability, stateIds]);
  expect(said(actor({ admin: true, may: { edit: [1] } }))).toEqual(
    [...CAPABILITIES, 'own-places', 'place-codes', 'device-commands', 'presets'].map((capability) => [
      capability,
      null,
    ]),
  );
  expect(said(actor({ may: { view: null, edit: [1, 2] } }), [rule(1, {}), rule(2, { isDeleted: true })])).toEqual([
    ['view', null],
    ['edit', [1]],
  ]);
  expect(said(actor({ may: { edit: null, create: null } }))).toEqual([['create', null]]);
  expect(said(actor({}))).toEqual([]);
  const ids = allowedTo(actor({ admin: true, may: { edit: null, view: null } }), []).map(({ id }) => id);
  expect(new Set(ids).size).toBe(CAPABILITIES.length + 4);
});

describe('state rules', () => {
  const user = actor({}, 1, 10).user;
  const holds = (fields: Partial<StateRule>, given: Partial<Checked>) =>
    matchesStateRule(rule(1, fields), task(given), user);

  test('compare by every sign', () => {
    expect(
      ['=', '!=', '<', '>', '<=', '>='].map((sign) =>
        holds({ sign: sign as StateRule['sign'], value: 2 }, { status: 2 }),
      ),
    ).toEqual([true, false, false, false, true, true]);
    expect(
      ['=', '!=', '<', '>', '<=', '>='].map((sign) =>
        holds({ sign: sign as StateRule['sign'], value: '2' }, { status: 3 }),
      ),
    ).toEqual([false, true, false, true, false, true]);
  });

  test('`in` takes a list, or words with commas between', () => {
    expect(holds({ sign: 'in', value: [1, 3] }, { status: 3 })).toBe(true);
    expect(holds({ sign: 'in', value: '1, 3' }, { status: 3 })).toBe(true);
    expect(holds({ sign: 'in', value: [1, 3] }, { status: 2 })).toBe(false);
  });

  test('compare with a field of the current user', () => {
    expect(holds({ field: 'user_id', userField: 'id' }, { authorId: 10 })).toBe(true);
    expect(holds({ field: 'user_id', userField: 'id' }, { authorId: 11 })).toBe(false);
    expect(holds({ field: 'assigned_to', userField: 'organizationId' }, { assignedOrganizationId: 1 })).toBe(true);
  });

  test('what is absent compares with nothing, and 0 asks for it; flags are t and true alike', () => {
    expect(holds({ field: 'assigned_to_user', value: null }, { assignedUserId: 0 })).toBe(false);
    expect(holds({ field: 'assigned_to_user', sign: '<', value: 10 }, { assignedUserId: 0 })).toBe(false);
    expect(holds({ field: 'assigned_to_user', sign: '!=', value: 10 }, { assignedUserId: 0 })).toBe(false);
    expect(holds({ field: 'assigned_to_user', value: 0 }, { assignedUserId: 0 })).toBe(true);
    expect(holds({ field: 'assigned_to_user', sign: '!=', value: 0 }, { assignedUserId: 0 })).toBe(false);
    expect(holds({ field: 'system_data', sign: '!=', value: 'x' }, { systemData: '' })).toBe(false);
    expect(holds({ field: 'archive', value: 't' }, { archived: true })).toBe(true);
    expect(holds({ field: 'archive', value: false }, { archived: false })).toBe(true);
  });

  test('a field that a message has not matches nothing, nor does one that every object has', () => {
    for (const field of ['nothing', '__proto__', 'constructor', 'toString']) {
      expect(holds({ field, value: 0 }, {})).toBe(false);
      expect(holds({ field, sign: '!=', value: 5 }, {})).toBe(false);
    }
    expect(holds({ userField: '__proto__', sign: '!=' }, {})).toBe(false);
    expect(
      matchesStateRule(rule(1, { userField: 'passwordHash', sign: '!=' }), task(), {
        ...user,
        passwordHash: 'secret',
      } as typeof user),
    ).toBe(false);
  });
});

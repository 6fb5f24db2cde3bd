import { References } from '../../../../server/dispatch/tasks/changes/references.ts';
import type { Actor } from '../../../../shared/access.ts';
import { keyOf } from '../../../../shared/ids.ts';
import type { Capability, Comment, Task, Role, StateRule, User } from '../../../../shared/records/index.ts';

/** A small control room for rules: two departments, three users, three vans. */
export const NOON = Date.UTC(2026, 5, 1, 12);
export const DISPATCHER = { id: 10, organizationId: 1 };

const hlc = { base: '', fields: {} };

export function newTask(more: Partial<Task> = {}): Task {
  const id = more.id ?? 1;
  return {
    key: keyOf(id),
    id,
    hlc,
    title: 'Burst pipe',
    text: '',
    organizationId: 1,
    authorId: 10,
    typeId: 1,
    categoryId: 0,
    status: 1,
    statusSince: NOON,
    confirmed: 0,
    confirmedComment: '',
    assignedOrganizationId: 0,
    assignedUserId: 0,
    assignedVehicleId: 0,
    restricted: false,
    archived: false,
    isDeleted: false,
    notice: 0,
    date: NOON,
    updatedAt: NOON,
    systemData: '',
    address: '',
    point: null,
    mainPhoto: null,
    customValues: {},
    photos: 0,
    videos: 0,
    files: 0,
    sounds: 0,
    ...more,
  };
}

export function comment(id: number, more: Partial<Comment> = {}): Comment {
  return {
    key: keyOf(id),
    id,
    hlc,
    taskId: 1,
    parentId: 0,
    level: 0,
    authorId: 10,
    at: NOON + id,
    text: `c${id}`,
    updateText: '',
    visibleTo: { all: true, author: false, assignedOrganization: false, assignedUser: false },
    ...more,
  };
}

export function actor(
  user: Partial<User> = {},
  role: Partial<Role> & { may?: [Capability, number[] | null][] } = {},
): Actor {
  const { may = [['view', null]], ...rest } = role;
  return {
    user: {
      key: '',
      id: 10,
      hlc,
      kind: 'user',
      name: 'Anna',
      isDeleted: false,
      login: 'anna',
      email: '',
      phone: '',
      monitor: false,
      visible: true,
      enabled: true,
      roleId: 1,
      organizationId: 1,
      ...user,
    },
    role: {
      key: '',
      id: 1,
      hlc,
      kind: 'role',
      name: 'Role',
      isDeleted: false,
      organizationId: 1,
      superuser: false,
      admin: false,
      accesses: may.map(([capability, stateIds], id) => ({ id, capability, stateIds })),
      ...rest,
    },
  };
}

export function rule(id: number, field: string, sign: StateRule['sign'], value: unknown, userField = ''): StateRule {
  return { key: '', id, hlc, kind: 'stateRule', name: `rule ${id}`, isDeleted: false, field, sign, value, userField };
}

export function references(): References {
  const named = (id: number, name: string, isDeleted = false) => ({ id, name, isDeleted }) as never;
  const users = new Map([
    [10, { name: 'Anna', enabled: true }],
    [11, { name: 'Ivan', enabled: true }],
    [12, { name: 'Boris', enabled: false }],
  ]);
  const vans = new Map([
    [21, {}],
    [22, { onService: true }],
    [23, { outOfService: true }],
  ]);
  return new References({
    type: (id) => (id === 1 || id === 2 ? named(id, 'Type', id === 2) : undefined),
    category: (id) => (id === 1 ? named(1, 'Urgent') : undefined),
    organization: (id) => (id === 1 || id === 2 ? named(id, 'Department') : undefined),
    user: (id) => (users.has(id) ? ({ id, isDeleted: false, ...users.get(id) } as never) : undefined),
    vehicle: (id) =>
      vans.has(id)
        ? { name: `Van ${id}`, onService: false, outOfService: false, unitStatus: 1, ...vans.get(id) }
        : undefined,
    customFields: () => [],
  });
}

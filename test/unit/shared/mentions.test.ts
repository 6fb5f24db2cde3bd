import { expect, test } from 'vitest';
import { concernsPerson, mentionKey, mentionsIn } from '../../../shared/tasks/mentions.ts';

const LOGINS = ['ivan', 'ivan.p', 'олег', "o'neil", 'a/b'];
const named = (text: string) =>
  mentionsIn(text, (key) => LOGINS.find((login) => mentionKey(login) === key)).map(({ who }) => who);

test.each([
  ['@ivan look', ['ivan']],
  ['Ask @ivan.', ['ivan']],
  ['Ask @ivan.p, then @ivan.', ['ivan.p', 'ivan']],
  ['(@IVAN) «@Олег»', ['ivan', 'олег']],
  ["@o'neil's radio", ["o'neil"]],
  ['@a/b/@ivan', ['a/b', 'ivan']],
  ['@ivan@olga.example', ['ivan']],
  ['write to x@ivan', []],
  ['x.@ivan x-@ivan', []],
  ['@ivanov @iva @', []],
  ['@ ivan', []],
])('%j names %j', (text, logins) => {
  expect(named(text)).toEqual(logins);
});

test('a mention tells where it stands, so that the words around it stay', () => {
  const text = 'Look, @ivan.p: here';
  const [found] = mentionsIn(text, (key) => (key === 'ivan.p' ? 1 : undefined));
  expect(text.slice(found!.start, found!.end)).toBe('@ivan.p');
});

test('a long text without a known name is read in a moment', () => {
  const began = performance.now();
  expect(named(`@${'.a'.repeat(45)} `.repeat(220))).toEqual([]);
  expect(performance.now() - began).toBeLessThan(1_000);
});

const task = {
  ...{ authorId: 1, assignedUserId: 2, assignedOrganizationId: 7, assignedVehicleId: 21, watcherIds: [3] },
  mentions: { 4: 1 },
  units: { a: { vehicleId: 21, clearAt: 0 }, b: { vehicleId: 22, clearAt: 0 }, c: { vehicleId: 23, clearAt: 5 } },
};
test.each([
  [1, 9, true],
  [2, 9, true],
  [3, 9, true],
  [4, 9, true],
  [5, 7, true],
  [5, 9, false],
])('a task concerns its author, assignees, watchers and the named: user %i of %i is %s', (id, organizationId, is) => {
  expect(concernsPerson(task, { id, organizationId, vehicleIds: [] })).toBe(is);
});

test('a task that is assigned to nobody is not for people without an organization', () => {
  const plain = { authorId: 1, assignedUserId: 0, assignedOrganizationId: 0, assignedVehicleId: 0 };
  expect(concernsPerson(plain, { id: 5, organizationId: 0, vehicleIds: [] })).toBe(false);
});

test.each([
  [[21], true],
  [[22], true],
  [[23], false],
  [[24, 22], true],
  [[], false],
])('a task concerns the person who is on duty on one of its units: vehicles %j: %s', (vehicleIds, is) => {
  expect(concernsPerson(task, { id: 5, organizationId: 9, vehicleIds })).toBe(is);
});

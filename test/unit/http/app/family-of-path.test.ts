import { expect, test } from 'vitest';
import { familiesByPattern } from '../../../../server/http/app/family-of-path.ts';
import type { DeclaredRoute, Family, Method } from '../../../../server/http/app/route.ts';

const declared = (method: Method, path: string, family: Family): DeclaredRoute => ({
  method,
  path,
  family,
  access: 'open',
  summary: path,
  answer: 'nothing',
  run: () => undefined,
});
const familyOf = familiesByPattern(
  [
    declared('GET', '/news/types', 'B'),
    declared('GET', '/news/:id', 'A'),
    declared('PUT', '/news/:id', 'C'),
    declared('GET', '/news/:id/eido', 'station'),
    declared('GET', '/news/list/:after{/:kind}', 'A'),
    declared('GET', '/alerts/:id.cap', 'C'),
    declared('GET', '/alerts/:id', 'B'),
  ],
  'open311',
);

test('an address has the form of the pattern that it fits, else of the one that shares its longest beginning', () => {
  expect(familyOf('/news/%zz', 'GET')).toBe('A');
  expect(familyOf('/news/%zz', 'HEAD')).toBe('A');
  expect(familyOf('/news/%zz', 'PUT')).toBe('C');
  expect(familyOf('/news/%zz', 'DELETE')).toBe('A');
  expect(familyOf('/news/%zz/eido', 'GET')).toBe('station');
  expect(familyOf('/news/%zz/eido/', 'POST')).toBe('station');
  expect(familyOf('/news/5/eido/more', 'GET')).toBe('station');
  expect(familyOf('/news/5/other', 'GET')).toBe('A');
  expect(familyOf('/news/types', 'GET')).toBe('B');
  expect(familyOf('/news/list/7/%zz', 'GET')).toBe('A');
  expect(familyOf('/alerts/5.cap', 'GET')).toBe('C');
  expect(familyOf('/alerts/5xcap', 'GET')).toBe('B');
  expect(familyOf('/elsewhere/5', 'GET')).toBe('open311');
  expect(familyOf('/', 'GET')).toBe('open311');
});

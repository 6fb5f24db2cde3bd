import { expect, test } from 'vitest';
import { unpacked } from '../../../server/platform/unpacked.ts';

test.each([
  [
    '/opt/Waypost/resources/app.asar/dist/server/search.worker.js',
    '/opt/Waypost/resources/app.asar.unpacked/dist/server/search.worker.js',
  ],
  ['C:\\Waypost\\resources\\app.asar\\package.json', 'C:\\Waypost\\resources\\app.asar.unpacked\\package.json'],
  ['/opt/Waypost/resources/app.asar', '/opt/Waypost/resources/app.asar.unpacked'],
  ['/opt/Waypost/resources/app.asar.unpacked/x', '/opt/Waypost/resources/app.asar.unpacked/x'],
  ['/srv/waypost/dist/server/search.worker.js', '/srv/waypost/dist/server/search.worker.js'],
])('%s is opened as %s', (path, opened) => {
  expect(unpacked(path, () => true)).toBe(opened);
});

test('what was not unpacked stays in the archive', () => {
  expect(unpacked('/opt/resources/app.asar/x.js', () => false)).toBe('/opt/resources/app.asar/x.js');
});

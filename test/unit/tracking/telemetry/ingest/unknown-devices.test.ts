import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UnknownDevices } from '../../../../../server/tracking/telemetry/ingest/unknown-devices.ts';

const HOUR = 3_600_000;

let said: string[];
let unknown: UnknownDevices;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  said = [];
  unknown = new UnknownDevices((message) => said.push(message));
});
afterEach(() => {
  unknown.close();
  vi.useRealTimers();
});

/** What was said since it was last asked. */
const news = () => said.splice(0);

test('an unknown device is named when it comes, and once an hour as long as it sends, with how often it came', () => {
  for (let minute = 0; minute < 120; minute++) {
    unknown.count('867');
    vi.advanceTimersByTime(60_000);
  }
  expect(news()).toEqual([
    'Records of the unknown device 867 are not stored.',
    'Records of the unknown device 867 were not stored: 59 more within an hour.',
    'Records of the unknown device 867 were not stored: 60 more within an hour.',
  ]);
  vi.advanceTimersByTime(3 * HOUR);
  expect(news()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  unknown.count('867');
  expect(news()).toEqual(['Records of the unknown device 867 are not stored.']);
});

test('who sends under ever new names does not fill the log: so many are named within an hour; the number of other records is logged, also when nobody sends any more', () => {
  for (let round = 0; round < 2; round++) for (let name = 0; name < 5_000; name++) unknown.count(`nobody ${name}`);
  expect(news()).toHaveLength(200);
  vi.advanceTimersByTime(HOUR);
  const told = news();
  expect(told).toHaveLength(201);
  expect(told.at(-1)).toBe('Records of unknown devices that are not named here were not stored: 9600 within an hour.');
  // Those that are named keep their place for as long as they send; those that are silent make room.
  unknown.count('nobody 0');
  unknown.count('nobody 4000');
  vi.advanceTimersByTime(HOUR);
  unknown.count('nobody 4000');
  unknown.count('nobody 0');
  expect(news()).toEqual([
    'Records of the unknown device nobody 0 were not stored: 1 more within an hour.',
    'Records of unknown devices that are not named here were not stored: 1 within an hour.',
    'Records of the unknown device nobody 4000 are not stored.',
  ]);
});

test('when the station stops the counts are logged, and nothing continues', () => {
  unknown.count('');
  unknown.count('');
  unknown.close();
  expect(news()).toEqual([
    'Records of the unknown device (without a name) are not stored.',
    'Records of the unknown device (without a name) were not stored: 1 more within an hour.',
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

import { expect, test } from 'vitest';
import { UnknownDevices } from '../../../server/telemetry/unknown-devices.ts';

const HOUR = 3_600_000;

test('each unknown device is named once an hour, with how often it came', () => {
  const unknown = new UnknownDevices();
  const said: string[] = [];
  for (let minute = 0; minute <= 60; minute++) unknown.count('867', minute * 60_000, (message) => said.push(message));
  expect(said).toEqual(['Records of the unknown device 867 were not stored.', 'Records of the unknown device 867 were not stored: 60 in the last hour.']);
});

test('who sends under ever new names does not fill the log: so many are named within an hour, and the others counted', () => {
  const unknown = new UnknownDevices();
  const said: string[] = [];
  for (let name = 0; name < 5_000; name++) unknown.count(`nobody ${name}`, name, (message) => said.push(message));
  expect(said).toHaveLength(200);
  unknown.count('somebody', HOUR, (message) => said.push(message));
  expect(said.slice(200)).toEqual(['Records of unknown devices under 4800 other names were not stored within an hour.', 'Records of the unknown device somebody were not stored.']);
});

import { expect, test } from 'vitest';
import { readSensor } from '../../../shared/fleet/sensors.ts';

const record = { inputs: 0b100, adc: [12.5], params: { level: '310', empty: '', blank: ' ', broken: 'n/a', on: true } };
const valueOf = (name: string) => readSensor({ input: { kind: 'param', name }, calibration: [] }, record);

test('a value is read from the configured input, as a number', () => {
  expect([0, 2].map((index) => readSensor({ input: { kind: 'input', index }, calibration: [] }, record))).toEqual([
    0, 1,
  ]);
  expect(readSensor({ input: { kind: 'adc', index: 0 }, calibration: [] }, record)).toBe(12.5);
  expect([valueOf('level'), valueOf('on')]).toEqual([310, 1]);
});

test('what is not a number is no value: above all no 0, which would be an empty tank', () => {
  expect(['empty', 'blank', 'broken', 'absent', 'toString'].map(valueOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(readSensor({ input: { kind: 'adc', index: 1 }, calibration: [] }, record)).toBeUndefined();
});

test('between two pairs of a calibration the value lies on the line, beyond them it is that of the nearest; an inverted switch is on at 0', () => {
  const calibration = [
    [100, 0],
    [300, 40],
    [500, 60],
  ] as const;
  const adc = (raw: number) => readSensor({ input: { kind: 'adc', index: 0 }, calibration }, { ...record, adc: [raw] });
  expect([50, 100, 200, 300, 400, 900].map(adc)).toEqual([0, 0, 20, 40, 50, 60]);
  expect(readSensor({ input: { kind: 'input', index: 0 }, calibration: [], inverted: true }, record)).toBe(1);
});

import { expect, test } from 'vitest';
import {
  hourByKey,
  paceOf,
  formatHour,
  shadeOf,
  verdictOf,
} from '../../../../../renderer/src/features/speeds/learned-speeds.ts';

const road = (speed: number, usualSpeed: number) => ({ name: '', speed, usualSpeed, passages: 9, level: 'hour' });
const effect = (usualError: number, learnedError: number) => ({
  drives: 10,
  judged: 5,
  meanTime: 300,
  usualError,
  learnedError,
});

test('a road is as on the map within a seventh, and much slower below half', () => {
  expect([24, 26, 42, 44, 57, 59].map((speed) => paceOf(road(speed, 50)))).toEqual([
    'much-slower',
    'slower',
    'slower',
    'same',
    'same',
    'faster',
  ]);
});

test('the verdict says whose estimates are nearer, by how much of the error, and nothing about less than a twentieth', () => {
  expect(verdictOf(effect(60, 15))).toEqual({ word: 'better', share: 0.75 });
  expect(verdictOf(effect(40, 60))).toEqual({ word: 'worse', share: -0.5 });
  expect(verdictOf(effect(60, 58)).word).toBe('even');
  expect(verdictOf(effect(0, 0)).word).toBe('even');
});

test('an hour of which anything is known is never drawn as one of which nothing is', () => {
  expect([0, 1e-9, 0.1, 0.25, 0.26, 1].map((share) => shadeOf(share, 1))).toEqual([0, 1, 2, 2, 3, 4]);
  expect(shadeOf(0, 0)).toBe(0);
});

test('arrows go over the week and stop at its edges', () => {
  expect([
    hourByKey(0, 'ArrowLeft'),
    hourByKey(0, 'ArrowUp'),
    hourByKey(167, 'ArrowRight'),
    hourByKey(167, 'ArrowDown'),
  ]).toEqual([0, 0, 167, 167]);
  expect([
    hourByKey(30, 'ArrowDown'),
    hourByKey(30, 'ArrowUp'),
    hourByKey(30, 'Home'),
    hourByKey(30, 'End'),
    hourByKey(30, 'x'),
  ]).toEqual([54, 6, 24, 47, undefined]);
});

test('hours are named in the reader’s language, from Monday on', () => {
  expect(formatHour(8, 'en')).toEqual({ day: 'Mon', hour: '08:00' });
  expect(formatHour(167, 'ru')).toEqual({ day: 'вс', hour: '23:00' });
});

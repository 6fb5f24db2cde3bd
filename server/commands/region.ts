import { InvalidSetting } from '../config/index.ts';
import { isKeysAction, KEYS_USAGE, runKeys } from './region-access/run-keys.ts';
import { describePlan } from './sizing/describe-plan.ts';
import { planRegion } from './sizing/plan-region.ts';
import { commandWords } from './words.ts';

const USAGE = 'Usage: waypost region plan --vehicles N --consoles N --stations N [--interval SECONDS] [--days N].';
const MOST = 1_000_000_000;

/** `waypost region`: sizes its parts, and manages who may connect to its servers. */
export function run(words: string[]): Promise<void> {
  const [action, ...rest] = words;
  if (isKeysAction(action)) return runKeys(action, rest);
  plan(words);
  return Promise.resolve();
}

/** Prints how large the parts of a region are, with the formulas and the measured constants. */
function plan(words: string[]): void {
  const option = { type: 'string' } as const;
  const { values, positionals } = commandWords(words, USAGE, {
    vehicles: option,
    consoles: option,
    stations: option,
    interval: option,
    days: option,
  });
  if (positionals.join(' ') !== 'plan') throw new InvalidSetting(`${USAGE} ${KEYS_USAGE}`);
  const number = (name: keyof typeof values, least: number, otherwise?: string) => {
    const text = values[name] ?? otherwise;
    const value = Number(text);
    if (text === undefined || !/^\d+(\.\d+)?$/.test(text) || value < least || value > MOST)
      throw new InvalidSetting(`--${name} must be a number from ${least} to ${MOST}. ${USAGE}`);
    return value;
  };
  const size = {
    vehicles: number('vehicles', 1),
    consoles: number('consoles', 0),
    stations: number('stations', 1),
    interval: number('interval', 0.1, '10'),
    days: number('days', 1, '365'),
  };
  console.log(describePlan(planRegion(size)));
}

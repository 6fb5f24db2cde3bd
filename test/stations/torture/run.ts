/** `npm run torture -- --minutes 60 --seed 7 --shape ring`: the long form of `torture.test.ts`. */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Chance, SEED } from '../../support/chance.ts';
import { Torture, type Shape } from './torture.ts';

const SHAPES: readonly Shape[] = ['star', 'chain', 'ring', 'mesh'];
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(SEED) },
    shape: { type: 'string' },
    stations: { type: 'string', default: '5' },
    tasks: { type: 'string', default: '500' },
  },
});
const shapes = values.shape === undefined ? SHAPES : SHAPES.filter((shape) => shape === values.shape);
if (shapes.length === 0) throw new Error(`--shape is one of ${SHAPES.join(', ')}.`);
const chance = new Chance(Number(values.seed));
console.log(`--seed ${chance.seed}`);
for (const shape of shapes) {
  const torture = new Torture({
    chance,
    shape,
    stations: Number(values.stations),
    writers: 8,
    tasks: Number(values.tasks),
    duration: (Number(values.minutes) * 60_000) / shapes.length,
    say: (line) => console.log(`${new Date().toISOString()} ${line}`),
  });
  try {
    await torture.run();
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await torture.close();
  }
}

import { openDemoConsole } from '../../browser/harness/console-harness.ts';
import { boardAtRest, Operator, OPERATOR_TASKS } from '../../browser/harness/operator-tasks.ts';
import type { BenchReport } from '../run.ts';

const ROUNDS = 3;
/** s: the average skilled typist of the keystroke-level model (Card, Moran, Newell: CACM 23(7), 1980). */
const KEY = 0.2;

/**
 * The daily tasks of an operator by keyboard, at a demo station whose vehicles stand still: keys, the time that the
 * console takes to answer them (summed), and both together. The model's pauses for thought are left out.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const desk = await openDemoConsole({ standsStill: true });
  try {
    const [keys, waits] = [new Map<string, number>(), new Map<string, number[]>()];
    for (let round = 0; round < ROUNDS; round++)
      for (const { name, run } of OPERATOR_TASKS) {
        await boardAtRest(desk.page);
        const operator = new Operator(desk.page);
        await run(operator);
        keys.set(name, operator.keys);
        waits.set(
          name,
          [...(waits.get(name) ?? []), operator.waited / 1000].sort((a, b) => a - b),
        );
      }
    report.line(
      `${ROUNDS} rounds; s of the console: median (fastest to slowest); in all: ${KEY} s for each key beside it`,
    );
    for (const [name, all] of waits) {
      const middle = all[Math.floor(all.length / 2)]!;
      const spread = `${all[0]!.toFixed(2)} to ${all.at(-1)!.toFixed(2)}`;
      const total = (keys.get(name)! * KEY + middle).toFixed(1);
      report.line(
        `${name.padEnd(20)} ${keys.get(name)} keys   console ${middle.toFixed(2)} s (${spread})   in all ${total} s`,
      );
    }
  } finally {
    await desk.close();
  }
}

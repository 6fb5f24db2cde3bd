import process from 'node:process';
import { launchChromium } from '../../browser/harness/chromium.ts';
import { ROOT } from '../../browser/harness/console-harness.ts';
import { percentile } from '../processes.ts';
import type { BenchReport } from '../run.ts';
import { pressKeys } from './board-keys.ts';
import { openKeysRoom, type KeysRoom } from './keys-room.ts';

const BUSY = { tasks: 5_000, vehicles: 1_250, alarms: 1_250 };
const QUIET = { tasks: 50, vehicles: 5, alarms: 0 };
const POSITIONS = 1_700;
const TURNS = Number(process.env['WAYPOST_BENCH_TURNS'] ?? 3);
const ROUNDS = 4;
/** The root of another checkout with its build: the same board is measured there by turns, as the baseline. */
const BASELINE = process.env['WAYPOST_BENCH_BASELINE'];

/** A board of which each key is measured: `positions` come in each second meanwhile. */
interface Case {
  readonly room: KeysRoom;
  readonly positions: number;
  readonly times: Map<string, number[]>;
}

/**
 * What each key of the board takes until its frame is drawn, and until a card stands, in Chromium without a graphics
 * card: at a station with thousands of open tasks and alarms, at rest and while positions come in. The baseline is the
 * build that `WAYPOST_BENCH_BASELINE` names, else the same station with few tasks.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const browser = await launchChromium();
  const rooms: KeysRoom[] = [];
  try {
    const busy = await openKeysRoom(BUSY, ROOT);
    rooms.push(busy);
    const other = await openKeysRoom(BASELINE ? BUSY : QUIET, BASELINE ?? ROOT);
    rooms.push(other);
    const caseOf = (room: KeysRoom, positions: number): Case => ({ room, positions, times: new Map() });
    const pairs = [
      [caseOf(busy, 0), caseOf(other, 0)],
      [caseOf(busy, POSITIONS), caseOf(other, BASELINE ? POSITIONS : 0)],
    ] as const;
    for (let turn = 0; turn < TURNS; turn++)
      for (const one of pairs.flat()) {
        const stop = one.positions > 0 ? one.room.drive(one.positions) : undefined;
        const page = await one.room.openBoard(browser);
        for (let round = 0; round < ROUNDS; round++)
          await pressKeys(page, (name, time) => one.times.set(name, [...(one.times.get(name) ?? []), time]));
        await page.context().close();
        await stop?.();
      }
    report.line(`${words(busy)} / ${words(other)}${BASELINE ? ' of the baseline’s build' : ''}`);
    for (const [here, there] of pairs) {
      report.line(here.positions > 0 ? `while ${here.positions} positions/s come in` : 'at rest');
      for (const [name, times] of here.times) {
        const before = there.times.get(name)!;
        report.ratio(
          name,
          percentile(times, 0.5),
          percentile(before, 0.5),
          'ms',
          `95 % within ${part(times)} / ${part(before)} ms, slowest ${most(times)} / ${most(before)} ms`,
        );
      }
    }
  } finally {
    await browser.close();
    for (const room of rooms) await room.close();
  }
}

const words = ({ load: { tasks, vehicles, alarms } }: KeysRoom) =>
  `${tasks} open tasks, ${vehicles} vehicles, ${alarms} alarms`;
const part = (times: readonly number[]) => percentile(times, 0.95).toFixed(0);
const most = (times: readonly number[]) => Math.max(...times).toFixed(0);

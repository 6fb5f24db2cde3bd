import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import type { Browser, Page } from 'playwright';
import { launchChromium } from '../../browser/harness/chromium.ts';
import { signIn } from '../../browser/harness/console-harness.ts';
import { openAll, startOn } from './open-station.ts';
import { fillTasks, LOGINS, PASSWORD } from './tasks-data.ts';
import type { BenchReport } from '../run.ts';

const MANY = Number(process.env['WAYPOST_BENCH_TASKS'] ?? 100_000);
const FEW = 1_000;
const ROUNDS = 12;
/** What somebody feels at once. */
const AT_ONCE = 100;

interface Measured {
  /** ms until the replica holds everything, from the sign-in on */
  readonly held: number;
  /** ms between frames while the wheel turns: median, the 95th of 100, the longest */
  readonly frames: readonly [number, number, number];
  /** ms from a key or click until the rows are drawn: the median */
  readonly word: number;
  readonly firstWord: number;
  readonly filter: number;
  readonly order: number;
  readonly view: number;
}

/**
 * The queue of a console that holds a hundred thousand open tasks, in Chromium without a graphics card,
 * beside one that holds a thousand.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const browser = await launchChromium();
  try {
    const few = await measure(browser, FEW);
    const many = await measure(browser, MANY);
    const against = `${MANY.toLocaleString('en')} / ${FEW.toLocaleString('en')} open tasks`;
    report.line(
      `${MANY.toLocaleString('en')} open tasks are in the console ${(many.held / 1000).toFixed(1)} s after the sign-in (${(few.held / 1000).toFixed(1)} s for ${FEW.toLocaleString('en')})`,
    );
    report.ratio(`frame while scrolling, median (${against})`, many.frames[0], few.frames[0], 'ms');
    report.ratio(
      'frame while scrolling, 95th of 100',
      many.frames[1],
      few.frames[1],
      'ms',
      `longest ${many.frames[2].toFixed(0)} ms`,
    );
    report.ratio('a letter typed into the words, drawn', many.word, few.word, 'ms', `${AT_ONCE} ms is at once`);
    report.ratio('the first letter of all', many.firstWord, few.firstWord, 'ms');
    report.ratio('a filter ticked, drawn', many.filter, few.filter, 'ms');
    report.ratio('another order, drawn', many.order, few.order, 'ms');
    report.ratio('another view, drawn', many.view, few.view, 'ms');
  } finally {
    await browser.close();
  }
}

async function measure(browser: Browser, tasks: number): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-queue-bench-'));
  let station: ChildProcess | undefined;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  try {
    await fillTasks(directory, tasks);
    openAll(directory);
    const started = await startOn(directory);
    station = started.child;
    const page = await context.newPage();
    await signIn(page, started.address, LOGINS.superuser, PASSWORD);
    const begun = performance.now();
    await page.waitForFunction(
      (wanted) => Number(document.querySelector('.queue header .count')?.textContent?.replace(/\D/g, '')) >= wanted,
      tasks,
      { timeout: 300_000, polling: 200 },
    );
    const held = performance.now() - begun;
    await page.waitForTimeout(3_000); // the last page is still being put in order
    return {
      held,
      frames: await scroll(page),
      ...(await words(page)),
      filter: await median(page, tickFilter),
      order: await median(page, chooseOrder),
      view: await median(page, chooseView),
    };
  } finally {
    await context.close();
    if (station && station.exitCode === null)
      await new Promise((resolve) => station!.once('exit', resolve) && station!.kill('SIGTERM'));
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The wheel turns for three seconds; every frame's time is taken. */
async function scroll(page: Page): Promise<readonly [number, number, number]> {
  const box = (await page.getByRole('listbox', { name: 'Tasks' }).boundingBox())!;
  await page.mouse.move(box.x + 100, box.y + 100);
  const frames = page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        let before = performance.now();
        const end = before + 3_000;
        const tick = (now: number) => {
          times.push(now - before);
          before = now;
          if (now < end) requestAnimationFrame(tick);
          else resolve(times.slice(1));
        };
        requestAnimationFrame(tick);
      }),
  );
  for (let turn = 0; turn < 60; turn++) {
    await page.mouse.wheel(0, 700);
    await page.waitForTimeout(30);
  }
  const sorted = (await frames).sort((a, b) => a - b);
  return [sorted[sorted.length >> 1]!, sorted[Math.floor(sorted.length * 0.95)]!, sorted.at(-1)!];
}

async function words(page: Page): Promise<{ word: number; firstWord: number }> {
  const times: number[] = [];
  for (const text of ['h', 'ha', 'har', 'harb', 'harbour 12', 'burst', 'burst 77', ''])
    times.push(await drawn(page, 'input[type=search]', text));
  const [firstWord = 0, ...others] = times;
  return { firstWord, word: others.sort((a, b) => a - b)[others.length >> 1]! };
}

/** Sets a control as a hand does, and waits until the frame after the change is drawn. */
function drawn(page: Page, selector: string, value: string): Promise<number> {
  return page.evaluate(
    ([selector, value]) =>
      new Promise<number>((resolve) => {
        const control = document.querySelector<HTMLInputElement | HTMLSelectElement>(`.queue ${selector!}`)!;
        const begun = performance.now();
        control.value = value!;
        control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
      }),
    [selector, value] as const,
  );
}

function clicked(page: Page, selector: string, index: number): Promise<number> {
  return page.evaluate(
    ([selector, index]) =>
      new Promise<number>((resolve) => {
        const control = document.querySelectorAll<HTMLElement>(`.queue ${selector as string}`)[index as number]!;
        const begun = performance.now();
        control.click();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
      }),
    [selector, index] as const,
  );
}

async function median(page: Page, once: (page: Page, round: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await once(page, round));
  return times.sort((a, b) => a - b)[times.length >> 1]!;
}

async function tickFilter(page: Page, round: number): Promise<number> {
  if (round === 0) await page.getByRole('button', { name: 'Filters' }).click();
  const time = await clicked(page, '.sheet .checks input', 0);
  if (round === ROUNDS - 1) await page.keyboard.press('Escape');
  return time;
}

const chooseOrder = (page: Page, round: number) =>
  drawn(page, 'select', ['newest', 'changed', 'oldest', 'urgency'][round % 4]!);
const chooseView = (page: Page, round: number) => clicked(page, '[role=radio]', [1, 2, 0][round % 3]!);

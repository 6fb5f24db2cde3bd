import { execFileSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Browser, Page } from 'playwright';
import { launchChromium } from '../../browser/harness/chromium.ts';
import { ROOT, signIn } from '../../browser/harness/console-harness.ts';
import { askAt } from '../../http/try-station.ts';
import { PROGRAM } from '../../support/program.ts';
import type { BenchReport } from '../run.ts';
import { moveInto, openAll, startOn } from './open-station.ts';
import { fillTasks, LOGINS, PASSWORD } from './tasks-data.ts';

const BUSY = { tasks: 5_000, vehicles: 1_250, alarms: 1_250 };
const QUIET = { tasks: 50, vehicles: 5, alarms: 0 };
const ROUNDS = 12;
/** A corner of the demo's town, whose map the board draws. */
const TOWN = { lat: 56.175, lon: 18.85 };

type Load = typeof BUSY;
type Times = Map<string, number[]>;

/**
 * What each key of the board takes until its frame is drawn, and until a card stands, in Chromium without a graphics
 * card: at a station with thousands of open tasks and alarms, beside the same station with few.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const browser = await launchChromium();
  try {
    const [busy, quiet] = [await measure(browser, BUSY), await measure(browser, QUIET)];
    report.line(
      `${busy.load.tasks} open tasks, ${busy.load.vehicles} vehicles, ${busy.load.alarms} alarms / ${quiet.load.tasks}, ${quiet.load.vehicles}, ${quiet.load.alarms}`,
    );
    for (const [name, times] of busy.times)
      report.ratio(
        name,
        middle(times),
        middle(quiet.times.get(name)!),
        'ms',
        `95 % within ${part(times, 0.95).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms`,
      );
  } finally {
    await browser.close();
  }
}

async function measure(browser: Browser, wanted: Load): Promise<{ times: Times; load: Load }> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-keys-bench-'));
  let station: ChildProcess | undefined;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  try {
    await fillTasks(directory, wanted.tasks);
    openAll(directory);
    moveInto(directory, TOWN);
    execFileSync(process.execPath, [PROGRAM, 'import', 'resources/demo/town.osm.pbf', '--data', directory], {
      cwd: ROOT,
      stdio: 'ignore',
    });
    const { child, address } = await startOn(directory);
    station = child;
    const load = await raiseAlarms(address, wanted);
    const page = await context.newPage();
    await signIn(page, address, LOGINS.superuser, PASSWORD);
    await page.waitForFunction(
      (count) => Number(document.querySelector('.queue header .count')?.textContent?.replace(/\D/g, '')) >= count,
      wanted.tasks,
      { timeout: 300_000, polling: 200 },
    );
    await page.locator('.light[data-level=good]').waitFor({ timeout: 300_000 });
    return { times: await keys(page), load };
  } finally {
    await context.close();
    if (station?.exitCode === null)
      await new Promise((resolve) => station!.once('exit', resolve) && station!.kill('SIGTERM'));
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Trackers tell a fault: one alarm of each vehicle. Returns what there is of it. */
async function raiseAlarms(address: string, { tasks, vehicles, alarms }: Load): Promise<Load> {
  const { token: as } = (
    await askAt(address, 'POST', '/auth/login', { body: { login: LOGINS.superuser, password: PASSWORD } })
  ).json() as { token: string };
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answered = await askAt(address, method, path, { as, ...(body && { body }) });
    if (answered.status !== 200) throw new Error(answered.text);
    return answered.json();
  };
  const fixes: object[] = [];
  for (let index = 0; index < vehicles; index++) {
    const glonassId = 10_000 + index;
    await ask('POST', '/cars', { name: `Engine ${index + 1}`, glonassId });
    fixes.push({
      glonassId,
      time: Date.now() - 60_000,
      lat: TOWN.lat + (index % 25) / 500,
      lon: TOWN.lon + Math.floor(index / 25) / 500,
      speed: 0,
      params: index < alarms ? { power_cut: true } : {},
    });
  }
  await ask('POST', '/telemetry', fixes);
  const count = async () => {
    const first = (await ask('GET', '/alarms?from=0&limit=1000')) as { id: string }[];
    const all = new Set(first.map(({ id }) => id));
    for (let page = first; page.length === 1_000;) {
      page = (await ask('GET', `/alarms?from=0&limit=1000&after=${page.at(-1)!.id}`)) as { id: string }[];
      for (const { id } of page) all.add(id);
    }
    return all.size;
  };
  let [before, now] = [-1, await count()];
  // Alarms of tasks come in beside them: all are in when their number stands still.
  while (now !== before || now < Math.min(alarms, vehicles)) {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    [before, now] = [now, await count()];
  }
  return { tasks, vehicles, alarms: now };
}

/** Each key of a board in work, by turns, so that a slow minute of this computer falls on all of them. */
async function keys(page: Page): Promise<Times> {
  const times: Times = new Map();
  const take = (name: string, time: number) => times.set(name, [...(times.get(name) ?? []), time]);
  await page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').first().click();
  await page.locator('.card h1').waitFor();
  for (let round = 0; round < ROUNDS; round++) {
    take('arrow down: drawn', await drawn(page, 'ArrowDown'));
    take('arrow down: the next card stands', await cardAfter(page, 'ArrowDown'));
    take('arrow up: drawn', await drawn(page, 'ArrowUp'));
    take('Escape, out of the card: drawn', await drawn(page, 'Escape'));
    take('arrow up: a card opens and stands', await drawn(page, 'ArrowUp', '.card h1'));
    take('x, a row is selected: drawn', await drawn(page, 'x'));
    await page.keyboard.press('x');
    take('g, a group is folded: drawn', await drawn(page, 'g'));
    await page.keyboard.press('g');
    take('e, the form: drawn', await drawn(page, 'e', '.editor'));
    await page.locator('.editor input').first().focus();
    take('a letter in the form: drawn', await drawn(page, 'x'));
    await page.keyboard.press('Backspace');
    take('Escape, out of the form: drawn', await drawn(page, 'Escape'));
    take('/, the command line: drawn', await drawn(page, '/'));
    for (const letter of 'bur') take('a letter in the command line: drawn', await drawn(page, letter));
    for (const _letter of 'bur') await page.keyboard.press('Backspace');
    take('Escape, out of the command line: drawn', await drawn(page, 'Escape'));
    take('c, a comment: drawn', await drawn(page, 'c'));
    take('a letter in a comment: drawn', await drawn(page, 'x'));
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Escape');
    if ((await page.locator('.card h1').count()) === 0) {
      await page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').nth(1).click();
      await page.locator('.card h1').waitFor();
    }
  }
  return times;
}

/** ms from the key until the frame after it is drawn, in which `selector` stands. */
function drawn(page: Page, key: string, selector = 'body'): Promise<number> {
  return timed(page, key, selector, '');
}

/** ms from the key until another card's heading is drawn. */
async function cardAfter(page: Page, key: string): Promise<number> {
  return timed(page, key, '.card h1', (await page.locator('.card h2').first().textContent()) ?? '');
}

async function timed(page: Page, key: string, selector: string, before: string): Promise<number> {
  await page.evaluate(
    ([selector, before]) => {
      const ready = () => {
        const found = document.querySelector(selector!);
        return found !== null && (before === '' || document.querySelector('.card h2')?.textContent !== before);
      };
      (globalThis as unknown as { took: Promise<number> }).took = new Promise((resolve) =>
        addEventListener(
          'keydown',
          ({ timeStamp }) => {
            const look = () =>
              requestAnimationFrame(() => {
                if (ready()) setTimeout(() => resolve(performance.now() - timeStamp));
                else look();
              });
            look();
          },
          { capture: true, once: true },
        ),
      );
    },
    [selector, before] as const,
  );
  await page.keyboard.press(key);
  return page.evaluate(() => (globalThis as unknown as { took: Promise<number> }).took);
}

const middle = (times: readonly number[]): number => part(times, 0.5);
function part(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!;
}

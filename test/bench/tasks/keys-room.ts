import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Browser, Page } from 'playwright';
import { signIn } from '../../browser/harness/console-harness.ts';
import { askAt } from '../../http/try-station.ts';
import { PROGRAM } from '../../support/program.ts';
import { moveInto, openAll, startOn } from './open-station.ts';
import { fillTasks, LOGINS, PASSWORD } from './tasks-data.ts';

export interface KeysLoad {
  readonly tasks: number;
  readonly vehicles: number;
  readonly alarms: number;
}

/** A station with open tasks, vehicles and alarms whose board is measured. */
export interface KeysRoom {
  /** The tasks, vehicles and alarms that there really are. */
  readonly load: KeysLoad;
  /** A board that has everything, in a window of its own. */
  openBoard(browser: Browser): Promise<Page>;
  /** Sends so many positions a second until the returned function is called. */
  drive(perSecond: number): () => Promise<void>;
  close(): Promise<void>;
}

/** A corner of the demo's town, whose map the board draws. */
const TOWN = { lat: 56.175, lon: 18.85 };
const POSTS_A_SECOND = 10;
/** Vehicles that are made side by side. */
const AT_ONCE = 50;

/** `home`: the checkout whose build runs. */
export async function openKeysRoom(wanted: KeysLoad, home: string): Promise<KeysRoom> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-keys-bench-'));
  await fillTasks(directory, wanted.tasks);
  openAll(directory);
  moveInto(directory, TOWN);
  execFileSync(process.execPath, [PROGRAM, 'import', 'resources/demo/town.osm.pbf', '--data', directory], {
    cwd: home,
    stdio: 'ignore',
  });
  const { child, address } = await startOn(directory, home);
  const close = async () => {
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve) && child.kill('SIGTERM'));
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const as = await signInAt(address);
    const alarms = await raiseAlarms(address, as, wanted);
    return {
      load: { ...wanted, alarms },
      openBoard: (browser) => openBoard(browser, address, wanted.tasks),
      drive: (perSecond) => drive(address, as, wanted, perSecond),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openBoard(browser: Browser, address: string, tasks: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();
  await signIn(page, address, LOGINS.superuser, PASSWORD);
  await page.waitForFunction(
    (count) => Number(document.querySelector('.queue header .count')?.textContent?.replace(/\D/g, '')) >= count,
    tasks,
    { timeout: 300_000, polling: 200 },
  );
  await page.locator('.light[data-level=good]').waitFor({ timeout: 300_000 });
  await page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').first().click();
  await page.locator('.card h1').waitFor();
  return page;
}

/** The token of a session. */
async function signInAt(address: string): Promise<string> {
  const body = { login: LOGINS.superuser, password: PASSWORD };
  return ((await askAt(address, 'POST', '/auth/login', { body })).json() as { token: string }).token;
}

/** Trackers tell a fault: one alarm of each vehicle. Returns how many alarms there are. */
async function raiseAlarms(address: string, as: string, { vehicles, alarms }: KeysLoad): Promise<number> {
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answered = await askAt(address, method, path, { as, ...(body && { body }) });
    if (answered.status !== 200) throw new Error(answered.text);
    return answered.json();
  };
  for (let first = 0; first < vehicles; first += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, vehicles - first) }, (_, index) =>
        ask('POST', '/cars', { name: `Engine ${first + index + 1}`, glonassId: glonassIdOf(first + index) }),
      ),
    );
  const at = Date.now() - 60_000;
  await ask(
    'POST',
    '/telemetry',
    Array.from({ length: vehicles }, (_, index) => fixOf(index, at, alarms, false)),
  );
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
  return now;
}

const glonassIdOf = (index: number) => 10_000 + index;

/** Vehicles stand in a grid; one that drives goes to and fro along its row. */
function fixOf(index: number, time: number, alarms: number, drives: boolean): object {
  const driven = drives ? Math.sin(time / 20_000 + index) / 500 : 0;
  return {
    glonassId: glonassIdOf(index),
    time,
    lat: TOWN.lat + (index % 25) / 500,
    lon: TOWN.lon + Math.floor(index / 25) / 500 + driven,
    speed: drives ? 36 : 0,
    params: index < alarms ? { power_cut: true } : {},
  };
}

function drive(address: string, as: string, { vehicles, alarms }: KeysLoad, perSecond: number): () => Promise<void> {
  const each = Math.round(perSecond / POSTS_A_SECOND);
  let [next, sent, isOver] = [0, 0, false];
  const begun = Date.now();
  const going = (async () => {
    while (!isOver) {
      const now = Date.now();
      const due = (sent * 1_000) / POSTS_A_SECOND - (now - begun);
      if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
      sent++;
      const fixes = Array.from({ length: each }, () => fixOf(next++ % vehicles, Date.now(), alarms, true));
      const answered = await askAt(address, 'POST', '/telemetry', { as, body: fixes });
      if (answered.status !== 200) throw new Error(answered.text);
    }
  })();
  return async () => {
    isOver = true;
    await going;
    const reached = (sent * each * 1_000) / (Date.now() - begun);
    if (reached < perSecond * 0.9) console.log(`  only ${reached.toFixed(0)} positions/s were sent`);
  };
}

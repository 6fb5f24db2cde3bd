import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildWindows } from '../../../electron/build-windows.ts';
import { probeStation } from '../../../electron/connect/probe.ts';
import { VERSION } from '../../../server/platform/program.ts';
import { eventually } from '../../support/eventually.ts';
import { launchChromiumWithWindows } from '../harness/chromium.ts';
import { putBehind, screenshot } from '../harness/console-harness.ts';
import { ElectronHarness } from '../harness/electron-harness.ts';

/**
 * The whole desktop program, from its entry file to the console in its window; only Electron itself is the
 * harness.
 */
const electron = vi.hoisted(() => ({ parts: undefined as unknown }));
vi.mock('electron', () => ({ default: electron.parts }));

const root = new URL('../../..', import.meta.url).pathname;
let browser: Browser;
let harness: ElectronHarness;
let folder: string;
const argv = process.argv;

beforeAll(async () => {
  browser = await launchChromiumWithWindows();
  folder = mkdtempSync(join(tmpdir(), 'waypost-desktop-'));
  process.env.WAYPOST_TEST_USER_DATA = folder;
  await buildWindows(join(root, 'dist/electron'));
  harness = new ElectronHarness(await browser.newContext());
  electron.parts = harness.parts();
  process.argv = ['electron', '.', '--data', join(folder, 'station'), '--port', '0'];
  process.env.WAYPOST_ADMIN_PASSWORD = 'for this test only';
  await import('../../../electron/main.ts');
  // The whole station is loaded and started before.
  await vi.waitFor(() => expect([...harness.errors, ...harness.windows]).toHaveLength(1), { timeout: 150_000 });
});
afterAll(async () => {
  process.argv = argv;
  delete process.env.WAYPOST_DATA;
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('it opens a window on the console of the station in its own process, and a person can sign in', async () => {
  expect(harness.errors).toEqual([]);
  const page = await harness.windows[0]!.page;
  await page.waitForSelector('input[type=password]');
  expect(await page.evaluate(() => typeof (window as never as { waypost: { notify: unknown } }).waypost.notify)).toBe(
    'function',
  );
  expect(harness.refused).toEqual([]);
});

test('the menus follow the language of the console', async () => {
  const page = await harness.windows[0]!.page;
  const labels = () => harness.trayMenu.map(({ label }) => label);
  expect(labels()).toContain('Quit and stop the station');
  await page.getByText('Русский', { exact: true }).click();
  await eventually(() => expect(labels()).toContain('Выйти и остановить станцию'));
  await page.getByText('English', { exact: true }).click();
  await eventually(() => expect(labels()).toContain('Quit and stop the station'));
});

test('a program asks a real station who it is, as it would one of another machine', async () => {
  const page = await harness.windows[0]!.page;
  expect(await probeStation(new URL(page.url()).origin)).toMatchObject({
    kind: 'station',
    station: { name: 'Waypost', version: VERSION },
  });
});

test('an alarm becomes a notification of the system and a number on the icon; a click brings the window with the alarm chosen, an answer ends both', async () => {
  const page = await harness.windows[0]!.page;
  await page.getByLabel(/Login|Логин/).fill('admin');
  await page.getByLabel(/Password|Пароль/).fill('for this test only');
  await page.keyboard.press('Enter');
  await page.locator('.light[data-level=good]').waitFor();
  const { origin } = new URL(page.url());
  const ask = async (method: string, path: string, data: object) => {
    const answer = await page.request.fetch(`${origin}${path}`, { method, data });
    expect([path, answer.status()]).toEqual([path, 200]);
    return (await answer.json()) as { id: number };
  };
  const { id } = await ask('POST', '/cars', { name: 'Van 12', carNo: 'V 12', glonassId: 12 });
  const other = await putBehind(page);
  await ask('PUT', `/cars/${id}/status`, { status: 0 });
  await eventually(() => expect(harness.notifications).toHaveLength(1));
  expect(harness.notifications[0]!.options).toMatchObject({
    title: expect.stringContaining('Emergency call of a crew'),
    body: expect.stringMatching(/^Van 12\n/),
    urgency: 'critical',
    timeoutType: 'never',
    silent: true,
  });
  await eventually(() => expect(harness.badge).toBe(1));
  harness.notifications[0]!.emitter.emit('click');
  expect(harness.windows[0]!.focused).toBe(true);
  await page.locator('[data-alarm].chosen').filter({ hasText: 'Van 12' }).waitFor();
  await ask('PUT', `/cars/${id}/status`, { status: 1 });
  await page.keyboard.press('q');
  await eventually(() => expect(harness.badge).toBe(0));
  await other.close();
});

test('a letter of the post queue opens in the window, where no further window may be opened', async () => {
  const page = await harness.windows[0]!.page;
  const { origin } = new URL(page.url());
  const ask = async <T>(method: string, path: string, data?: object): Promise<T> => {
    const answer = await page.request.fetch(`${origin}${path}`, { method, ...(data ? { data } : {}) });
    expect(answer.status(), `${path}: ${await answer.text()}`).toBe(200);
    return (await answer.json()) as T;
  };
  const { id: roads } = await ask<{ id: number }>('POST', '/organizations', {
    name: 'Roads',
    info: { address: 'Pavement Street 1' },
  });
  const {
    newstype: [type],
  } = await ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const { newsId } = await ask<{ newsId: number }>('POST', '/news/', {
    action: 'put',
    values: { title: 'Hole in the road', news_type_id: Number(type!.news_type_id), notice: 2 },
  });
  await ask('POST', `/news/${newsId}/update`, { assigned_organization_id: roads });
  await page.evaluate(() => (location.hash = '#/post'));
  await page.getByRole('option').filter({ hasText: 'Roads' }).first().click();
  await page.getByRole('button', { name: 'Open to print' }).click();
  await page.locator('.sheet-preview canvas[data-drawn]').first().waitFor();
  expect(harness.refused).toEqual([]);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => page.locator('.sheet-preview').count()).toBe(0);
});

test('a window of the queue and one of the card stand on their own displays: the card shows what is chosen in the queue', async () => {
  const open = (label: string) => {
    const before = harness.windows.length;
    harness.trayMenu.find((entry) => entry.label === label)!.click!();
    return harness.windows[before]!;
  };
  const [cardWindow, queueWindow] = [open('New task card'), open('New queue')];
  const [card, queue] = [await cardWindow.page, await queueWindow.page];
  await card.getByText('No task chosen').waitFor();
  await screenshot(card, 'window-card-empty');
  await queue.bringToFront();
  await queue.getByRole('option').filter({ hasText: 'Hole in the road' }).click();
  await card.getByRole('heading', { name: 'Hole in the road' }).waitFor();
  expect(card.url()).toMatch(/#\/card\?task=\d+$/);
  await screenshot(card, 'window-card');
  await screenshot(queue, 'window-queue');
  const places = JSON.parse(readFileSync(join(folder, 'userData/windows.json'), 'utf8')) as { route: string }[];
  expect(places.map(({ route }) => route.replace(/\d+/, 'ID'))).toEqual(
    expect.arrayContaining(['#/queue?task=ID', '#/card?task=ID']),
  );
  for (const window of [cardWindow, queueWindow]) await window.close();
});

test('quitting ends the station cleanly: the directory can be opened again', async () => {
  harness.trayMenu.at(-1)!.click!();
  await eventually(() => expect(harness.exitCode).toBe(0));
  const { startStation } = await import('../../../server/station.ts');
  const { readConfig } = await import('../../../server/config/index.ts');
  const again = await startStation(readConfig(['--data', join(folder, 'station'), '--port', '0'], {}));
  expect((await fetch(`${again.address}/health`)).status).toBe(200);
  await again.stop();
});

test('under Electron itself, where its binary is found', async ({ skip }) => {
  const home = join(root, 'node_modules/electron');
  const binary = existsSync(join(home, 'path.txt'))
    ? (await import('electron/index.js' as string).catch(() => undefined))?.default
    : undefined;
  if (typeof binary !== 'string' || !existsSync(binary))
    return skip(
      'skipped: no Electron binary is found on this machine, so the shell was tried over Chromium windows only',
    );
  const { _electron } = await import('playwright');
  const { execFileSync } = await import('node:child_process');
  execFileSync(process.execPath, [join(root, '.ci/build.mjs')], { cwd: root });
  const program = await _electron.launch({
    executablePath: binary,
    args: ['--no-sandbox', root, '--data', join(folder, 'electron'), '--port', '0'],
    cwd: root,
  });
  const window = await program.firstWindow();
  await window.waitForSelector('input[type=password]');
  expect(
    await window.evaluate(() => [
      typeof (globalThis as never as { require: unknown }).require,
      typeof (window as never as { waypost: { notify: unknown } }).waypost.notify,
    ]),
  ).toEqual(['undefined', 'function']);
  await program.close();
});

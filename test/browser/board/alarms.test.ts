import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openDemoConsole,
  putBehind,
  screenshot,
  enter,
  type DemoConsole,
  type RunningStation,
} from '../harness/console-harness.ts';

let desk: DemoConsole;
let station: RunningStation;
let page: Page;

/** Notifications are allowed, and those that stand are kept in `shown` of the window. */
async function keepNotifications(context: BrowserContext, { address }: RunningStation): Promise<void> {
  await context.grantPermissions(['notifications'], { origin: address });
  await context.addInitScript(() => {
    const shown: Notification[] = [];
    Object.assign(window, { shown });
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        shown.push(this);
        this.addEventListener('close', () => shown.splice(shown.indexOf(this), 1));
      }
      override close(): void {
        super.close();
        this.dispatchEvent(new Event('close')); // a browser without a desktop closes nothing
      }
    };
  });
}

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, windows: true }, keepNotifications);
  ({ station, page } = desk);
  await page.getByRole('listbox', { name: 'Vehicles' }).getByRole('option').nth(5).waitFor();
});
afterAll(() => desk?.close());

/** Types a line into the command line and lets it be done. */
async function command(text: string, said: RegExp): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(text);
  await page.locator('.line').getByText(said).waitFor();
  await page.keyboard.press('Enter');
}
const strip = () => page.getByRole('region', { name: 'Alarms' });
/** Not the alarms of tasks of the demo whose time runs out meanwhile, which name their vehicles as well. */
const calls = () => page.locator('[data-alarm]').filter({ hasText: 'Emergency call of a crew' });
const alarmOf = (vehicle: string) => calls().filter({ hasText: vehicle });
const stateOf = (vehicle: string) => alarmOf(vehicle).getAttribute('data-state');

test('a crew that calls for help raises an alarm with what to do; only its mark flashes', async () => {
  await command('s medic 3 0', /Set Medic 3 to 0/);
  await alarmOf('Medic 3').waitFor();
  expect(await page.locator('[data-alarm]').count(), 'one line, whatever the number').toBe(1);
  expect((await strip().boundingBox())!.height).toBeLessThanOrEqual(53);
  await strip().getByRole('button', { expanded: false }).click();
  expect(await stateOf('Medic 3')).toBe('unacknowledged');
  expect(await alarmOf('Medic 3').textContent()).toMatch(/Emergency call of a crew.*Call the crew at once/s);
  expect(await alarmOf('Medic 3').locator('.mark.flashing').count()).toBe(1);
  const { dimmed, times } = await page.evaluate(async () => {
    const opacities = () =>
      [...document.querySelectorAll('*')].map((element) => [element, getComputedStyle(element).opacity] as const);
    const before = new Map(opacities());
    const times: number[] = [];
    const dimmed = new Set<string>();
    await new Promise<void>((resolve) =>
      new MutationObserver(() => {
        times.push(performance.now());
        for (const [element, opacity] of opacities())
          if (before.has(element) && before.get(element) !== opacity) dimmed.add(element.tagName.toLowerCase());
        if (times.length > 4) resolve();
      }).observe(document.documentElement, { attributes: true, attributeFilter: ['data-dims'] }),
    );
    return { dimmed: [...dimmed], times };
  });
  expect(dimmed).toEqual(['svg']);
  expect((4 / 2 / (times[4]! - times[0]!)) * 1_000, 'Hz').toBeLessThanOrEqual(2.8);
  await screenshot(page, 'alarms-board-day-en');
});

test('the sound is silenced for thirty seconds by one key, and the strip says how long', async () => {
  await strip()
    .getByRole('button', { name: /Silence/ })
    .waitFor();
  await page.keyboard.press('m');
  await strip()
    .getByText(/Silent for \d+ s more/)
    .waitFor();
  expect(await stateOf('Medic 3')).toBe('unacknowledged'); // nobody has answered yet
});

test('one key acknowledges the most urgent alarm; it stays, steady, until its cause is gone', async () => {
  await page.keyboard.press('q');
  await expect.poll(() => stateOf('Medic 3')).toBe('acknowledged');
  expect(await alarmOf('Medic 3').locator('.mark.flashing').count()).toBe(0);
  await command('s medic 3 1', /Set Medic 3 to 1/);
  await expect.poll(() => alarmOf('Medic 3').count()).toBe(0);
});

/** Notifications of calls for help that stand. */
const shown = () =>
  page.evaluate(() =>
    (window as unknown as { shown: Notification[] }).shown
      .filter(({ title }) => title.endsWith('Emergency call of a crew'))
      .map(({ title, body, requireInteraction }) => ({ title, body, requireInteraction })),
  );
async function setStatus(vehicle: string, status: number): Promise<void> {
  const vehicles = (await (await page.request.get(`${station.address}/cars`)).json()) as { id: number; name: string }[];
  expect(
    (
      await page.request.put(`${station.address}/cars/${vehicles.find(({ name }) => name === vehicle)!.id}/status`, {
        data: { status },
      })
    ).status(),
  ).toBe(200);
}

test('an alarm reaches the desktop while the console is not in front; a click leads to it, and an answer takes the notification back', async () => {
  await page.goto(`${station.address}/#/events`);
  expect(await shown()).toEqual([]); // what came while one looked is no news
  const other = await putBehind(page);
  await setStatus('Medic 3', 0);
  await expect.poll(shown).toEqual([
    {
      title: 'Emergency: Emergency call of a crew',
      body: expect.stringMatching(/^Medic 3\nCall the crew at once/),
      requireInteraction: true,
    },
  ]);
  await page.evaluate(() =>
    (window as unknown as { shown: Notification[] }).shown
      .find(({ body }) => body.startsWith('Medic 3'))!
      .dispatchEvent(new Event('click')),
  );
  await page.locator('[data-alarm].chosen').filter({ hasText: 'Medic 3' }).waitFor();
  expect(await shown()).toEqual([]);
  expect(new URL(page.url()).hash).toBe('#/'); // the same link works again

  await setStatus('Medic 4', 0);
  await expect.poll(async () => (await shown()).length).toBe(1);
  await page.keyboard.press('q'); // the chosen one
  await alarmOf('Medic 4').getByRole('button', { name: 'Acknowledge' }).click();
  await expect.poll(shown).toEqual([]);

  // Another tab of the console that is in front is as good.
  await other.goto(`${station.address}/#/`);
  await other.locator('[data-alarm]').first().waitFor();
  await setStatus('Rescue 1', 0);
  await other.locator('[data-alarm]').filter({ hasText: 'Rescue 1' }).waitFor();
  await alarmOf('Rescue 1').waitFor();
  expect(await shown()).toEqual([]);
  for (const vehicle of ['Medic 3', 'Medic 4', 'Rescue 1']) await setStatus(vehicle, 1);
  await alarmOf('Rescue 1').getByRole('button', { name: 'Acknowledge' }).click();
  await expect.poll(() => calls().count()).toBe(0);
  await other.close();
  await page.bringToFront();
});

test('in a flood there are groups instead of rows; one opens, is answered as a whole, and no key answers it', async () => {
  const crews = Array.from({ length: 11 }, (_, index) => `Medic ${index + 1}`);
  for (const crew of crews) await setStatus(crew, 0);
  const group = strip()
    .getByRole('listitem')
    .filter({ hasText: 'Emergency call of a crew' })
    .filter({ hasText: '11 of 11 unacknowledged' });
  await group.waitFor();
  await strip()
    .getByText(/^\d\d in 10 minutes$/)
    .waitFor();
  expect(await page.locator('[data-alarm]').count()).toBe(0);
  await page.keyboard.press('q');
  await group.getByRole('button', { name: /^Emergency call of a crew/ }).click();
  await expect.poll(() => page.locator('[data-alarm]').count()).toBe(11);
  expect(await page.locator('[data-alarm][data-state=unacknowledged]').count()).toBe(11); // the key did nothing
  await screenshot(page, 'alarms-flood-day-en');
  await group.getByRole('button', { name: 'Acknowledge all of these' }).click();
  await page.getByText('11 alarms are acknowledged').waitFor();
  await expect.poll(() => page.locator('[data-alarm][data-state=unacknowledged]').count()).toBe(0);
  for (const crew of crews) await setStatus(crew, 1);
  await expect.poll(() => calls().count()).toBe(0);
});

test('another station of work sees the same alarm, and who takes care of it', async () => {
  await command('s medic 4 0', /Set Medic 4 to 0/);
  const context = await desk.browser.newContext({
    viewport: { width: 1280, height: 720 },
    locale: 'ru-RU',
    colorScheme: 'dark',
  });
  const second = await context.newPage();
  await enter(second, station.address, 'operator', 'operator');
  const there = second.locator('[data-alarm]').filter({ hasText: 'Medic 4' });
  await there.waitFor();
  expect(await there.textContent()).toContain('вызов о помощи');
  await second.getByRole('region', { name: 'Тревоги' }).getByRole('button', { expanded: false }).click();
  await alarmOf('Medic 4').getByRole('button', { name: 'Take it' }).click();
  await page.getByText(/handles: Emergency call of a crew/).waitFor();
  await expect.poll(() => there.locator('.who').textContent()).not.toBe('');
  await screenshot(second, 'alarms-board-dusk-ru');
  await page.keyboard.press('q');
  await expect.poll(() => there.getAttribute('data-state')).toBe('acknowledged');
  await context.close();
});

test('an alarm is put aside with a reason that everybody sees, and is taken back', async () => {
  await page.getByRole('link', { name: /^All alarms/ }).click();
  // The demo has a task whose time runs out in its first minutes.
  await page.getByRole('button', { name: 'Shelve' }).first().waitFor({ timeout: 90_000 });
  await page.getByRole('button', { name: 'Shelve' }).first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Shelve' }).click();
  await sheet.getByText('Give the reason, so that others know.').waitFor();
  await sheet.getByLabel('Reason').fill('The crew has told its time');
  await sheet.getByRole('button', { name: 'Shelve' }).click();
  await page.getByText(/^Shelved: /).waitFor();
  await page.getByRole('radio', { name: /^Shelved/ }).click();
  const aside = page.locator('[data-state=shelved]');
  await aside.filter({ hasText: 'The crew has told its time' }).first().waitFor();
  await aside.first().getByRole('button', { name: 'Unshelve' }).click();
  await expect.poll(() => aside.count()).toBe(0);
  await page.goto(`${station.address}/#/`);
});

test('history, rate and rules are on the page of alarms; a rule without a response is refused in words', async () => {
  await page.getByRole('link', { name: /^Alarms: \d+ unacknowledged/ }).click();
  await page.getByRole('heading', { name: 'Alarms' }).waitFor();
  await page.getByRole('radio', { name: 'History' }).click();
  await page
    .getByRole('row')
    .filter({ hasText: 'Medic 3' })
    .filter({ hasText: /acknowledged by|Cleared/ })
    .first()
    .waitFor();
  await page.getByRole('radio', { name: 'Statistics' }).click();
  await page.getByText('Peak in 10 minutes').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Emergency call of a crew' }).first().waitFor();
  await screenshot(page, 'alarms-rate-day-en');
  await page.getByRole('radio', { name: 'Rules' }).click();
  const response = page.getByLabel('Response to: Signal lost');
  await response.fill('');
  await page.getByText('Enter the response. What needs no response is an event.').waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await response.fill('Call it by radio.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Alarm rules saved').waitFor();
  expect(desk.faults()).toEqual([]);
});

import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromiumOnDisplays } from '../harness/chromium.ts';
import { enter } from '../harness/console-harness.ts';
import { openDispatchRoom, type DispatchRoom } from '../harness/dispatch-room.ts';

/** Layouts on a computer with two displays beside each other, and on one where they are above each other. */
let room: DispatchRoom;
const browsers: Browser[] = [];
beforeAll(async () => {
  room = await openDispatchRoom([['anna', 'Anna']], ['Fire at the mill']);
});
afterAll(async () => {
  for (const browser of browsers) await browser.close();
  await room?.close();
});

/** A console whose windows are as large as their displays let them be, and may be put on each of them. */
async function openDesk(
  login: string,
  ...displays: readonly string[]
): Promise<{ page: Page; context: BrowserContext }> {
  const browser = await launchChromiumOnDisplays(...displays);
  browsers.push(browser);
  const context = await browser.newContext({ viewport: null, locale: 'en-GB' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const { origin } = new URL(room.station.address);
  const session = await browser.newBrowserCDPSession();
  const { targetInfo } = await (await context.newCDPSession(page)).send('Target.getTargetInfo');
  await session.send('Browser.grantPermissions', {
    ...{ origin, permissions: ['windowManagement'] },
    ...(targetInfo.browserContextId && { browserContextId: targetInfo.browserContextId }),
  });
  await moveTo(page, { left: 0, top: 0, width: 1500, height: 880 });
  await enter(page, room.station.address, login, `${login}-${login}`);
  await page.locator('.light[data-level=good]').waitFor();
  await page.evaluate(() => (location.hash = '#/settings'));
  await page.getByRole('link', { name: 'Arrange the board' }).press('Enter');
  await page.locator('[data-panel=queue] [role=option]').first().waitFor();
  return { page, context };
}

async function moveTo(page: Page, bounds: { left: number; top: number; width: number; height: number }): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { windowId } = await session.send('Browser.getWindowForTarget');
  await session.send('Browser.setWindowBounds', { windowId, bounds });
}
const displayOf = (page: Page) =>
  page.evaluate(() => {
    const { availLeft, availTop } = screen as Screen & { availLeft: number; availTop: number };
    return { left: availLeft, top: availTop };
  });
const layoutOf = (page: Page) => page.getByRole('combobox', { name: 'Layout' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a layout opens its windows on the displays they were on, and on the first one where such a display is missing', async () => {
  const { page, context } = await openDesk('admin', '0,0 1600x900', '1600,0 1600x900');
  const tab = page.locator('[data-tab-panel-id=messages]');
  await tab.click();
  const group = page.locator('.dv-groupview').filter({ has: tab });
  await group.getByRole('button', { name: 'Arrange this panel' }).click();
  const opened = context.waitForEvent('page');
  await button(page, 'Own window').click();
  const first = await opened;
  await first.waitForURL(/#\/crews/);
  await button(page, 'Save as …').click();
  await page.getByLabel('Name of the layout').fill('Two displays');
  await page.keyboard.press('Enter');
  await button(page, 'Share').waitFor();

  // A window that goes to another display changes the layout.
  expect(await button(page, 'Save changes').count()).toBe(0);
  await first.locator('.light').waitFor();
  await moveTo(first, { left: 1700, top: 60, width: 960, height: 720 });
  await expect.poll(() => displayOf(first)).toEqual({ left: 1600, top: 0 });
  await button(page, 'Save changes').click();
  await expect.poll(() => button(page, 'Save changes').count()).toBe(0);
  await button(page, 'Share').click();
  await page.getByText('Shared by you').waitFor();

  await first.close();
  await button(page, 'Messages').click();
  await tab.waitFor();
  await button(page, 'Save as …').click();
  await page.getByLabel('Name of the layout').fill('One display');
  await page.keyboard.press('Enter');
  await expect.poll(() => layoutOf(page).locator('option:checked').innerText()).toBe('One display');
  const again = context.waitForEvent('page');
  await layoutOf(page).selectOption({ label: 'Two displays' });
  await expect.poll(async () => displayOf(await again)).toEqual({ left: 1600, top: 0 });
  await expect.poll(() => tab.count()).toBe(0);
  await expect.poll(() => button(page, 'Save changes').count()).toBe(0);

  // A window that is open goes where the layout has it, and closes where the layout has none.
  const panel = await again;
  await panel.locator('.light[data-level=good]').waitFor();
  await moveTo(panel, { left: 60, top: 60, width: 960, height: 720 });
  await expect.poll(() => displayOf(panel)).toEqual({ left: 0, top: 0 });
  await button(page, 'Revert to saved').click();
  await expect.poll(() => displayOf(panel)).toEqual({ left: 1600, top: 0 });
  await expect.poll(() => button(page, 'Save changes').count()).toBe(0);
  await layoutOf(page).selectOption({ label: 'One display' });
  await expect.poll(() => panel.isClosed()).toBe(true);
  await tab.waitFor();
  expect(context.pages()).toEqual([page]);

  const taker = await openDesk('anna', '0,0 1600x900', '0,900 1600x900');
  const theirs = taker.context.waitForEvent('page');
  await layoutOf(taker.page).selectOption({ label: 'Two displays · Administrator' });
  await (await theirs).locator('.light').waitFor();
  expect(await displayOf(await theirs)).toEqual({ left: 0, top: 0 });
  await taker.page.getByText('Shared by Administrator').waitFor();
  expect(await button(taker.page, 'Save changes').count()).toBe(0);
});

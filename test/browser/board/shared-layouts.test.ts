import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDispatchRoom, type Desk, type DispatchRoom } from '../harness/dispatch-room.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** Two people and the layouts and views that one of them shares; the other has no right to share. */
let room: DispatchRoom;
let owner: Desk;
let taker: Desk;
beforeAll(async () => {
  room = await openDispatchRoom([['anna', 'Anna']], ['Fire at the mill', 'Cat in a tree']);
  [owner, taker] = [await room.openDesk('admin'), await room.openDesk('anna')];
});
afterAll(() => room?.close());

const panel = ({ page }: Desk, name: string) => page.locator(`[data-tab-panel-id=${name}]`);
const button = ({ page }: Desk, name: string) => page.getByRole('button', { name, exact: true });
const layout = ({ page }: Desk) => page.getByRole('combobox', { name: 'Layout' });
const chosenLayout = (desk: Desk) => layout(desk).locator('option:checked').innerText();
const notice = ({ page }: Desk, text: string) => page.locator('.notices').getByText(text).first();

async function arrange({ page }: Desk): Promise<void> {
  await page.evaluate(() => (location.hash = '#/settings'));
  await page.getByRole('link', { name: 'Arrange the board' }).press('Enter');
  await page.locator('[data-panel=queue] [role=option]').first().waitFor();
}
async function actOn(desk: Desk, name: string, action: string): Promise<void> {
  await panel(desk, name).click();
  const group = desk.page.locator('.dv-groupview').filter({ has: panel(desk, name) });
  await group.getByRole('button', { name: 'Arrange this panel' }).click();
  await button(desk, action).click();
  await expect.poll(() => panel(desk, name).count()).toBe(0);
}
async function write({ page }: Desk, name: string): Promise<void> {
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}
const openFilters = ({ page }: Desk) => page.getByRole('button', { name: /^Filters/ }).click();

test('a layout is shared, found and taken, follows its owner, and is one’s own from the first change on', async () => {
  await arrange(owner);
  await actOn(owner, 'units', 'Close the panel');
  await button(owner, 'Save as …').click();
  await write(owner, 'Night desk');
  await button(owner, 'Share').click();
  await notice(owner, 'Shared with others: Night desk').waitFor();
  await owner.page.getByText('Shared by you').waitFor();
  expect(await inEveryLook(owner.page, 'shared-layout-of-owner')).toEqual([]);

  await arrange(taker);
  await expect.poll(() => panel(taker, 'units').count()).toBe(1);
  await layout(taker).selectOption({ label: 'Night desk · Administrator' });
  await expect.poll(() => panel(taker, 'units').count()).toBe(0);
  await taker.page.getByText('Shared by Administrator').waitFor();
  expect(await button(taker, 'Save changes').count()).toBe(0);
  expect(await inEveryLook(taker.page, 'shared-layout-taken')).toEqual([]);

  // Changes come by themselves, also into a window of another size, and after a reload.
  await taker.page.setViewportSize({ width: 1700, height: 1000 });
  await actOn(owner, 'log', 'Close the panel');
  await button(owner, 'Save changes').click();
  await expect.poll(() => panel(taker, 'log').count()).toBe(0);
  await notice(taker, 'Administrator has changed the layout Night desk').waitFor();
  await button(owner, 'Rename').click();
  await write(owner, 'Night');
  await expect.poll(() => chosenLayout(taker)).toBe('Night · Administrator');
  await taker.page.reload();
  await expect.poll(() => chosenLayout(taker)).toBe('Night · Administrator');
  expect(await panel(taker, 'log').count()).toBe(0);

  // Rearranged panels stay where this person put them; saved, they are their own.
  await actOn(taker, 'messages', 'Close the panel');
  await button(taker, 'Save changes').waitFor();
  await button(owner, 'Run board').click();
  await button(owner, 'Save changes').click();
  await expect.poll(() => chosenLayout(owner)).toBe('Night');
  await expect.poll(() => button(owner, 'Save changes').count()).toBe(0);
  await button(taker, 'Revert to saved').click();
  await expect.poll(() => panel(taker, 'units').count()).toBe(1);
  await actOn(taker, 'messages', 'Close the panel');
  await button(taker, 'Save changes').click();
  await expect.poll(() => chosenLayout(taker)).toBe('Night');
  expect(await taker.page.getByText('Shared by Administrator').count()).toBe(0);
  await button(owner, 'Rename').click();
  await write(owner, 'Late');
  await expect.poll(() => layout(taker).locator('optgroup option').allInnerTexts()).toEqual(['Late · Administrator']);
  expect(await chosenLayout(taker)).toBe('Night');
  expect(await button(taker, 'Share').count()).toBe(0);
});

test('windows for which a person has no other display are tabs, and a withdrawn layout stays with who took it', async () => {
  await layout(taker).selectOption({ label: 'Late · Administrator' });
  await taker.page.getByText('Shared by Administrator').waitFor();
  await expect.poll(() => panel(taker, 'messages').count()).toBe(1);
  const opened = owner.context.waitForEvent('page');
  await actOn(owner, 'messages', 'Own window');
  await (await opened).close();
  await button(owner, 'Save changes').click();
  await notice(taker, 'as tabs in this window: Messages').waitFor();
  await expect.poll(() => panel(taker, 'messages').count()).toBe(1);
  expect(await button(taker, 'Save changes').count()).toBe(0);

  await layout(taker).selectOption({ label: 'Night' });
  await expect.poll(() => panel(taker, 'messages').count()).toBe(0);
  await layout(taker).selectOption({ label: 'Late · Administrator' });
  await expect.poll(() => panel(taker, 'messages').count()).toBe(1);
  expect(await inEveryLook(taker.page, 'shared-layout-folded')).toEqual([]);

  await button(owner, 'Stop sharing').click();
  await expect.poll(() => chosenLayout(taker)).toBe('Late');
  await notice(owner, 'No longer shared: Late').waitFor();
  await owner.page.keyboard.press('u');
  await expect.poll(() => chosenLayout(taker)).toBe('Late · Administrator');
  await button(owner, 'Stop sharing').click();
  await expect.poll(() => chosenLayout(taker)).toBe('Late');
});

test('a view of the queue is shared the same way', async () => {
  for (const desk of [owner, taker]) {
    await button(desk, 'Standard board').click();
    await desk.page.locator('.board .queue').waitFor();
  }
  const rows = ({ page }: Desk) => page.getByRole('listbox', { name: 'Tasks' }).getByRole('option');
  const shows = async (desk: Desk, words: string[]) => {
    await expect.poll(() => rows(desk).count()).toBe(words.length);
    for (const word of words) await rows(desk).filter({ hasText: word }).waitFor();
  };
  await owner.page.getByLabel('Filter by number, words or address').fill('mill');
  await openFilters(owner);
  await button(owner, 'Save as a view').click();
  await write(owner, 'Mill');
  await openFilters(owner);
  await button(owner, 'Share').click();
  await notice(owner, 'Shared with others: Mill').waitFor();

  await openFilters(taker);
  expect(await inEveryLook(taker.page, 'shared-view-offered')).toEqual([]);
  await button(taker, 'Mill · Administrator').click();
  await shows(taker, ['mill']);
  await taker.page.getByText('Follows the changes of Administrator').waitFor();

  const order = ({ page }: Desk) => page.getByRole('combobox', { name: 'Order' });
  await order(owner).selectOption('newest');
  await button(owner, 'Update the view').click();
  await expect.poll(() => order(taker).inputValue()).toBe('newest');
  await button(owner, 'Rename the view').click();
  await write(owner, 'Mills');
  await taker.page.getByRole('radio', { name: /Mills/ }).waitFor();

  await order(taker).selectOption('oldest');
  await button(taker, 'Update the view').click();
  await button(taker, 'Mills · Administrator').waitFor();
  await shows(taker, ['mill']);
  await openFilters(owner);
  await button(owner, 'Stop sharing').click();
  await expect.poll(() => taker.page.getByRole('button', { name: 'Mills · Administrator' }).count()).toBe(0);
  expect([...owner.faults(), ...taker.faults()]).toEqual([]);
});

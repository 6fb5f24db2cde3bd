import { afterAll, beforeAll, expect, test } from 'vitest';
import { screenshot } from '../harness/console-harness.ts';
import { openCard, openDispatchRoom, type Desk, type DispatchRoom } from '../harness/dispatch-room.ts';
import { inEveryLook } from '../harness/every-look.ts';
import { intercept } from '../harness/intercept.ts';

/** Watching a task, naming a colleague in a comment, and the list of what concerns a person. */
let room: DispatchRoom;
let anna: Desk;
let boris: Desk;

beforeAll(async () => {
  room = await openDispatchRoom(
    [
      ['anna', 'Anna Weber'],
      ['boris', 'Boris Orlov'],
      ['bella', 'Bella Moreau'],
    ],
    ['Tree across the road', 'Traffic light dark', 'Burst pipe'],
  );
  [anna, boris] = await Promise.all([room.openDesk('anna'), room.openDesk('boris')]);
});
afterAll(() => room?.close());
const rows = async ({ page }: Desk) =>
  (await page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').allInnerTexts()).map(
    (text) => /Tree|Traffic|Burst/.exec(text)?.[0],
  );
const forMe = ({ page }: Desk) => page.getByRole('radio', { name: /^For me/ });

test('one key watches a task; the list of what is for me has it, and the way back takes it out', async () => {
  await forMe(boris).click();
  await expect.poll(() => rows(boris)).toEqual([]);
  await boris.page.getByRole('radio', { name: /^Open/ }).click();
  await openCard(boris, 'Traffic light dark');
  await boris.page.keyboard.press('v');
  await boris.page.locator('.card').getByText('Watched by Boris Orlov').waitFor();
  await forMe(boris).click();
  await expect.poll(() => rows(boris)).toEqual(['Traffic']);
  await boris.page.keyboard.press('u');
  await expect.poll(() => rows(boris)).toEqual([]);
});

test('a name is chosen while it is typed; the comment shows it, and the person is notified at once', async () => {
  await openCard(anna, 'Tree across the road');
  await anna.page.keyboard.press('c');
  const field = anna.page.getByRole('textbox', { name: 'Add a comment' });
  await anna.page.keyboard.type('Can you look, @b');
  const list = anna.page.getByRole('listbox', { name: 'Whom to mention' });
  await expect
    .poll(() => list.getByRole('option').allInnerTexts())
    .toEqual(['Bella Moreau\n@bella', 'Boris Orlov\n@boris']);
  await screenshot(anna.page, 'mention-list-day-en');
  await anna.page.keyboard.press('ArrowDown');
  await anna.page.keyboard.press('Enter');
  expect(await field.inputValue()).toBe('Can you look, @boris ');
  await anna.page.getByText('Boris Orlov gets a notice and watches the task').waitFor();
  await anna.page.keyboard.type('please?');
  await anna.page.keyboard.press('Control+Enter');
  await anna.page.locator('.card').getByText('@Boris Orlov').waitFor();
  await anna.page.locator('.card').getByText('Watched by Boris Orlov').waitFor();

  const notice = boris.page.getByText('A comment mentions you: task');
  await notice.waitFor();
  await screenshot(boris.page, 'mention-notice-day-en');
  await boris.page.getByRole('button', { name: 'Show', exact: true }).click();
  await boris.page.locator('.card').getByRole('heading', { name: 'Tree across the road' }).waitFor();
  await expect.poll(() => rows(boris)).toEqual(['Tree']);
});

test('Escape leaves the names and keeps the words; an unknown name names nobody', async () => {
  await anna.page.getByRole('textbox', { name: 'Add a comment' }).click();
  await anna.page.keyboard.type('Mail x@bella and @be');
  const list = anna.page.getByRole('listbox', { name: 'Whom to mention' });
  await list.waitFor();
  await anna.page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await anna.page.keyboard.type('yond');
  const field = anna.page.getByRole('textbox', { name: 'Add a comment' });
  expect(await field.inputValue()).toBe('Mail x@bella and @beyond');
  expect(await anna.page.getByText('gets a notice').count()).toBe(0);
  await field.fill('');
});

test('a name is completed where the caret went back to', async () => {
  const field = anna.page.getByRole('textbox', { name: 'Add a comment' });
  await field.fill('');
  await anna.page.keyboard.type('Ask @bor');
  await anna.page.getByRole('listbox', { name: 'Whom to mention' }).waitFor();
  await anna.page.keyboard.press('ArrowLeft');
  await anna.page.keyboard.press('ArrowLeft');
  await anna.page.getByRole('option', { name: 'Bella Moreau' }).waitFor();
  await anna.page.getByRole('option', { name: 'Boris Orlov' }).click();
  expect(await field.inputValue()).toBe('Ask @boris or');
  await field.fill('');
});

test('the key ends watching also before the station has said who watches', async () => {
  const { page } = boris;
  await page.keyboard.press('Escape');
  await page.locator('.card').waitFor({ state: 'detached' });
  const [ended, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await intercept(
    page,
    '**/watchers',
    async (route) => {
      const response = await route.fetch();
      await ended.promise;
      await route.fulfill({ response });
      late.resolve();
    },
    { times: 1 },
  );
  await openCard(boris, 'Tree across the road');
  await page.keyboard.press('v');
  await page.getByText('You no longer watch task').waitFor().finally(ended.resolve);
  await late.promise;
  await page.evaluate(() => fetch('/health').then((response) => response.text()));
  await page.locator('.card').getByText('Nobody watches this task').waitFor();
  expect(await page.locator('.card').getByText('Watched by').count()).toBe(0);
  await page.keyboard.press('u');
  await page.locator('.card').getByText('Watched by Boris Orlov').waitFor();
});

test('the card with its watchers and a begun name, at each size, in both languages', async () => {
  await openCard(anna, 'Tree across the road');
  for (const width of [1440, 640]) {
    await anna.page.setViewportSize({ width, height: 900 });
    await anna.page.locator('.card .watch').scrollIntoViewIfNeeded();
    await anna.page.getByRole('textbox', { name: 'Add a comment' }).fill('');
    await anna.page.keyboard.type('@b');
    await anna.page.getByRole('option', { name: 'Bella Moreau' }).waitFor();
    expect(await inEveryLook(anna.page, `watching-${width}`)).toEqual([]);
  }
  expect([...anna.faults(), ...boris.faults()]).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { screenshot } from '../harness/console-harness.ts';
import { openCard, openDispatchRoom, type Desk, type DispatchRoom } from '../harness/dispatch-room.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** Two people of one control room at two consoles, with the same task open. */
let room: DispatchRoom;
let anna: Desk;
let boris: Desk;

beforeAll(async () => {
  room = await openDispatchRoom(
    [
      ['anna', 'Anna Weber'],
      ['boris', 'Boris Orlov'],
    ],
    ['Tree across the road'],
  );
  [anna, boris] = await Promise.all([room.openDesk('anna'), room.openDesk('boris')]);
});
afterAll(() => room?.close());

const onlookers = ({ page }: Desk) =>
  page.locator('.card').getByRole('status', { name: 'Who else has this task open' });

test('a card shows who else has the task open, who of them is writing, and who changed it last', async () => {
  await openCard(anna, 'Tree across the road');
  await openCard(boris, 'Tree across the road');
  await onlookers(anna).getByText('Boris Orlov').waitFor();
  await onlookers(boris).getByText('Anna Weber').waitFor();
  expect(await onlookers(anna).innerText()).not.toContain('Anna'); // oneself is nobody else
  await boris.page.keyboard.press('c');
  await boris.page.keyboard.type('The chain saw is');
  await onlookers(anna).locator('li', { hasText: 'Boris Orlov' }).getByText('is writing').waitFor();
  const wrong: string[] = [];
  for (const [width, height] of [
    [1440, 900],
    [640, 900],
  ] as const) {
    await anna.page.setViewportSize({ width, height });
    await onlookers(anna).waitFor();
    wrong.push(...(await inEveryLook(anna.page, `presence-${width}`)));
  }
  expect(wrong).toEqual([]);
  await anna.page.setViewportSize({ width: 1440, height: 900 });
  await boris.page.keyboard.press('Control+a');
  await boris.page.keyboard.press('Delete');
  await onlookers(anna).locator('li', { hasText: 'Boris Orlov' }).getByText('has this open too').waitFor();
});

test('a field that two people changed names the person, the field and the time; saving waits for a choice', async () => {
  await boris.page.keyboard.press('Escape');
  await boris.page.keyboard.press('Escape');
  await openCard(boris, 'Tree across the road');
  await boris.page.keyboard.press('e');
  const form = boris.page.locator('.editor');
  await form.getByLabel('What happened').fill('Tree across both lanes');
  await onlookers(anna).getByText('is writing').waitFor();
  await anna.page.keyboard.press('e');
  await anna.page.locator('.editor').getByLabel('What happened').fill('Tree on a car');
  await anna.page.keyboard.press('Control+Enter');
  await form
    .getByRole('alert')
    .getByText(/^Anna Weber changed Title (now|\d+ seconds ago): Tree on a car$/)
    .waitFor();
  await screenshot(boris.page, 'together-conflict-day-en');
  await boris.page.keyboard.press('Control+Enter');
  await form.getByText(/^Anna Weber changed Title .+\. Choose which value to keep\.$/).waitFor();
  await form.getByRole('button', { name: 'Keep mine' }).click();
  await boris.page.keyboard.press('Control+Enter');
  await anna.page.locator('.card').getByRole('heading', { name: 'Tree across both lanes' }).waitFor();
  await anna.page
    .locator('.card')
    .getByText(/^Changed (now|\d+ seconds ago) by Boris Orlov$/)
    .waitFor();
});

test('who closes the card, or loses the connection, has the task open no more', async () => {
  await onlookers(anna).getByText('Boris Orlov').waitFor();
  await boris.page.keyboard.press('Escape');
  await onlookers(anna).waitFor({ state: 'detached' });
  await openCard(boris, 'Tree across both lanes');
  await onlookers(anna).getByText('Boris Orlov').waitFor();
  await boris.page.close();
  await onlookers(anna).waitFor({ state: 'detached' });
  expect([...anna.faults(), ...boris.faults()]).toEqual([]);
});

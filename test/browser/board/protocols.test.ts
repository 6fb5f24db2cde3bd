import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, screenshot, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** A caller is asked by the protocol of the type, and the plan that the answers lead to is sent with one key. */
let desk: DemoConsole;
beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
});
afterAll(() => desk?.close());

test('answers set priority and advice, the proposed set is named and sent, and the card keeps the answers', async () => {
  const { page } = desk;
  await page.keyboard.press('n');
  await page.keyboard.type('honey av');
  await page.keyboard.press('Tab');
  const what = page.getByLabel('What happened');
  await expect.poll(() => what.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Fire' });
  await page.getByLabel('Category').selectOption({ label: 'Emergency' });
  await what.fill('Kitchen burns');
  const questions = page.getByRole('region', { name: 'Questions' });
  await questions.getByText('Is anybody inside?').waitFor();

  // Answered while typing, and the typing goes on.
  await page.keyboard.press('Alt+1');
  await questions.getByText('Can they get out by themselves?').waitFor();
  expect(await what.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.getByText('because: Is anybody inside? Yes').waitFor();
  await questions.getByText('Shut the door to the fire.', { exact: false }).waitFor();

  // By digits alone, and one step back.
  await questions.getByRole('list').focus();
  await page.keyboard.press('2');
  await questions.getByText('Flames, or smoke only?').waitFor();
  await page.keyboard.press('Backspace');
  await expect.poll(() => questions.getByText('Flames, or smoke only?').count()).toBe(0);
  await page.keyboard.press('2');
  await page.keyboard.press('1');
  await page.keyboard.press('2');
  await questions.getByText('complete').waitFor();

  const send = page.getByRole('button', { name: /^Send .*, / });
  await send.waitFor();
  expect(await inEveryLook(page, 'intake-questions')).toEqual([]);
  // All of it is in sight at once.
  for (const part of [page.getByLabel('Place', { exact: true }), questions, send]) {
    const box = (await part.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(900);
  }
  await what.focus();
  await page.keyboard.press('Control+Shift+Enter');
  const card = page.locator('.card');
  await card.getByText('Is anybody inside?').waitFor();
  await screenshot(page, 'intake-sent');
  const id = Number(/\d+/.exec((await card.locator('h2').first().textContent())!)![0]);
  const detail = async () =>
    (
      await desk.ask<{ news_data: { priority: string; units: unknown[]; answers: { answer: string }[] } }>(
        'GET',
        `/news/${id}`,
      )
    ).news_data;
  await expect.poll(async () => (await detail()).units.length).toBeGreaterThan(1);
  const { priority, answers } = await detail();
  expect(priority).toBe('1');
  expect(answers.map(({ answer }) => answer)).toEqual(['Yes', 'No', 'Flames', 'No']);
});

test('the editor tells a question that is never asked, and refuses one that leads back to itself', async () => {
  const { page } = desk;
  await page.goto(`${desk.station.address}/#/call-protocols`);
  await page.getByRole('option').filter({ hasText: 'Traffic accident' }).first().click();
  await page.getByRole('button', { name: 'Add a question' }).click();
  await page.getByText('No answer leads to question 4: it is never asked.').waitFor();
  expect(await inEveryLook(page, 'call-protocols')).toEqual([]);
  await page.getByLabel('What to ask').last().fill('Is it still there?');
  const last = page.getByRole('group', { name: 'Question 3' });
  await last.getByLabel('Then').first().selectOption({ label: '4. Is it still there?' });
  await page
    .getByRole('group', { name: 'Question 4' })
    .getByLabel('Then')
    .first()
    .selectOption({ label: '3. Is the road blocked?' });
  await page.getByText('The questions 3 → 4 lead back to question 3.').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('leads back to itself', { exact: false }).first().waitFor();
  await page
    .getByRole('button', { name: /^Discard/ })
    .first()
    .click();
  expect(desk.faults()).toEqual([]);
});

test('what is wrong in a part of a long field stands beside that part', async () => {
  const { page } = desk;
  await page.goto(`${desk.station.address}/#/call-protocols`);
  await page.getByRole('button', { name: 'New', exact: false }).first().click();
  const first = page.locator('fieldset.question').first();
  const advice = first.getByLabel('Say to the caller').first();
  await advice.fill('A'.repeat(2_001));
  await first.getByRole('alert').getByText('At most 2000 characters.').waitFor();
  expect(await advice.getAttribute('aria-invalid')).toBe('true');
  await advice.fill('A'.repeat(2_000));
  await first.locator('summary').first().click();
  await first.getByRole('button', { name: 'More vehicles' }).first().click();
  const count = first.getByLabel('How many').first();
  await count.fill('99999999999999999999');
  await first.getByRole('alert').getByText('From 1 to 30.').waitFor();
  await count.fill('30');
  await expect.poll(() => first.getByRole('alert').count()).toBe(0);
});

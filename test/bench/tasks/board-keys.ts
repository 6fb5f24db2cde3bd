import type { Page } from 'playwright';

/** Each key of a board on which a card is open, once; `take` gets ms until its frame is drawn. */
export async function pressKeys(page: Page, take: (name: string, time: number) => void): Promise<void> {
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

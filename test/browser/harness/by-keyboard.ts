import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** More stops than any page of the console has. */
const MAX_STOPS = 150;

/** What has the focus, in words, and what is wrong with that: nobody has it, or nobody can see who. */
export async function focusOf(page: Page): Promise<{ readonly name: string; readonly wrong: string | undefined }> {
  return page.evaluate(() => {
    const at = document.activeElement;
    if (!at || at === document.body) return { name: 'nobody', wrong: 'nobody has the focus' };
    const name = `${at.tagName.toLowerCase()} “${(at.getAttribute('aria-label') ?? at.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 60) || at.className}”`;
    // A field may show it by what is drawn around it.
    const shown = [at, at.parentElement, at.parentElement?.parentElement].some((element, out) => {
      if (!element || (out > 0 && !at.matches('input, textarea, select'))) return false;
      const { outlineStyle, outlineWidth, boxShadow, borderTopColor, borderTopWidth } = getComputedStyle(element);
      // a page has a line along its top
      if (element.matches('main'))
        return Number.parseFloat(borderTopWidth) >= 2 && borderTopColor !== 'rgba(0, 0, 0, 0)';
      return (
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) ||
        (out > 0 && element.matches(':focus-within') && boxShadow !== 'none')
      );
    });
    if (!shown) return { name, wrong: `the focus on ${name} is not to be seen` };
    const { top, bottom, left, right } = at.getBoundingClientRect();
    const inSight = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && right > left && bottom > top;
    return { name, wrong: inSight ? undefined : `${name} has the focus and is out of sight` };
  });
}

/** Waits until `wanted` has the focus, visibly. */
export async function expectFocus(page: Page, wanted: Locator): Promise<void> {
  await expect
    .poll(
      async () =>
        (await wanted.count()) > 0 && wanted.first().evaluate((element) => element === document.activeElement),
      { message: 'the focus is where it is expected' },
    )
    .toBe(true)
    .catch(async (error: unknown) => {
      throw new Error(`The focus is on ${(await focusOf(page)).name}, and was expected on ${wanted}.`, {
        cause: error,
      });
    });
  expect((await focusOf(page)).wrong).toBeUndefined();
}

/**
 * Goes to `wanted` by Tab alone, as a person without a mouse; each stop on the way has to show that it has the
 * focus.
 */
export async function tabTo(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const way: string[] = [];
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    await page.keyboard.press(key);
    const { name, wrong } = await focusOf(page);
    way.push(name);
    // Behind the last one comes the browser's own window, which has nothing here.
    if (wrong && name !== 'nobody') throw new Error(`${wrong}, on the way ${way.join(', ')}`);
    if ((await wanted.count()) > 0 && (await wanted.first().evaluate((element) => element === document.activeElement)))
      return;
  }
  throw new Error(`${wanted} is not reached by ${key}: ${way.join(', ')}`);
}

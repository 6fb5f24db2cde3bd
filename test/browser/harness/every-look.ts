import type { Page } from 'playwright';
import { expect } from 'vitest';
import { en } from '../../../renderer/src/lib/i18n/catalogues/en.ts';
import { screenshot } from './console-harness.ts';

export const PALETTES = ['day', 'dusk', 'night'] as const;
export const LANGUAGES = ['en', 'ru'] as const;

type Tree = { readonly [key: string]: string | Tree };
const keysOf = (tree: Tree, prefix = ''): string[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  );
/** What stands on a page in place of a word that is missing. */
const KEYS = new Set(keysOf(en).filter((key) => key.includes('.')));

/**
 * Shows what is open on the page in every palette and language, without leaving it, and leaves a picture of
 * each. Gives what is wrong: words that are missing, a page or a sheet that is larger than the window. Ends
 * as it began, in day and English.
 */
export async function inEveryLook(page: Page, name: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const language of LANGUAGES) {
    for (const palette of PALETTES) {
      await prefer(page, { palette, language });
      const picture = `${name}-${palette}-${language}`;
      const { texts, large } = await page.evaluate(() => {
        const outside = (element: Element) => {
          const { left, top, right, bottom } = element.getBoundingClientRect();
          return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
        };
        const root = document.documentElement;
        return {
          texts: document.body.innerText.split(/\s+/),
          large:
            root.scrollWidth > innerWidth ||
            root.scrollHeight > innerHeight ||
            [...document.querySelectorAll('dialog[open]')].some(outside),
        };
      });
      wrong.push(
        ...texts.filter((text) => KEYS.has(text)).map((text) => `${picture}: ${text}`),
        ...(large ? [`${picture} is larger than the window`] : []),
      );
      await screenshot(page, picture);
    }
  }
  await prefer(page, { palette: 'day', language: 'en' });
  return wrong;
}

/** As the keys P and L do, also where a sheet or a field has the keys to itself. */
export async function prefer(
  page: Page,
  wanted: { readonly palette: string; readonly language: string },
): Promise<void> {
  await page.evaluate((values) => {
    const app = (
      document.querySelector('#app') as unknown as {
        __vue_app__: { config: { globalProperties: { $pinia: { _s: Map<string, object> } } } };
      }
    ).__vue_app__;
    Object.assign(app.config.globalProperties.$pinia._s.get('preferences')!, values);
  }, wanted);
  await expect
    .poll(() => page.evaluate(() => [document.documentElement.dataset['palette'], document.documentElement.lang]))
    .toEqual([wanted.palette, wanted.language]);
}

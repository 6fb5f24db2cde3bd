import type { Page } from 'playwright';
import { expect } from 'vitest';
import { en } from '../../../renderer/src/lib/i18n/catalogues/en.ts';
import { accessibilityFaults } from './accessibility.ts';
import { PICTURES, takePicture } from './console-harness.ts';
import { LONG } from '../../support/long.ts';

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
 * Palettes change no word and no size, so each look has the next one, in both languages: a map is drawn again for each
 * palette. Pictures show every look in all of them.
 */
let turn = 0;
export const palettes = () => (PICTURES || LONG ? PALETTES : [PALETTES[turn++ % PALETTES.length]!]);

/**
 * Shows what is open on the page in both languages and in the palettes, without leaving it, and leaves a picture
 * of each. Gives what is wrong: words that are missing, a page or a sheet that is larger than the window, what
 * axe-core finds in each palette. Ends in English.
 */
export async function inEveryLook(page: Page, name: string): Promise<string[]> {
  const wrong: string[] = [];
  const shown = palettes();
  for (const palette of shown) {
    for (const language of LANGUAGES) {
      await prefer(page, { palette, language });
      const picture = `${name}-${palette}-${language}`;
      const { texts, outside } = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        const isOutside = (element: Element) => {
          const { left, top, right, bottom } = element.getBoundingClientRect();
          return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
        };
        const nameOf = (element: Element) => `${element.localName}.${element.classList.value.replaceAll(' ', '.')}`;
        const sheets = [...document.querySelectorAll('dialog[open]')].filter(isOutside).map(nameOf);
        const page =
          scrollWidth > innerWidth || scrollHeight > innerHeight
            ? [
                `the page, ${scrollWidth} × ${scrollHeight}: ${[...document.querySelectorAll('body *')]
                  .filter((element) => isOutside(element))
                  .map(nameOf)
                  .slice(0, 5)
                  .join(', ')}`,
              ]
            : [];
        return { texts: document.body.innerText.split(/\s+/), outside: [...page, ...sheets] };
      });
      wrong.push(
        ...texts.filter((text) => KEYS.has(text)).map((text) => `${picture}: ${text}`),
        ...outside.map((what) => `${picture} is larger than the window: ${what}`),
      );
      if (PICTURES) await takePicture(page, picture);
    }
    wrong.push(...(await accessibilityFaults(page)).map((fault) => `${name}-${palette}: ${fault}`));
  }
  await prefer(page, { palette: shown.at(-1)!, language: 'en' });
  return wrong;
}

/** As the keys P and L do, also where a sheet or a field has the keys to itself. */
export async function prefer(
  page: Page,
  wanted: { readonly palette: string; readonly language: string },
  others: Readonly<Record<string, string>> = {},
): Promise<void> {
  await page.evaluate(
    (values) => {
      const app = (
        document.querySelector('#app') as unknown as {
          __vue_app__: { config: { globalProperties: { $pinia: { _s: Map<string, object> } } } };
        }
      ).__vue_app__;
      Object.assign(app.config.globalProperties.$pinia._s.get('preferences')!, values);
    },
    { ...wanted, ...others },
  );
  await expect
    .poll(() => page.evaluate(() => [document.documentElement.dataset['palette'], document.documentElement.lang]))
    .toEqual([wanted.palette, wanted.language]);
}

/**
 * Makes the pictures of the manual from the real screens over the demo, in both languages:
 * `node test/browser/harness/make-manual-pictures.ts` (the console has to be built).
 */
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { launchChromium } from './chromium.ts';
import { ROOT, signIn, startStationProcess } from './console-harness.ts';

/** Each picture, and how to come to its screen. */
const PICTURES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async board(page) {
    await page.keyboard.press('j');
    await page.locator('.card').waitFor();
    await page.waitForTimeout(2_000); // the routes are drawn
  },
};

const station = await startStationProcess(['--demo'], { WAYPOST_DEMO_SPEED: '6' });
const browser = await launchChromium();
try {
  for (const [language, locale] of [
    ['en', 'en-GB'],
    ['ru', 'ru-RU'],
  ] as const) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale, colorScheme: 'light' });
    const page = await context.newPage();
    await signIn(page, station.address, 'dispatcher', 'dispatcher');
    await page.locator('.light[data-level=good]').waitFor();
    for (const [name, show] of Object.entries(PICTURES)) {
      await show(page);
      await sharp(await page.screenshot())
        .webp({ quality: 82 })
        .toFile(join(ROOT, `resources/manual/${language}/${name}.webp`));
    }
    await context.close();
  }
} finally {
  await browser.close();
  await station.stop();
}

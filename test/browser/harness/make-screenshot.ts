/**
 * Makes resources/screenshot.png, the picture of the README: the board over the real demo, some minutes into
 * its day. Run it after a change that shows: `node test/browser/harness/make-screenshot.ts` (the console has to be
 * built).
 */
import { join } from 'node:path';
import sharp from 'sharp';
import { launchChromium } from './chromium.ts';
import { ROOT, signIn, startStationProcess } from './console-harness.ts';

const station = await startStationProcess(['--demo'], { WAYPOST_DEMO_SPEED: '6' });
const browser = await launchChromium();
try {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    colorScheme: 'light',
  });
  const page = await context.newPage();
  await signIn(page, station.address, 'dispatcher', 'dispatcher');
  await page.locator('.light[data-level=good]').waitFor();
  await page.waitForTimeout(12_000); // the crews leave their bases
  await page.keyboard.press('n');
  await page.keyboard.type('honey av');
  await page
    .getByRole('option', { name: /Honey Avenue/ })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('What happened').fill('Car against a lamp post, driver conscious');
  await page.locator('.ranked [data-car]').first().waitFor();
  await page.keyboard.press('Control+Enter');
  await page.locator('.card .ranked [data-car]').nth(2).click();
  await page.locator('.serving').getByText('En route', { exact: true }).waitFor();
  await page.mouse.move(700, 20);
  await page.waitForTimeout(3_500); // the way is drawn
  // 256 colours do for a map and text, and keep the repository small.
  await sharp(await page.screenshot())
    .png({ palette: true, quality: 90 })
    .toFile(join(ROOT, 'resources/screenshot.png'));
} finally {
  await browser.close();
  await station.stop();
}

import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { PALETTES, prefer } from '../harness/every-look.ts';
import { faintTexts } from '../harness/text-contrast.ts';

/**
 * Every text as it is seen, against what really lies behind it: beside the pairs of tokens, this finds a pair
 * that nobody has listed.
 */
let desk: DemoConsole;
let page: Page;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, login: 'admin', viewport: { width: 1280, height: 720 } });
  page = desk.page;
});
afterAll(() => desk?.close());

const open = async (path: string) => {
  // Another hash alone loads no document: the page before would be measured.
  await page.evaluate((hash) => history.replaceState(null, '', hash), `#${path}`);
  await page.reload();
  await page.locator('.light[data-level=good]').waitFor();
  await expect
    .poll(async () => (await faintTexts(page)).measured, { message: `texts that are measured on ${path}` })
    .toBeGreaterThan(20);
};

test('text stands out 4.5 to 1, large text 3 to 1, on the main pages in every palette', async () => {
  const vehicle = (await desk.ask<{ id: number }[]>('GET', '/cars'))[0]!.id;
  const faint: string[] = [];
  for (const path of [
    '/',
    '/vehicles',
    `/vehicles/${vehicle}`,
    '/alarms',
    '/events',
    '/reports',
    '/routes',
    '/stations',
    '/archive',
    '/types',
    '/fleet/thresholds',
    '/log',
    '/territory',
    '/settings',
    '/design',
  ]) {
    await open(path);
    for (const palette of PALETTES) {
      await prefer(page, { palette, language: 'en' });
      faint.push(...(await faintTexts(page)).faint.map((one) => `${path}, ${palette}: ${one}`));
    }
  }
  expect(faint).toEqual([]);
}, 180_000);

test.each(PALETTES)('a token of the %s palette that is spoilt is found out', async (palette) => {
  await open('/settings');
  await prefer(page, { palette, language: 'en' });
  const spoil = (token: string, as: string) =>
    page.evaluate(([name, value]) => document.documentElement.style.setProperty(name!, value!), [token, as]);
  for (const [token, as] of [
    ['--dim', 'color-mix(in srgb, var(--text) 25%, var(--ground))'],
    ['--ground', 'var(--text)'],
  ] as const) {
    await spoil(token, as);
    expect((await faintTexts(page)).faint, token).not.toEqual([]);
    await page.evaluate((name) => document.documentElement.style.removeProperty(name), token);
    expect((await faintTexts(page)).faint).toEqual([]);
  }
});

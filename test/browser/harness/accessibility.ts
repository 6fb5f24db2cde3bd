import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright';
import { atRest } from './console-harness.ts';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** All rules of axe-core that are not experimental, in the main document; the console has no frames. */
const OPTIONS: RunOptions = { resultTypes: ['violations'], iframes: false, preload: false };

/** What axe-core finds on the page as it is shown: rule, and the elements that break it. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await atRest(page.locator('html')); // a colour that fades has no contrast of its own
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  return page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run(document, options);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html, any, all, none }) => {
        const reason = [...any, ...all, ...none][0]?.message ?? '';
        return `${id} at ${target.join(' ')}: ${reason} ${html.slice(0, 120)}`;
      }),
    );
  }, OPTIONS);
}
